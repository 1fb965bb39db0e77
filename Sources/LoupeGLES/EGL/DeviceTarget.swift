/// Where a candidate's display comes from.
enum DeviceTarget {
    case device(EGLDevice)
    case surfaceless
    /// A device file to be opened.
    case gbm(path: String)
    case defaultDisplay

    var platform: DevicePlatform {
        switch self {
        case .device: .device
        case .surfaceless: .surfaceless
        case .gbm: .gbm
        case .defaultDisplay: .default
        }
    }

    var path: String? {
        switch self {
        case .device(let device): device.path
        case .gbm(let path): path
        case .surfaceless, .defaultDisplay: nil
        }
    }

    /// Known to draw on the CPU before it is tried.
    var isSoftwareDevice: Bool {
        if case .device(let device) = self { device.isSoftware } else { false }
    }

    /// Whether it may draw on the CPU: neither a GPU's own device nor its render node.
    var mayBeSoftware: Bool {
        switch self {
        case .device(let device): device.isSoftware
        case .gbm: false
        case .surfaceless, .defaultDisplay: true
        }
    }

    var name: String {
        switch self {
        case .device(let device) where device.isSoftware: "EGL device, software"
        case .device(let device): "EGL device" + (device.path.map { " \($0)" } ?? ", hardware")
        case .surfaceless: "surfaceless platform"
        case .gbm(let path): "GBM \(path)"
        case .defaultDisplay: "default display"
        }
    }
}
