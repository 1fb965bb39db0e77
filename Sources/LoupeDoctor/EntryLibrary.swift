/// A library that every driver is reached through, and whether it loads.
public struct EntryLibrary: Hashable, Sendable {
    /// As the dynamic linker knows it.
    public let name: String
    /// Why it can't be loaded; nil where it can.
    public let reason: String?
    let package: Package

    /// Those that the renderer loads. GBM leads to GPUs by their device files alone.
    static func all(on machine: Machine) -> [EntryLibrary] {
        let known: [(name: String, package: Package)] = [
            ("libEGL.so.1", .egl), ("libGLESv2.so.2", .gles), ("libgbm.so.1", .gbm),
        ]
        return known.map { EntryLibrary(name: $0.name, reason: machine.loadingFailure($0.name), package: $0.package) }
    }
}
