import LoupeFiles
import LoupeGLES
import LoupeImaging

// Clients choose a device and read about it without seeing the module that calls OpenGL ES.
public typealias DeviceChoice = LoupeGLES.DeviceChoice
public typealias DeviceInfo = LoupeGLES.DeviceInfo
public typealias DeviceCandidate = LoupeGLES.DeviceCandidate
public typealias DeviceReport = LoupeGLES.DeviceReport
public typealias DeviceProbe = LoupeGLES.DeviceProbe

extension Renderer {
    /// What a driver takes to start; Mesa's llvmpipe with LLVM more than any other. Where there is less, it may wait without
    /// end for a thread that it could not start.
    private static let driverNeeds = 160 << 20

    /// A renderer on a context of its own.
    public convenience init(device: DeviceChoice = .auto) throws(RenderError) {
        guard Memory.hasRoom(for: Self.driverNeeds) else { throw .noMemoryForDriver(needed: Self.driverNeeds) }
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
