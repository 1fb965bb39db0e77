/// What a machine has for OpenGL ES without a display.
public struct Examination: Hashable, Sendable {
    public let libraries: [EntryLibrary]
    public let vendors: [VendorFile]
    public let variables: [SetVariable]
    public let files: [DeviceFile]
    /// Of the vendors that there are, those whose EGL can be loaded though no vendor file may name it.
    let loadable: Set<Vendor>
    /// Whether Mesa has drivers where it looks for them.
    let hasMesaDrivers: Bool
    let distribution: Distribution

    public init(of machine: Machine) {
        libraries = EntryLibrary.all(on: machine)
        distribution = Distribution(of: machine)
        vendors = VendorSearch(machine: machine).files
        variables = SetVariable.all(in: machine.environment)
        files = DeviceFile.all(on: machine)
        loadable = Set(Vendor.allCases.filter { machine.loadingFailure($0.library) == nil })
        hasMesaDrivers = MesaDrivers(machine: machine).areThere
    }

    /// What keeps a device from working or being used, the gravest first.
    public func troubles(_ probe: ProbeFindings) -> [Trouble] { TroubleFinder(self, probe).troubles }

    /// Of a variable that is set.
    func value(of name: String) -> String? { variables.first { $0.name == name }?.value }
}

/// Who makes an EGL.
enum Vendor: CaseIterable {
    case mesa, nvidia

    var name: String { self == .mesa ? "Mesa" : "NVIDIA" }
    var library: String { self == .mesa ? "libEGL_mesa.so.0" : "libEGL_nvidia.so.0" }

    /// Whether a vendor file is of this one.
    func isNamed(by file: VendorFile) -> Bool {
        let start = self == .mesa ? "libEGL_mesa" : "libEGL_nvidia"
        return file.library?.split(separator: "/").last?.hasPrefix(start) == true
    }
}

/// Mesa's drivers, which lie apart from its EGL.
private struct MesaDrivers {
    let machine: Machine

    /// Before Mesa 24.2 each is `…_dri.so`; later all are one `libgallium-….so`.
    var areThere: Bool {
        folders.contains { folder in
            machine.names(in: folder).contains { $0.hasSuffix("_dri.so") || $0.hasPrefix("libgallium-") }
        }
    }

    private var folders: [String] {
        if let path = machine.environment["LIBGL_DRIVERS_PATH"] { return path.split(separator: ":").map(String.init) }
        let places = ["/usr/lib", "/usr/lib64", "/usr/local/lib"].flatMap { lib in
            [lib] + machine.names(in: lib).filter { $0.hasSuffix("-linux-gnu") }.map { "\(lib)/\($0)" }
        }
        return places.flatMap { [$0, $0 + "/dri"] }
    }
}
