import LoupeFiles

/// A family of Linux distributions: the names of its packages, and its commands.
struct Distribution: Hashable, Sendable {
    private let names: [Package: String]
    /// Comes before the names of the packages that it installs.
    private let installer: String
    /// The same for a package that is there already.
    private let reinstaller: String
    /// Comes before the path of a file whose package it shows.
    private let finder: String
    /// The command that shows which packages contain NVIDIA's EGL.
    let searchForNVIDIA: String

    /// Debian, Ubuntu and their relatives; also if nothing is known.
    static let debian = Distribution(
        names: [
            .egl: "libegl1", .gles: "libgles2", .gbm: "libgbm1", .mesaEGL: "libegl-mesa0",
            .mesaDrivers: "libgl1-mesa-dri",
        ],
        installer: "sudo apt-get install -y ", reinstaller: "sudo apt-get install --reinstall -y ",
        finder: "dpkg --search ", searchForNVIDIA: "apt-cache search '^libnvidia-(egl|gl)'")
    /// Fedora, Red Hat and their relatives.
    static let fedora = Distribution(
        names: [
            .egl: "libglvnd-egl", .gles: "libglvnd-gles", .gbm: "mesa-libgbm", .mesaEGL: "mesa-libEGL",
            .mesaDrivers: "mesa-dri-drivers",
        ],
        installer: "sudo dnf install -y ", reinstaller: "sudo dnf reinstall -y ", finder: "rpm --query --file ",
        searchForNVIDIA: "dnf provides '*/libEGL_nvidia.so.0'")
    /// Arch and its relatives.
    static let arch = Distribution(
        names: [.egl: "libglvnd", .gles: "libglvnd", .gbm: "mesa", .mesaEGL: "mesa", .mesaDrivers: "mesa"],
        installer: "sudo pacman -S ", reinstaller: "sudo pacman -S ", finder: "pacman -Qo ",
        searchForNVIDIA: "pacman -F libEGL_nvidia.so.0")
}

extension Distribution {
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
        var named: [String] = []
        for name in packages.compactMap({ names[$0] }) where !named.contains(name) { named.append(name) }
        return installer + named.joined(separator: " ")
    }

    /// The command that installs a package again.
    func reinstall(_ package: Package) -> String { reinstaller + (names[package] ?? "") }

    /// The command that shows which package a file belongs to.
    func owner(ofFile path: Path) -> String { "\(finder)\(path)" }
}

/// Something that may have to be installed.
enum Package {
    /// The libraries that lead to every driver.
    case egl, gles, gbm
    /// Mesa's EGL, and its drivers.
    case mesaEGL, mesaDrivers
}
