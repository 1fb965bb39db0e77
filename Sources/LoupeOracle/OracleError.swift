/// Why the oracle can't draw a scene.
public enum OracleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A layer shows an image that was not handed over.
    case missingImage(path: String)
    /// There is no memory for the picture.
    case outOfMemory(width: Int, height: Int)

    public var description: String {
        switch self {
        case .missingImage(let path): "the scene shows the image '\(path)', which was not given to the renderer"
        case .outOfMemory(let width, let height): "canvas: no memory for \(width)×\(height) pixels; draw it smaller"
        }
    }
}
