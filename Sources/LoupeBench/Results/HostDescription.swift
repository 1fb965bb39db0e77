import Glibc
import LoupeFiles

/// What a benchmark records about the machine it runs on, and about the program itself.
enum HostDescription {
    /// The first processor's name.
    static var processor: String {
        value(of: "model name", in: text("/proc/cpuinfo")) ?? "unknown"
    }

    /// The number of processor threads.
    static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The average number of running threads over the last minute; NaN if it is unknown.
    static var loadAverage: Double {
        var load = 0.0
        return getloadavg(&load, 1) == 1 ? load : .nan
    }

    /// The time now, ISO 8601, UTC.
    static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// The git revision of the source that the program was built from; nil if it is unknown. It comes from a file
    /// `revision` in the program's folder or one above it, or from the repository that holds the program.
    static var revision: String? {
        guard let program = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(program) }
        var folder = String(cString: program)
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            if let revision = line(folder + "/revision") { return revision }
            if let revision = head(ofRepository: folder + "/.git") { return revision }
        }
        return nil
    }

    private static func head(ofRepository path: String) -> String? {
        // A worktree's `.git` is a file that names the folder.
        let folder = line(path).flatMap { $0.hasPrefix("gitdir: ") ? String($0.dropFirst(8)) : nil } ?? path
        guard let head = line(folder + "/HEAD") else { return nil }
        guard head.hasPrefix("ref: ") else { return head }
        let name = String(head.dropFirst(5))
        let common = line(folder + "/commondir").map { $0.hasPrefix("/") ? $0 : folder + "/" + $0 } ?? folder
        return line(common + "/" + name) ?? packed(name, in: text(common + "/packed-refs"))
    }

    private static func packed(_ name: String, in text: String) -> String? {
        text.split(separator: "\n").first { $0.hasSuffix(" " + name) }?.split(separator: " ").first.map(String.init)
    }

    private static func line(_ path: String) -> String? {
        text(path).split(separator: "\n").first.map(String.init)
    }

    private static func text(_ path: String) -> String {
        guard let bytes = try? InputBytes.read(path: path, as: .text) else { return "" }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func value(of key: String, in text: String) -> String? {
        let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
        return line?.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " || $0 == "\t" }) }
    }
}
