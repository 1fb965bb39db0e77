/// An OpenGL ES 3.0 context, or a later one, that needs no window and no display server.
///
/// A context is current on one thread at a time and isn't `Sendable`: whoever uses it makes it current, and releases it
/// before another thread may. Several may live at once, on one thread or on several.
/// When the last of them on a display is gone, the display ends as well.
///
/// The first context of a process sets the environment variable `EGL_LOG_LEVEL` to `fatal` unless it is set.
/// As with all changes to the environment, no other thread may read it at that moment.
public final class Context {
    /// What the device says of itself.
    public let info: DeviceInfo
    /// Counts its objects.
    public let objects = ObjectLedger()
    /// What it was asked for by, to make another like it.
    public let choice: DeviceChoice
    private let native: NativeContext
    private let resetStatus: ResetStatus?

    /// Makes a context on the device that `choice` leads to, and makes it current on this thread.
    ///
    /// The device has by then drawn one pixel and given it back rightly.
    ///
    /// - Throws: ``EGLError/noDevice(_:candidates:)``, with every candidate and what came of it.
    public init(_ choice: DeviceChoice = .auto) throws(EGLError) {
        let device = try DeviceProbe.open(choice)
        info = device.info
        self.choice = choice
        native = device.context
        resetStatus = ResetStatus(extensions: info.extensions)
    }

    /// Makes this the context that GL calls on this thread go to; costs next to nothing where it is that already.
    ///
    /// - Throws: ``EGLError/callFailed(_:code:)``: `EGL_BAD_ACCESS` when it is current on another thread,
    ///   `EGL_CONTEXT_LOST` when the device was reset.
    public func makeCurrent() throws(EGLError) {
        try native.makeCurrent()
    }

    /// Whether the device says that it was reset since the context was made; false too where it can't say.
    var isLost: Bool { resetStatus?.isReset ?? false }

    /// Leaves this thread without the context, so that another thread may make it current.
    public func release() {
        if !isHeld { native.release() }
    }

    /// Whether `release` leaves the context current: for whoever measures on one thread what each call costs.
    public var isHeld = false

    /// Whether a fragment shader can read the pixel that it draws over.
    public var readsBelow: Bool { hasExtension("GL_EXT_shader_framebuffer_fetch") }

    /// Whether the OpenGL ES extension of this name, such as `GL_EXT_disjoint_timer_query`, is there.
    public func hasExtension(_ name: String) -> Bool {
        info.extensions.contains(name)
    }
}
