import LoupeImaging

/// Why the oracle can't draw a scene.
public enum OracleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A layer shows an image that was not handed over.
    case missingImage(path: String)
    /// There is no memory for the picture.
    case outOfMemory(width: Int, height: Int)
    /// A vector picture can't be drawn.
    case picture(ImageError)

    public var description: String {
        switch self {
        case .picture(let error): error.description
        case .missingImage(let path): "the scene shows the image '\(path)', which was not given to the renderer"
        case .outOfMemory(let width, let height): "canvas: no memory for \(width)×\(height) pixels; draw it smaller"
        }
    }
}
