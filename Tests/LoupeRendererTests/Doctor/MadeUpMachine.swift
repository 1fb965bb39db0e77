import Glibc
import LoupeSystem
import TestSupport

@testable import LoupeRenderer

/// A machine of files in a folder, and of libraries and devices that work as a test says. By default Mesa is installed
/// as Debian does.
final class MadeUpMachine {
    private let folder = TemporaryFolder()
    var environment: [String: Path] = [:]
    /// The libraries that load.
    var libraries: Set<String> = ["libEGL.so.1", "libGLESv2.so.2", "libgbm.so.1", "libEGL_mesa.so.0"]
    /// `errno` by the path of a device file; others can be opened.
    var closed: [Path: Int32] = [:]

    static let folder = "/usr/share/glvnd/egl_vendor.d"
    static let mesa = folder + "/50_mesa.json"
    static let driver = "/usr/lib/x86_64-linux-gnu/dri/swrast_dri.so"

    init() {
        put(Self.vendor("libEGL_mesa.so.0"), Self.mesa)
        put("", Self.driver)
        put("render:x:\(getegid()):\n", "/etc/group")
    }

    func put(_ text: String, _ path: String, mode: mode_t = 0o644) {
        _ = folder.put(Array(text.utf8), String(path.dropFirst()), mode: mode)
    }

    func remove(_ path: String) { folder.remove(String(path.dropFirst())) }

    static func vendor(_ library: String, version: String = "1.0.0") -> String {
        #"{"file_format_version": "\#(version)", "ICD": {"library_path": "\#(library)"}}"#
    }

    func examination(_ outcome: Outcome = .software, oldVersions: [String] = []) -> Examination {
        let (libraries, closed, environment) = (libraries, closed, environment)
        return Examination(
            of: Machine(
                root: Path(folder.path), variable: { environment[$0] },
                loadingFailure: { libraries.contains($0) ? nil : "\($0): cannot open shared object file" },
                openingFailure: { closed[$0] ?? 0 }),
            chosenIsSoftware: outcome == .none ? nil : outcome == .software, oldVersions: oldVersions)
    }

    /// The device that is chosen.
    enum Outcome { case none, software, hardware }

    /// The lines about files, variables and libraries that hold some words.
    func lines(with words: String) -> [String] { examination().lines.filter { $0.contains(words) } }

    func troubles(_ outcome: Outcome) -> [String] { examination(outcome).troubles.map(\.sentence) }
}
