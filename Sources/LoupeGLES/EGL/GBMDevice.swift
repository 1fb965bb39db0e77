import Glibc

/// An open render node and the GBM device on it; both are closed together.
final class GBMDevice {
    let handle: OpaquePointer
    private let file: Int32

    // GBM's header names no types for its functions.
    private static let create: @convention(c) (Int32) -> OpaquePointer? = DriverLibrary.function("gbm_create_device")
    private static let destroy: @convention(c) (OpaquePointer?) -> Void = DriverLibrary.function("gbm_device_destroy")

    /// - Throws: ``EGLError/deviceFile(_:)``, or ``EGLError/noLibrary(_:)`` where GBM is missing.
    init(path: String) throws(EGLError) {
        try DriverLibrary.requireGBM()
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw .deviceFile(String(cString: strerror(errno))) }
        guard let handle = Self.create(file) else {
            close(file)
            throw .deviceFile("GBM has no driver for it")
        }
        self.file = file
        self.handle = handle
    }

    deinit {
        Self.destroy(handle)
        close(file)
    }
}
