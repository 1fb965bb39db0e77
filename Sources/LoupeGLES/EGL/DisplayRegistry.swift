import CEGL
import Synchronization

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
