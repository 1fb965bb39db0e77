import LoupeSystem

/// The candidates of this machine in the order of trying, and their results so far.
struct DeviceTable {
    let client: EGLClient
    let choice: DeviceChoice
    private(set) var rows: [DeviceCandidate] = []
    private var targets: [DeviceTarget] = []

    /// Lists the candidates, and tries none.
    /// - Throws: ``EGLError/noLibrary(_:)``.
    init(for choice: DeviceChoice) throws(EGLError) {
        self.client = try EGLClient()
        self.choice = choice
        let devices = client.devices
        targets = (devices.filter { !$0.isSoftware } + devices.filter(\.isSoftware)).map(DeviceTarget.device)
        targets.append(.surfaceless)
        targets += RenderNodes.paths.map(DeviceTarget.gbm)
        targets.append(.defaultDisplay)
        // A device file that is not listed is opened where the choice names it.
        if case .path(let path) = choice, chosenIndices.isEmpty { targets.append(.gbm(path: path)) }
        rows = targets.enumerated().map { index, target in
            let traits = target.traits
            return DeviceCandidate(
                index: index, platform: traits.platform, name: traits.name, path: traits.path, outcome: .untried)
        }
    }

    /// The candidates that the choice allows, in the order of trying.
    var chosenIndices: [Int] {
        switch choice {
        case .auto: return Array(targets.indices)
        case .cpu: return targets.indices.filter { targets[$0].traits.mayBeSoftware }
        case .index(let index): return targets.indices.contains(index) ? [index] : []
        case .path(let path):
            let file = RenderNodes.resolve(path)
            return targets.indices.filter { targets[$0].traits.path.map(RenderNodes.resolve) == file }
        }
    }

    /// The error that no candidate of the choice works, without the results of other candidates.
    var failure: EGLError {
        let allowed = Set(chosenIndices)
        return .noDevice(
            choice,
            candidates: rows.map { row in
                var row = row
                if !allowed.contains(row.index) { row.outcome = .untried }
                return row
            })
    }

    /// Opens one candidate and records the result; nil where it failed. Otherwise its context is current afterwards.
    mutating func open(_ index: Int) -> OpenDevice? {
        let requiresSoftware = choice == .cpu && targets[index].traits.mayBeSoftware
        do throws(EGLError) {
            let device = try OpenDevice(targets[index], client: client, requiresSoftware: requiresSoftware)
            rows[index].outcome = .works(device.info)
            return device
        } catch {
            rows[index].outcome = .failed(error.description)
            if case .versionTooLow(let version) = error { rows[index].oldVersion = version }
            return nil
        }
    }
}

/// The way to open a candidate's display.
enum DeviceTarget {
    case device(EGLDevice)
    case surfaceless
    /// A device file to be opened.
    case gbm(path: Path)
    case defaultDisplay

    /// What is known of it before it is tried: its device file, whether it is a device that draws on the CPU, whether it may
    /// do so, being neither a GPU's own device nor its render node, and a name for people.
    var traits: (platform: DevicePlatform, path: Path?, isSoftwareDevice: Bool, mayBeSoftware: Bool, name: String) {
        switch self {
        case .device(let device) where device.isSoftware: (.device, device.path, true, true, "EGL device, software")
        case .device(let device):
            (.device, device.path, false, false, "EGL device" + (device.path.map { " \($0)" } ?? ", hardware"))
        case .surfaceless: (.surfaceless, nil, false, true, "surfaceless platform")
        case .gbm(let path): (.gbm, path, false, false, "GBM \(path)")
        case .defaultDisplay: (.default, nil, false, true, "default display")
        }
    }
}

/// The device files of GPUs.
enum RenderNodes {
    /// Every `/dev/dri/renderD*`, by number; empty where there is no such folder.
    static var paths: [Path] {
        let folder: Path = "/dev/dri"
        let names = folder.entries(startingWith: "renderD") ?? []
        return names.sorted { ($0.bytes.count, $0) < ($1.bytes.count, $1) }.map(folder.child)
    }

    /// The file that a path leads to through all links; the path itself when it leads nowhere.
    static func resolve(_ path: Path) -> Path { path.real ?? path }
}
