import Glibc

/// The device files of GPUs.
enum RenderNodes {
    /// Every `/dev/dri/renderD*`, by number; empty where there is no such folder.
    static var paths: [String] {
        guard let folder = opendir("/dev/dri") else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix("renderD") { names.append(name) }
        }
        return names.sorted { ($0.count, $0) < ($1.count, $1) }.map { "/dev/dri/" + $0 }
    }

    /// The file that a path leads to through all links; the path itself when it leads nowhere.
    static func resolve(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
