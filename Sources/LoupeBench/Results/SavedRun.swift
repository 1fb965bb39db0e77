import LoupeJSON
import LoupeScene

/// What is read back of a saved run, to hold a new one against it.
public struct SavedRun: Hashable, Sendable {
    /// As `BenchContext.deviceName` tells it.
    public let deviceName: String
    /// Nanoseconds, one for each block, by the entries' names.
    let times: [String: [Double]]

    /// - Throws: `unreadableBase`, with the reason.
    public init(json bytes: [UInt8]) throws(BenchError) {
        let root: JSONValue
        do {
            root = try JSONValue(parsing: bytes)
        } catch {
            throw .unreadableBase(error.description)
        }
        guard let context = root["context"], let benchmarks = root["benchmarks"]?.elements else {
            throw .unreadableBase("it has no context or no benchmarks")
        }
        let strings = ["gl_renderer", "gl_vendor", "gl_version"].compactMap { context[$0]?.text }
        guard strings.count == 3 else { throw .unreadableBase("its context does not name a device") }
        deviceName = "\(strings[0]) (\(strings[1]), \(strings[2]))"
        var times: [String: [Double]] = [:]
        for benchmark in benchmarks {
            guard let name = benchmark["name"]?.text,
                let values = benchmark["times"]?.elements?.compactMap(\.double), !values.isEmpty,
                benchmark["time_unit"]?.text == "ms"
            else { throw .unreadableBase("a benchmark of it lacks its name, its times or milliseconds as their unit") }
            times[name] = values.map { $0 * 1e6 }
        }
        self.times = times
    }
}

extension JSONValue {
    subscript(key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object.members.first { $0.key == key }?.value
    }

    fileprivate var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    fileprivate var text: String? { if case .string(let text) = self { text } else { nil } }
    fileprivate var double: Double? { if case .number(let number) = self { number } else { nil } }
}
