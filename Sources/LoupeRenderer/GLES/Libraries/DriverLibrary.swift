import Glibc
import LoupeSystem

/// The libraries of the driver, loaded when a device is first asked for.
///
/// They are not linked. A machine without them can still compare pictures, draw with the reference renderer and report why
/// it has no device, and commands that need no device start faster.
enum DriverLibrary {
    /// - Throws: ``EGLError/noLibrary(_:)``.
    static func requireEGL() throws(EGLError) {
        if let failure = eglFailure ?? glesFailure { throw .noLibrary(failure) }
    }

    /// - Throws: ``EGLError/noLibrary(_:)``.
    static func requireGBM() throws(EGLError) {
        if let failure = gbmFailure { throw .noLibrary(failure) }
    }

    private static let eglFailure = load("libEGL.so.1", "eglGetProcAddress", debian: "libegl1", fedora: "libglvnd-egl")
    private static let glesFailure = load(
        "libGLESv2.so.2", "glTexStorage2D", debian: "libgles2", fedora: "libglvnd-gles")
    private static let gbmFailure = load("libgbm.so.1", "gbm_create_device", debian: "libgbm1", fedora: "mesa-libgbm")

    /// Why a library can't be used; nil where it can.
    /// - Parameters:
    ///   - function: one that it has where it is new enough.
    ///   - debian: the package that holds it, of Debian and its relatives.
    ///   - fedora: the same of Fedora and its relatives.
    private static func load(_ name: String, _ function: String, debian: String, fedora: String) -> String? {
        Memory.prepareForExceptions()
        guard dlopen(name, RTLD_LAZY | RTLD_GLOBAL) != nil else {
            // Such as "libEGL.so.1: cannot open shared object file: No such file or directory".
            let reason = dlerror().map { String(cString: $0) } ?? "\(name) can't be loaded"
            return "\(reason); install it (Debian and Ubuntu: \(debian); Fedora: \(fedora))"
        }
        return dlsym(nil, function) == nil ? "\(name) is too old: it has no \(function)" : nil
    }

    /// A function of a library that has been required, as a C function of the type that is wanted, which must be the
    /// right one.
    static func function<Function>(_ name: String) -> Function {
        guard let address = dlsym(nil, name) else { preconditionFailure("the driver's libraries have no \(name)") }
        return unsafeBitCast(address, to: Function.self)
    }
}
