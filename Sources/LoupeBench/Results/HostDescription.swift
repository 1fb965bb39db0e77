import Glibc
import LoupeFiles

/// What a benchmark records about the machine it runs on, and about the program itself.
enum HostDescription {
    /// The first processor's name.
    static var processor: String {
        value(of: "model name", in: lines("/proc/cpuinfo")) ?? "unknown"
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
        var folder = Path("/proc/self/exe").real?.parent
        while let path = folder {
            if let revision = line(path.child("revision")) { return revision.text }
            if let revision = head(ofRepository: path.child(".git")) { return revision.text }
            folder = path.parent
        }
        return nil
    }

    private static func head(ofRepository path: Path) -> Path? {
        // A worktree's `.git` is a file that names the folder.
        let folder = line(path).flatMap { rest(of: $0, after: "gitdir: ") } ?? path
        guard let head = line(folder.child("HEAD")) else { return nil }
        guard let name = rest(of: head, after: "ref: ") else { return head }
        let common = line(folder.child("commondir")).map { $0.isAbsolute ? $0 : folder.child($0) } ?? folder
        return line(common.child(name)) ?? packed(name, in: lines(common.child("packed-refs")))
    }

    private static func rest(of line: Path, after start: Path) -> Path? {
        line.bytes.starts(with: start.bytes) ? Path(bytes: line.bytes.dropFirst(start.bytes.count)) : nil
    }

    /// The hash of a name in lines such as `1f0c… refs/heads/main`.
    private static func packed(_ name: Path, in lines: [Path]) -> Path? {
        let space = UInt8(ascii: " ")
        let fields = lines.map { $0.bytes.split(separator: space, maxSplits: 1) }
        return fields.first { $0.count == 2 && $0[1].elementsEqual(name.bytes) }.map { Path(bytes: $0[0]) }
    }

    private static func line(_ path: Path) -> Path? { lines(path).first }

    /// Lines may be paths, so they stay bytes.
    private static func lines(_ path: Path) -> [Path] {
        let bytes = (try? InputBytes.read(path: path, as: .text)) ?? []
        return bytes.split(separator: UInt8(ascii: "\n")).map { Path(bytes: $0) }
    }

    private static func value(of key: Path, in lines: [Path]) -> String? {
        let line = lines.first { $0.bytes.starts(with: key.bytes) }?.text
        return line?.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " || $0 == "\t" }) }
    }
}
