import CEGL
import Glibc
import LoupeSystem
import Synchronization

/// One use of an initialised EGL display, with the GBM device under it where it has one.
final class Display {
    let handle: EGLDisplay
    let extensions: Set<String>
    /// Held so that it is closed only after the display has ended.
    private let gbm: GBMDevice?

    init(_ target: DeviceTarget, client: EGLClient) throws(EGLError) {
        gbm = if case .gbm(let path) = target { try GBMDevice(path: path) } else { nil }
        handle = try Self.find(target, gbm: gbm, client: client)
        try DisplayRegistry.retain(handle)
        extensions = extensionNames(eglQueryString(handle, EGL_EXTENSIONS).map { String(cString: $0) } ?? "")
    }

    deinit {
        DisplayRegistry.release(handle)
    }

    /// One of the display's strings; empty when it has none of that name.
    func string(_ name: Int32) -> String {
        eglQueryString(handle, name).map { String(cString: $0) } ?? ""
    }

    private static func find(
        _ target: DeviceTarget, gbm: GBMDevice?, client: EGLClient
    ) throws(EGLError) -> EGLDisplay {
        switch target {
        case .device(let device):
            try client.require(oneOf: "EGL_EXT_platform_device")
            return try find(EGL_PLATFORM_DEVICE_EXT, native: device.handle, client: client)
        case .surfaceless:
            try client.require(oneOf: "EGL_MESA_platform_surfaceless")
            return try find(EGL_PLATFORM_SURFACELESS_MESA, native: nil, client: client)
        case .gbm:
            try client.require(oneOf: "EGL_KHR_platform_gbm", "EGL_MESA_platform_gbm")
            let native = gbm.map { UnsafeMutableRawPointer($0.handle) }
            return try find(EGL_PLATFORM_GBM_KHR, native: native, client: client)
        case .defaultDisplay:
            guard let display = eglGetDisplay(nil) else { throw lastEGLError(of: "eglGetDisplay") }
            return display
        }
    }

    private static func find(
        _ platform: Int32, native: UnsafeMutableRawPointer?, client: EGLClient
    ) throws(EGLError) -> EGLDisplay {
        guard let getPlatformDisplay = client.getPlatformDisplay else {
            throw .unusable("EGL offers no EGL_EXT_platform_base")
        }
        guard let display = getPlatformDisplay(EGLenum(platform), native, nil) else {
            throw lastEGLError(of: "eglGetPlatformDisplayEXT")
        }
        return display
    }
}

/// Counts the users of each initialised display, so that the last one terminates it.
///
/// EGL hands out one display for one platform and device however often it is asked, and a single
/// `eglTerminate` ends it for everybody. A display that others in the process had initialised before
/// is left as it was found.
enum DisplayRegistry {
    private struct Entry {
        var users = 0
        let isOurs: Bool
    }

    /// By the display's address, for the pointer itself may not cross threads.
    private static let entries = Mutex<[UInt: Entry]>([:])

    /// Initialises the display, or counts one more user of it.
    static func retain(_ display: EGLDisplay) throws(EGLError) {
        let key = UInt(bitPattern: display)
        try entries.withLock { entries throws(EGLError) in
            if entries[key] == nil {
                let isOurs = eglQueryString(display, EGL_VENDOR) == nil
                try checkEGL("eglInitialize", eglInitialize(display, nil, nil))
                entries[key] = Entry(isOurs: isOurs)
            }
            entries[key]?.users += 1
        }
    }

    /// Ends one use of a display that was retained.
    static func release(_ display: EGLDisplay) {
        let key = UInt(bitPattern: display)
        entries.withLock { entries in
            entries[key]?.users -= 1
            guard let entry = entries[key], entry.users == 0 else { return }
            entries[key] = nil
            if entry.isOurs { _ = eglTerminate(display) }
        }
    }
}

/// An open render node and the GBM device on it; both are closed together.
final class GBMDevice {
    let handle: OpaquePointer
    private let file: Int32

    private static let create: PFNGBMCREATEDEVICEPROC = DriverLibrary.function("gbm_create_device")
    private static let destroy: PFNGBMDEVICEDESTROYPROC = DriverLibrary.function("gbm_device_destroy")

    private static func unopened(_ reason: String) -> EGLError {
        .unusable("the device file can't be opened: \(reason)")
    }

    /// - Throws: ``EGLError/unusable(_:)``, or ``EGLError/noLibrary(_:)`` where GBM is missing.
    init(path: Path) throws(EGLError) {
        try DriverLibrary.requireGBM()
        let file = path.withCString { open($0, O_RDWR | O_CLOEXEC) }
        guard file >= 0 else { throw Self.unopened(String(cString: strerror(errno))) }
        guard let handle = Self.create(file) else {
            close(file)
            throw Self.unopened("GBM has no driver for it")
        }
        self.file = file
        self.handle = handle
    }

    deinit {
        Self.destroy(handle)
        close(file)
    }
}
