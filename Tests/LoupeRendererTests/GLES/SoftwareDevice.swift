@testable import LoupeRenderer

/// Whether EGL enumerates Mesa's software device, as it does where Mesa stands behind libglvnd.
let hasSoftwareDevice = (try? EGLClient())?.devices.contains { $0.isSoftware } ?? false
