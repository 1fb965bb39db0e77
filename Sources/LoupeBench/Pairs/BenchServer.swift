import LoupeBase
import LoupeRenderer

// A build that is timed beside another one: a process that prepares things and times batches of them when it is told to.
//
// It reads lines and answers each with a line of JSON, on standard input and output:
//   (at the start)      {"protocol": 2, "device": …, "software": …, "groups": ["frames and transfers", …]}
//   group N             {"things": [["name", …], …]}
//   calibrate I         the number of repetitions that make a batch
//   time I REPETITIONS  [nanoseconds by the clock, nanoseconds of processor time], of one repetition

/// The process that is told what to time.
package struct BenchServer {
    static let version = 2.0
    private let bench: Bench
    private let device: BenchDevice
    private let sampler: Sampler
    private var things: [TimedThing] = []

    /// A server for what a benchmark measures.
    /// - Throws: what `Bench.run()` throws.
    package init(_ bench: Bench) throws {
        self.bench = bench
        device = try bench.opened()
        sampler = device.sampler(batch: bench.batch)
    }

    /// Answers until there are no more lines.
    /// - Throws: what `Bench.run()` throws.
    package mutating func run(read: () -> String?, write: (String) throws -> Void) throws {
        let groups = try bench.plan.groups()
        let info = device.renderer.device
        try write(
            ([
                "protocol": .number(Self.version),
                "device": .string("\(info.renderer) (\(info.vendor), \(info.version))"),
                "software": .bool(info.isSoftware), "groups": .array(groups.map { .string($0.title) }),
            ] as JSONValue).line)
        while let line = read() {
            let words = line.split(separator: " ").map(String.init)
            let numbers = words.dropFirst().compactMap(Int.init)
            switch (words.first, numbers.count) {
            case ("group", 1) where groups.indices.contains(numbers[0]):
                things = try device.things(of: groups[numbers[0]], bench.plan)
                let names = things.map { JSONValue.array($0.cases.map { .string($0.name) }) }
                try write((["things": .array(names)] as JSONValue).line)
            case ("calibrate", 1):
                try write(String(try sampler.calibrate(things[numbers[0]].draw)))
            case ("time", 2):
                let (wall, processor) = try sampler.time(things[numbers[0]].draw, numbers[1])
                try write(JSONValue.array([.number(wall), .number(processor)]).line)
            default: return
            }
        }
    }
}
