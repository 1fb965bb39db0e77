/// The family of Linux distributions that a machine belongs to, which determines package names and commands.
enum Distribution {
    /// Debian, Ubuntu and their relatives; also if nothing is known.
    case debian
    /// Fedora, Red Hat and their relatives.
    case fedora
    /// Arch and its relatives.
    case arch

    /// The family by `/etc/os-release`, whose `ID_LIKE` names relatives.
    init(of machine: Machine) {
        let text = (try? machine.bytes(of: "/etc/os-release")).map { String(decoding: $0, as: UTF8.self) } ?? ""
        let names = text.split(separator: "\n").flatMap { line -> [Substring] in
            guard let value = ["ID=", "ID_LIKE="].first(where: line.hasPrefix).map({ line.dropFirst($0.count) }) else {
                return []
            }
            return value.split { $0 == " " || $0 == "\"" || $0 == "'" }
        }
        self = names.contains("fedora") || names.contains("rhel") ? .fedora : names.contains("arch") ? .arch : .debian
    }

    /// The command that installs packages.
    func install(_ packages: Package...) -> String {
        var names: [String] = []
        for name in packages.map({ $0.name(in: self) }) where !names.contains(name) { names.append(name) }
        return switch self {
        case .debian: "sudo apt-get install -y " + names.joined(separator: " ")
        case .fedora: "sudo dnf install -y " + names.joined(separator: " ")
        case .arch: "sudo pacman -S " + names.joined(separator: " ")
        }
    }

    /// The command that installs a package again.
    func reinstall(_ package: Package) -> String {
        switch self {
        case .debian: "sudo apt-get install --reinstall -y " + package.name(in: self)
        case .fedora: "sudo dnf reinstall -y " + package.name(in: self)
        case .arch: install(package)
        }
    }

    /// The command that shows which package a file belongs to.
    func owner(ofFile path: String) -> String {
        switch self {
        case .debian: "dpkg --search \(path)"
        case .fedora: "rpm --query --file \(path)"
        case .arch: "pacman -Qo \(path)"
        }
    }

    /// The command that shows which packages contain NVIDIA's EGL.
    var searchForNVIDIA: String {
        switch self {
        case .debian: "apt-cache search '^libnvidia-(egl|gl)'"
        case .fedora: "dnf provides '*/libEGL_nvidia.so.0'"
        case .arch: "pacman -F libEGL_nvidia.so.0"
        }
    }
}

/// Something that may have to be installed.
enum Package {
    /// The libraries that lead to every driver.
    case egl, gles, gbm
    /// Mesa's EGL, and its drivers.
    case mesaEGL, mesaDrivers

    /// The name of the package in a distribution.
    func name(in distribution: Distribution) -> String {
        let names: (debian: String, fedora: String, arch: String) =
            switch self {
            case .egl: ("libegl1", "libglvnd-egl", "libglvnd")
            case .gles: ("libgles2", "libglvnd-gles", "libglvnd")
            case .gbm: ("libgbm1", "mesa-libgbm", "mesa")
            case .mesaEGL: ("libegl-mesa0", "mesa-libEGL", "mesa")
            case .mesaDrivers: ("libgl1-mesa-dri", "mesa-dri-drivers", "mesa")
            }
        return switch distribution {
        case .debian: names.debian
        case .fedora: names.fedora
        case .arch: names.arch
        }
    }
}
