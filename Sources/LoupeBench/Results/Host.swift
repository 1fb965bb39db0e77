import Glibc
import LoupeSystem

/// The facts that a benchmark records about the machine it runs on.
enum Host {
    /// The first processor's name.
    static var processor: String {
        let text = String(decoding: (try? InputBytes.read(path: "/proc/cpuinfo", as: .text)) ?? [], as: UTF8.self)
        let line = text.split(separator: "\n").first { $0.hasPrefix("model name") }
        return line?.split(separator: ":", maxSplits: 1).last.map { String($0.drop { $0 == " " }) } ?? "unknown"
    }

    /// The number of processor threads.
    static var processorCount: Int { Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// The time now, ISO 8601, UTC.
    static var date: String {
        var (now, parts) = (time(nil), tm())
        gmtime_r(&now, &parts)
        var buffer = [CChar](repeating: 0, count: 32)
        strftime(&buffer, buffer.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
