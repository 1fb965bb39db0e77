/// The ways to a display without a window, in the order in which `auto` tries them.
public enum DevicePlatform: String, Hashable, Sendable, CaseIterable {
    /// A device that EGL enumerates (EGL_EXT_platform_device).
    case device
    /// Mesa without any window system (EGL_MESA_platform_surfaceless).
    case surfaceless
    /// A render node opened through GBM (EGL_KHR_platform_gbm).
    case gbm
    /// The display that EGL itself takes for the default.
    case `default`
}
