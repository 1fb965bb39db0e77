import LoupeGLES
import LoupeImaging

// Clients choose a device and read about it without seeing the module that calls OpenGL ES.
public typealias DeviceChoice = LoupeGLES.DeviceChoice
public typealias DeviceInfo = LoupeGLES.DeviceInfo
public typealias DeviceCandidate = LoupeGLES.DeviceCandidate
public typealias DeviceReport = LoupeGLES.DeviceReport
public typealias DeviceProbe = LoupeGLES.DeviceProbe

extension Renderer {
    /// A renderer on a context of its own.
    public convenience init(device: DeviceChoice = .auto) throws(RenderError) {
        let context: Context
        do {
            context = try Context(device)
        } catch {
            throw .egl(error)
        }
        guard Memory.hasRoom(for: 0) else { throw .noMemoryBesideDriver }
        try self.init(context)
    }

    public var device: DeviceInfo { context.info }
}
