import LoupeGLES
import LoupePlan
import LoupeScene
import LoupeShaders

/// The loupes of a plan as draw calls that are ready to be made again and again, over what is on the canvas.
///
/// Meshes, tables and textures are on the device already, so that a repetition costs what drawing costs.
public final class Recording {
    let calls: [DrawCall]
    let painter: Painter

    init(_ calls: [DrawCall], painter: Painter) {
        self.calls = calls
        self.painter = painter
    }

    /// Draws everything once more.
    public func draw() {
        for call in calls { call.issue() }
    }

    /// Draws one layer again and again onto the same target, blended, which no device may leave out.
    public func drawOneLayer(times: Int) {
        guard let call = calls.last(where: { ProgramName(key: $0.key).clip != nil }) else { return }
        for _ in 0..<times { call.issue(call.program, blend: .over) }
    }
}

/// A program that was compiled although the renderer has it already.
public struct FreshProgram {
    let program: Program
    let call: DrawCall

    /// Draws what the recording draws first with it.
    public func draw() { call.issue(program) }
}

extension Recording {
    /// Compiles a program of the recording as if for the first time.
    ///
    /// - Parameter nonce: a number that no program was compiled with before, so that no cache of the driver answers.
    public func compileAfresh(_ name: ProgramName, nonce: Int) throws(RenderError) -> FreshProgram? {
        guard let call = calls.first(where: { $0.key == name.key }) else { return nil }
        let replacements = painter.programs.replacements
        let source = name.key.source(replacements, moreDefinitions: [("COMPILED_AFRESH", nonce)])
        let program = try wrapped { () throws(GLError) in
            try painter.programs.compile(
                vertex: ShaderSource(.mesh, replacements: replacements), fragment: source,
                uniforms: name.key.uniforms)
        }
        return FreshProgram(program: program, call: call)
    }
}

/// A program of the renderer, as reports name it.
public struct ProgramName: Hashable, Sendable, CustomStringConvertible {
    let key: ProgramCache.Key

    /// Such as `corner/linear` or `rim`.
    public var description: String {
        switch key {
        case .layer(let clip, let content, let blending, let isInked, let hasGrid):
            "\(clip.name)/\(content)" + (isInked ? "/ink" : "") + (hasGrid ? "/grid" : "") + blending.suffix
        case .filterColumns(let blending, _): "filter-columns" + blending.suffix
        case .rim: "rim"
        case .shadow(let hasHole, _): "shadow" + (hasHole ? "/hole" : "")
        case .lensRim: "lens-rim"
        case .lensShadow(let hasHole, _): "lens-shadow" + (hasHole ? "/hole" : "")
        case .versus: "versus"
        case .connector(let polygons, let kind): "connector/\(polygons)" + kind.suffix
        case .sourceRing(let kind): "source-ring" + kind.suffix
        case .mark: "mark"
        case .copy: "copy"
        case .finish(let blending): "finish" + blending.suffix
        }
    }

    /// Which clip shader it is, where it draws a layer; nil too where it only fills the background.
    public var clip: ClipState? {
        if case .layer(let clip, let content, _, _, _) = key, content != .fill {
            clip.state
        } else {
            nil
        }
    }
}

extension Recording {
    /// The programs that it uses, each once, in the order of first use.
    public var programs: [ProgramName] {
        var seen = Set<ProgramCache.Key>()
        return calls.compactMap { seen.insert($0.key).inserted ? ProgramName(key: $0.key) : nil }
    }
}

extension Blending {
    fileprivate var suffix: String { self == .linear ? "/linear-light" : "" }
}
