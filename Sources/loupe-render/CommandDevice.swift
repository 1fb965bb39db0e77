import LoupeRenderer

/// The device that a command draws on.
extension Renderer {
    /// A renderer for a command, which ends where the driver hangs for lack of memory.
    static func started(on device: DeviceChoice) throws(RenderError) -> Renderer {
        try LastResort.watching { () throws(RenderError) in try Renderer(device: device) }
    }

    /// Leaves the renderer to the end of the process, for a command that draws no more: the kernel takes back what a device holds
    /// in a fraction of the time that its driver needs to give up every part of it.
    func leaveToTheEnd() { _ = Unmanaged.passRetained(self) }
}
