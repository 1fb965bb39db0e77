import LoupeBase
import LoupeSystem

/// The other end of a ``BenchServer``: the process of a build, which it starts.
final class BenchClient {
    private let command: String
    private let process: LineProcess
    let device: String
    let isSoftware: Bool
    let groups: [String]

    init(_ words: [String]) throws {
        command = words.first ?? ""
        do {
            process = try LineProcess(words)
        } catch {
            throw BenchError.otherBuild(command: command, reason: error.description)
        }
        let hello = try Self.json(process, command, seconds: Self.secondsToStart)
        guard hello["protocol"] == .number(BenchServer.version), let device = hello["device"]?.plain,
            case .bool(let isSoftware)? = hello["software"], let groups = hello["groups"]?.list
        else {
            throw BenchError.otherBuild(
                command: command, reason: "it can't be timed beside this build; it is another version")
        }
        (self.device, self.isSoftware) = (device, isSoftware)
        self.groups = groups.compactMap(\.plain)
    }

    /// How long a build may take until it has opened its device.
    private static let secondsToStart: Int32 = 120

    private static func json(_ process: LineProcess, _ command: String, seconds: Int32 = 600) throws -> JSONValue {
        guard let line = process.read(seconds: seconds) else {
            throw BenchError.otherBuild(command: command, reason: process.ending)
        }
        guard let value = try? JSONValue(parsing: Array(line.utf8)) else {
            throw BenchError.otherBuild(command: command, reason: "it answers with something else than a build's times")
        }
        return value
    }

    private func ask(_ question: String) throws -> JSONValue {
        _ = process.write(question)
        return try Self.json(process, command)
    }

    /// The names of each thing of a group.
    func prepare(_ group: String) throws -> [[String]] {
        guard let index = groups.firstIndex(of: group), let things = try ask("group \(index)")["things"]
        else { throw BenchError.otherBuild(command: command, reason: process.ending) }
        return things.list.map { $0.list.compactMap(\.plain) }.filter { !$0.isEmpty }
    }

    func calibrate(_ thing: Int) throws -> Int {
        max(1, Int(bounded: try ask("calibrate \(thing)").double ?? 1))
    }

    /// Nanoseconds a repetition, by the clock and of processor time.
    func time(_ thing: Int, _ repetitions: Int) throws -> (wall: Double, processor: Double) {
        let times = try ask("time \(thing) \(repetitions)").list.compactMap(\.double)
        guard times.count == 2 else { throw BenchError.otherBuild(command: command, reason: process.ending) }
        return (max(times[0], 1), max(times[1], 1))
    }
}
