import LoupeBase
import LoupePlan
import LoupeSystem

/// The reason why a plan could not be drawn, as far as the modules below can't know it: `GLError`, `EGLError` and
/// `ImageError` reach the caller as they are.
public enum RenderError: Error, CustomStringConvertible {
    /// The plan shows an image that was not loaded.
    case missingImage(path: ImagePath)
    /// An image's sides are over the device's limit, in pixels.
    case imageTooLarge(path: ImagePath, width: Int, height: Int, limit: Int)
    /// The canvas's sides are over the device's limit, in pixels.
    case canvasTooLarge(width: Int, height: Int, limit: Int)
    /// There is no memory to read the picture back.
    case outOfMemory(width: Int, height: Int)
    /// There is too little memory for a driver to start; the bytes that it needs.
    case noMemoryForDriver(needed: Int)
    /// The driver has taken nearly all memory.
    case noMemoryBesideDriver
    /// A picture of 16 bits was asked for, and the device can't blend 32-bit floats.
    case tooCoarse

    public var description: String {
        switch self {
        case .missingImage(let path): "\(path.description.quotable) is shown by the scene but was not loaded"
        case .imageTooLarge(let path, let width, let height, let limit):
            "\(path.description.quotable): \(width)×\(height) pixels is over this device's limit of \(limit)×\(limit)"
        case .canvasTooLarge(let width, let height, let limit):
            "canvas: \(width)×\(height) is over this device's limit of \(limit)×\(limit); draw it smaller"
        case .outOfMemory(let width, let height):
            "canvas: no memory for \(width)×\(height) pixels; draw it smaller, as \(Memory.advice)"
        case .noMemoryForDriver(let needed):
            "there is too little memory for an OpenGL ES driver: \((needed + Memory.spare) >> 20) MiB are needed; "
                + "see ulimit -v and -d"
        case .noMemoryBesideDriver:
            "the driver leaves too little memory: \(Memory.spare >> 20) MiB are needed beside it; see ulimit -v and -d"
        case .tooCoarse:
            "this device can't blend 32-bit floats, which pictures of 16 bits need; take another, or --reference"
        }
    }
}

extension GLError {
    /// Whether a shader does not compile or link, which a replaced shader can cause.
    public var isOfShader: Bool {
        switch self {
        case .compile, .link: true
        default: false
        }
    }
}
