import LoupeGLES
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

    /// How many draw calls that is.
    public var callCount: Int { calls.count }
}

/// A program of the renderer, as reports name it.
public struct ProgramName: Hashable, Sendable, CustomStringConvertible {
    let key: ProgramCache.Key

    /// Such as `corner/linear` or `rim`.
    public var description: String {
        switch key {
        case .layer(let clip, let content, let blending): "\(clip.state.rawValue)/\(content)" + blending.suffix
        case .filterColumns(let blending): "filter-columns" + blending.suffix
        case .rim: "rim"
        case .shadow: "shadow"
        case .finish(let blending): "finish" + blending.suffix
        }
    }

    /// Which clip shader it is, where it draws a layer; nil too where it only fills the background.
    public var clip: ClipState? {
        if case .layer(let clip, let content, _) = key, content != .fill { clip.state } else { nil }
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
