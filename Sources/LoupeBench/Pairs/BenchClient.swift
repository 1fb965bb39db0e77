import LoupeFiles
import LoupeJSON

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
        guard hello["protocol"] == .number(BenchServer.version), case .string(let device)? = hello["device"],
            case .bool(let isSoftware)? = hello["software"], case .array(let groups)? = hello["groups"]
        else {
            throw BenchError.otherBuild(
                command: command, reason: "it can't be timed beside this build; it is another version")
        }
        (self.device, self.isSoftware) = (device, isSoftware)
        self.groups = groups.compactMap { if case .string(let name) = $0 { name } else { nil } }
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
        guard let index = groups.firstIndex(of: group),
            case .array(let things)? = try ask("group \(index)")["things"]
        else { throw BenchError.otherBuild(command: command, reason: process.ending) }
        return things.map { thing in
            guard case .array(let names) = thing else { return [] }
            return names.compactMap { if case .string(let name) = $0 { name } else { nil } }
        }.filter { !$0.isEmpty }
    }

    func calibrate(_ thing: Int) throws -> Int {
        guard case .number(let count) = try ask("calibrate \(thing)") else { return 1 }
        return max(1, Int(count))
    }

    /// Nanoseconds a repetition, by the clock and of processor time.
    func time(_ thing: Int, _ repetitions: Int) throws -> (wall: Double, processor: Double) {
        guard case .array(let times) = try ask("time \(thing) \(repetitions)"), times.count == 2,
            case .number(let wall) = times[0], case .number(let processor) = times[1]
        else { throw BenchError.otherBuild(command: command, reason: process.ending) }
        return (max(wall, 1), max(processor, 1))
    }
}
