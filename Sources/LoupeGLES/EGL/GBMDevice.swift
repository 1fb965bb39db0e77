import CGBM
import Glibc

/// An open render node and the GBM device on it; both are closed together.
final class GBMDevice {
    let handle: OpaquePointer
    private let file: Int32

    /// - Throws: ``EGLError/deviceFile(_:)``.
    init(path: String) throws(EGLError) {
        let file = open(path, O_RDWR | O_CLOEXEC)
        guard file >= 0 else { throw .deviceFile(String(cString: strerror(errno))) }
        guard let handle = gbm_create_device(file) else {
            close(file)
            throw .deviceFile("GBM has no driver for it")
        }
        self.file = file
        self.handle = handle
    }

    deinit {
        gbm_device_destroy(handle)
        close(file)
    }
}
