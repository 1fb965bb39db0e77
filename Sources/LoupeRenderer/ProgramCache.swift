import LoupeGLES
import LoupePlan
import LoupeScene
import LoupeShaders

/// The programs that have been needed so far, compiled at first use.
final class ProgramCache {
    enum Key: Hashable {
        case layer(ClipShader, ContentKind, Blending, isInked: Bool = false, hasGrid: Bool = false)
        case filterColumns(Blending, isFine: Bool = false)
        case rim
        /// - Parameter readsBelow: whether it lays itself over what it reads there, without blending.
        case shadow(hasHole: Bool, readsBelow: Bool)
        /// Of a loupe that is no disc.
        case lensRim
        case lensShadow(hasHole: Bool, readsBelow: Bool)
        /// The other half of a split loupe.
        case versus
        case connector(polygons: Int, CalloutKind)
        case sourceRing(CalloutKind)
        case mark
        /// Pixels of another target.
        case copy
        case finish(Blending)
    }

    private let context: Context
    /// Files to compile instead of the embedded ones.
    let replacements: ShaderReplacements
    private var programs: [Key: Program] = [:]

    init(_ context: Context, replacements: ShaderReplacements) {
        self.context = context
        self.replacements = replacements
    }

    subscript(key: Key) -> Program {
        get throws(GLError) {
            if let program = programs[key] { return program }
            let program = try compile(
                vertex: ShaderSource(.mesh, replacements: replacements), fragment: key.source(replacements),
                uniforms: key.uniforms)
            programs[key] = program
            return program
        }
    }

    /// A new program. Somebody else's shader may leave out what it does not use.
    func compile(vertex: ShaderSource, fragment: ShaderSource, uniforms: [Uniform]) throws(GLError) -> Program {
        try Program(
            context, label: fragment.name, vertex: vertex.text, fragment: fragment.text,
            uniforms: ([.viewport] + uniforms).map(\.rawValue), mayLackUniforms: !replacements.isEmpty)
    }
}

/// The three clip shaders of the article, and one for corners that differ.
enum ClipShader: Hashable {
    case noEdge, singleEdge, corner, unevenCorner

    /// The one switch from a piece's state to its program; nil where nothing is drawn.
    init?(_ state: ClipState, of outline: PlacedOutline) {
        switch state {
        case .outside: return nil
        case .noEdge: self = .noEdge
        case .singleEdge: self = .singleEdge
        case .corner: self = outline.isEven ? .corner : .unevenCorner
        }
    }

    var state: ClipState {
        switch self {
        case .noEdge: .noEdge
        case .singleEdge: .singleEdge
        case .corner, .unevenCorner: .corner
        }
    }

    /// As reports tell it.
    var name: String { self == .unevenCorner ? "uneven-corner" : state.rawValue }

    var file: ShaderFile {
        switch self {
        case .noEdge: .noEdge
        case .singleEdge: .singleEdge
        case .corner: .corner
        case .unevenCorner: .unevenCorner
        }
    }

    /// Of `common/outline.glsl`.
    static let outlineUniforms: [Uniform] = [.outlineOrigin, .outlineEdges, .sections, .sectionCount]

    var uniforms: [Uniform] {
        switch self {
        case .noEdge: []
        case .singleEdge: [.backdrop, .pixelOrigin, .outlineEdges]
        case .corner:
            [
                .backdrop, .pixelOrigin, .outlineEdges, .diagonalShift, .tangents, .tangentCount, .edgeInset, .curveEnd,
            ]
        case .unevenCorner: [.backdrop, .pixelOrigin] + Self.outlineUniforms
        }
    }
}

extension ContentKind {
    fileprivate var uniforms: [Uniform] {
        switch self {
        case .fill: [.fillColor]
        case .copy: [.image, .texelShift, .lastTexel]
        case .linear: [.pixelOrigin, .image, .texelBase, .texelFraction, .texelStep, .lastTexel]
        case .separable, .fineSeparable:
            [.filtered, .rowTable, .rowTaps, .filteredOrigin, .filteredFirstRow, .filteredLastRow]
        }
    }
}

extension ProgramCache.Key {
    private var file: ShaderFile {
        switch self {
        case .layer(let clip, _, _, _, _): clip.file
        case .filterColumns: .filterColumns
        case .rim: .rim
        case .shadow: .shadow
        case .lensRim: .lensRim
        case .lensShadow: .lensShadow
        case .versus: .versus
        case .connector: .connector
        case .sourceRing: .sourceRing
        case .mark: .mark
        case .copy: .copy
        case .finish: .finish
        }
    }

    private var definitions: [(String, Int)] {
        switch self {
        case .layer(_, let content, let blending, _, let hasGrid):
            content.definitions + blending.definitions + [("HAS_GRID", hasGrid ? 1 : 0)]
        case .filterColumns(let blending, let isFine): blending.definitions + (isFine ? [("FINE_ROWS", 1)] : [])
        case .finish(let blending): blending.definitions
        case .rim, .lensRim, .versus, .mark, .copy: []
        case .shadow(let hasHole, let readsBelow), .lensShadow(let hasHole, let readsBelow):
            [("HAS_HOLE", hasHole ? 1 : 0), ("READS_BELOW", readsBelow ? 1 : 0)]
        case .sourceRing(let kind): kind.definitions
        case .connector(let polygons, let kind): [("POLYGONS", polygons)] + kind.definitions
        }
    }

    func source(_ replacements: ShaderReplacements, moreDefinitions: [(String, Int)] = []) -> ShaderSource {
        ShaderSource(
            file, isInked: isInked, definitions: definitions + moreDefinitions, replacements: replacements)
    }

    private var isInked: Bool {
        if case .layer(_, _, _, let isInked, _) = self { isInked } else { false }
    }

    var uniforms: [Uniform] {
        switch self {
        case .layer(let clip, let content, _, let isInked, let hasGrid):
            [.opacity] + clip.uniforms + content.uniforms + (isInked ? [.inkTiles, .inkOrigin, .inkEntries] : [])
                + (hasGrid ? [.pixelOrigin, .gridColor, .gridFraction, .gridStep, .gridBorders] : [])
        case .filterColumns(let blending, let isFine):
            [.image, .columnTable, .columnTaps, .firstTexelRow, .lastTexel]
                + (blending == .linear && !isFine ? [.lightTable] : [])
        case .rim:
            [
                .pixelOrigin, .below, .belowShift, .discCenter, .discRadius, .rimColor, .rimInnerRadius, .adds,
            ]
        case .shadow(let hasHole, _):
            [.pixelOrigin, .shadowCenter, .shadowRadius, .shadowScale, .shadowColor]
                + (hasHole ? [.discCenter, .discRadius] : [])
        case .lensRim:
            [.pixelOrigin] + ClipShader.outlineUniforms + [.below, .belowShift, .rimColor, .rimWidth, .adds]
        case .lensShadow(let hasHole, _):
            [.pixelOrigin] + ClipShader.outlineUniforms + [.shadowScale, .shadowColor]
                + (hasHole ? [.shadowOffset] : [])
        case .versus:
            [.pixelOrigin, .loupeContent, .contentShift, .halfLine, .dividerColor, .dividerWidth, .adds]
        case .connector(_, let kind): [.pixelOrigin, .sides, .connectorColor] + kind.uniforms
        case .sourceRing(let kind): [.pixelOrigin, .ringReach, .ringColor] + kind.uniforms
        case .mark: [.pixelOrigin, .markOuter, .markInner, .markColor]
        case .copy, .finish: [.canvas, .canvasShift]
        }
    }
}

extension Blending {
    fileprivate var definitions: [(String, Int)] { [("LINEAR_LIGHT", self == .linear ? 1 : 0)] }
}
