import CGLES
import LoupeSystem

/// An error of OpenGL ES, with the driver's message.
public enum GLError: Error, Equatable, CustomStringConvertible {
    /// A shader does not compile; the driver's log.
    case compile(shader: String, log: String)
    /// A program does not link; the driver's log.
    case link(shader: String, log: String)
    /// The device can't draw into a framebuffer; the status of `glCheckFramebufferStatus`, sides in pixels.
    case incompleteFramebuffer(status: UInt32, width: Int, height: Int)
    /// A call failed with this code of `glGetError`.
    case call(String, code: UInt32)
    /// The device has no memory for a texture; sides in texels.
    case outOfMemory(width: Int, height: Int, bytes: Int)
    /// A texture would take more memory than the process may use; sides in texels.
    case noRoom(width: Int, height: Int)
    /// The device was reset, or the context was lost in another way. All its objects are gone.
    case contextLost
    /// A texture's sides are over the device's limit, in texels.
    case tooLarge(width: Int, height: Int, limit: Int)

    public var description: String {
        switch self {
        case .compile(let shader, let log): "the driver can't compile \(shader): \(Self.oneLine(log))"
        case .link(let shader, let log): "the driver can't link \(shader): \(Self.oneLine(log))"
        case .incompleteFramebuffer(let status, let width, let height):
            "a \(width)×\(height) framebuffer is incomplete (status 0x\(String(status, radix: 16)))"
        case .call(let name, let code): "\(name) failed with \(Self.name(ofCode: code))"
        case .outOfMemory(let width, let height, let bytes):
            "the device has no memory for a \(width)×\(height) texture (GL_OUT_OF_MEMORY for \((bytes + 999_999) / 1_000_000) MB)"
        case .noRoom(let width, let height):
            "no memory for a texture of \(width)×\(height) pixels; draw it smaller, as \(Memory.advice)"
        case .contextLost: "the device was reset, and its OpenGL ES context is lost"
        case .tooLarge(let width, let height, let limit):
            "\(width)×\(height) is over this device's limit of \(limit)×\(limit)"
        }
    }

    private static func oneLine(_ log: String) -> String {
        let lines = log.split(separator: "\n")
        return lines.isEmpty ? "it gives no reason" : lines.joined(separator: "; ")
    }

    private static func name(ofCode code: UInt32) -> String {
        switch Int32(code) {
        case GL_INVALID_ENUM: "GL_INVALID_ENUM"
        case GL_INVALID_VALUE: "GL_INVALID_VALUE"
        case GL_INVALID_OPERATION: "GL_INVALID_OPERATION"
        case GL_INVALID_FRAMEBUFFER_OPERATION: "GL_INVALID_FRAMEBUFFER_OPERATION"
        case GL_OUT_OF_MEMORY: "GL_OUT_OF_MEMORY"
        default: "code 0x\(String(code, radix: 16))"
        }
    }
}
