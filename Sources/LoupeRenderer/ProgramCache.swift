import LoupeGLES
import LoupeScene
import LoupeShaders

/// The programs that have been needed so far, compiled at first use.
final class ProgramCache {
    enum Key: Hashable {
        case layer(ClipShader, ContentKind, Blending)
        case filterColumns(Blending)
        case rim
        case shadow
        case finish(Blending)
    }

    private let context: Context
    private var programs: [Key: Program] = [:]

    init(_ context: Context) { self.context = context }

    subscript(key: Key) -> Program {
        get throws(GLError) {
            if let program = programs[key] { return program }
            let source = key.source
            let program = try Program(
                context, label: source.name, vertex: ShaderSource(.mesh).text, fragment: source.text,
                uniforms: ([.targetSize] + key.uniforms).map(\.rawValue))
            programs[key] = program
            return program
        }
    }
}

/// The three clip shaders of the article.
enum ClipShader: Hashable {
    case noEdge, singleEdge, corner

    /// The one switch from a piece's state to its program; nil where nothing is drawn.
    init?(_ state: ClipState) {
        switch state {
        case .outside: return nil
        case .noEdge: self = .noEdge
        case .singleEdge: self = .singleEdge
        case .corner: self = .corner
        }
    }

    var file: ShaderFile {
        switch self {
        case .noEdge: .noEdge
        case .singleEdge: .singleEdge
        case .corner: .corner
        }
    }

    var uniforms: [Uniform] {
        switch self {
        case .noEdge: []
        case .singleEdge: [.pixelOrigin, .edgeLine]
        case .corner: [.pixelOrigin, .outlineEdges, .diagonalShift, .tangents, .tangentCount, .curveEnd]
        }
    }
}

extension ContentKind {
    fileprivate var uniforms: [Uniform] {
        switch self {
        case .fill: [.fillColor]
        case .copy: [.image, .texelShift, .lastTexel]
        case .linear: [.pixelOrigin, .image, .texelBase, .texelFraction, .texelStep, .lastTexel]
        case .separable: [.filtered, .rowTable, .rowTaps, .filteredOrigin, .filteredFirstRow, .filteredLastRow]
        }
    }
}

extension ProgramCache.Key {
    fileprivate var source: ShaderSource {
        switch self {
        case .layer(let clip, let content, let blending):
            ShaderSource(
                clip.file, definitions: content.definitions + blending.definitions)
        case .filterColumns(let blending): ShaderSource(.filterColumns, definitions: blending.definitions)
        case .rim: ShaderSource(.rim)
        case .shadow: ShaderSource(.shadow)
        case .finish(let blending): ShaderSource(.finish, definitions: blending.definitions)
        }
    }

    fileprivate var uniforms: [Uniform] {
        switch self {
        case .layer(let clip, let content, _): [.opacity] + clip.uniforms + content.uniforms
        case .filterColumns: [.image, .columnTable, .columnTaps, .firstTexelRow, .lastTexel]
        case .rim:
            [
                .pixelOrigin, .loupeContent, .contentShift, .discCenter, .discRadius, .rimColor, .rimInnerRadius,
                .erases,
            ]
        case .shadow: [.pixelOrigin, .shadowCenter, .shadowRadius, .shadowScale, .shadowColor]
        case .finish: [.canvas]
        }
    }
}

extension Blending {
    fileprivate var definitions: [(String, Int)] { [("LINEAR_LIGHT", self == .linear ? 1 : 0)] }
}
