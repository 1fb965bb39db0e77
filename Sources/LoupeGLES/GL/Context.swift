import CGLES
import Synchronization

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

extension Context {
    /// Throws what the driver has complained of since the last look.
    func check(_ call: String) throws(GLError) {
        let code = glGetError()
        guard code != GLenum(GL_NO_ERROR) else { return }
        throw code == GLenum(GL_CONTEXT_LOST) || isLost ? .contextLost : .call(call, code: code)
    }

    /// As `check`, after what waited for the device: a reset may be all that tells that nothing was drawn.
    func checkWaiting(_ call: String) throws(GLError) {
        try check(call)
        if isLost { throw .contextLost }
    }

    /// Waits until everything drawn so far is done, and throws what went wrong on the way.
    public func finish() throws(GLError) {
        glFinish()
        try checkWaiting("glFinish")
    }

    /// For a deinit, which can't throw. Where it is false nothing may be deleted: the objects are lost with their context,
    /// and another one, whose objects have the same names, may be current.
    func makeCurrentForDeletion() -> Bool {
        (try? makeCurrent()) != nil
    }

    /// The format with more than 8 bits a channel that this device can draw into and blend: 32-bit floats where they
    /// are asked for and can be had, else half floats, else bytes after all.
    public func blendableFormat(floats: Bool) -> Texture.Format {
        let hasFloats = hasExtension("GL_EXT_color_buffer_float")
        if floats && hasFloats && hasExtension("GL_EXT_float_blend") { return .rgba32F }
        return hasFloats || hasExtension("GL_EXT_color_buffer_half_float") ? .rgba16F : .rgba8
    }
}

/// Objects that have a name: made, deleted and counted in one place.
extension Context {
    /// A new object's name.
    /// - Parameter generate: `glGenTextures` or another function like it.
    func make(_ kind: ObjectKind, _ generate: (GLsizei, UnsafeMutablePointer<GLuint>?) -> Void) -> GLuint {
        var name: GLuint = 0
        generate(1, &name)
        objects.made(kind)
        return name
    }

    /// - Parameter remove: `glDeleteTextures` or another function like it.
    func delete(_ kind: ObjectKind, _ name: GLuint, _ remove: (GLsizei, UnsafePointer<GLuint>?) -> Void) {
        var name = name
        if makeCurrentForDeletion() { remove(1, &name) }
        objects.deleted(kind)
    }
}

/// How many objects of one context were made and not yet deleted: what tests ask to find leaks.
public final class ObjectLedger {
    /// By kind, without those of which there is none.
    public private(set) var live: [ObjectKind: Int] = [:]

    private static let lost = Mutex<[ObjectKind: Int]>([:])

    /// What all contexts of this process that are gone left undeleted. Every object holds its context, so that one
    /// that goes without its objects being deleted can never delete them.
    public static var leaks: [ObjectKind: Int] { lost.withLock { $0 } }

    deinit {
        let live = live
        if !live.isEmpty { Self.lost.withLock { $0.merge(live, uniquingKeysWith: +) } }
    }

    func made(_ kind: ObjectKind) { live[kind, default: 0] += 1 }

    func deleted(_ kind: ObjectKind) {
        guard let count = live[kind] else { preconditionFailure("a \(kind.rawValue) was deleted twice") }
        live[kind] = count == 1 ? nil : count - 1
    }
}

/// The kinds of OpenGL ES objects that are made here, by what errors and tests call them.
public enum ObjectKind: String, Hashable, Sendable {
    case texture, framebuffer, buffer, query, shader, program, fence
    case vertexArray = "vertex array"
}

/// Asks whether the device was reset (GL_KHR_robustness, GL_EXT_robustness).
struct ResetStatus {
    private let function: PFNGLGETGRAPHICSRESETSTATUSKHRPROC

    /// Nil where the device can't say.
    init?(extensions: Set<String>) {
        let suffix = ["KHR", "EXT"].first { extensions.contains("GL_\($0)_robustness") }
        guard let suffix, let function = eglGetProcAddress("glGetGraphicsResetStatus" + suffix) else { return nil }
        self.function = unsafeBitCast(function, to: PFNGLGETGRAPHICSRESETSTATUSKHRPROC.self)
    }

    /// - Precondition: the context is current.
    var isReset: Bool { function() != GLenum(GL_NO_ERROR) }
}
