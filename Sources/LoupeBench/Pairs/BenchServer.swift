import LoupeJSON
import LoupeRenderer

// A build that is timed beside another one: a process that prepares things and times batches of them when it is told to.
//
// It reads lines and answers each with a line of JSON, on standard input and output:
//   (at the start)      {"protocol": 1, "device": …, "software": …, "groups": ["start", "programs", …]}
//   group N             {"things": [["name", …], …]}
//   calibrate I         the number of repetitions that make a batch
//   time I REPETITIONS  [nanoseconds by the clock, nanoseconds of processor time]

/// The process that is told what to time.
public struct BenchServer {
    static let version = 1.0
    private let bench: Bench
    private let shaders: ShaderReplacements?
    private var device: BenchDevice?
    private var sampler: Sampler?
    private var things: [NamedWork] = []

    /// A server for what a benchmark measures, with the embedded shaders or, where there are some, with the user's in their
    /// place.
    public init(_ bench: Bench, shaders: ShaderReplacements? = nil) { (self.bench, self.shaders) = (bench, shaders) }

    private var groupNames: [String] {
        get throws {
            if bench.plan.fragments != nil { return [FragmentPlan.title] }
            return try [StepRunner.startName] + StepGroup.allCases.map(\.rawValue) + bench.plan.groups().map(\.title)
        }
    }

    /// Answers until there are no more lines.
    /// - Throws: what `Bench.run()` throws.
    public mutating func run(read: () -> String?, write: (String) throws -> Void) throws {
        // The device is known only from a context, which is closed again, as the start is timed first.
        let info = try Renderer(device: bench.choice).device
        let names = try groupNames
        try write(
            ([
                "protocol": .number(Self.version), "device": .string(DeviceNames(info).text),
                "software": .bool(info.isSoftware), "groups": .array(names.map(JSONValue.string)),
            ] as JSONValue).line)
        while let line = read() {
            let words = line.split(separator: " ").map(String.init)
            let numbers = words.dropFirst().compactMap(Int.init)
            switch (words.first, numbers.count) {
            case ("group", 1) where names.indices.contains(numbers[0]):
                things = try prepare(numbers[0])
                try write((["things": .array(things.map { .array($0.names.map(JSONValue.string)) })] as JSONValue).line)
            case ("calibrate", 1):
                try write(String(try sampler?.calibrate(things[numbers[0]].work) ?? 1))
            case ("time", 2):
                guard let batch = try sampler?.batch(things[numbers[0]].work, numbers[1]) else { return }
                let count = Double(batch.repetitions)
                try write(JSONValue.array([.number(batch.time / count), .number(batch.processor / count)]).line)
            default: return
            }
        }
    }

    private mutating func prepare(_ group: Int) throws -> [NamedWork] {
        let plan = bench.plan
        if group == 0, plan.fragments == nil {
            sampler = Sampler(clock: nil, effort: .init(batch: 0), seed: 1)
            return plan.wants(StepRunner.startName) ? [StepRunner.start(bench.choice)] : []
        }
        let device = try opened()
        if let fragments = plan.fragments {
            return try FragmentRunner(device: device, plan: fragments).things(plan.wants)
        }
        let steps = StepRunner(device: device, plan: plan, samples: BenchPlan.leastBlocks)
        let number = group - 1
        if let group = StepGroup.allCases.dropFirst(number).first {
            return try steps.works(group)
        }
        let drawn = try plan.groups()[number - StepGroup.allCases.count]
        return try GroupRunner(device: device, group: drawn).things()
    }

    private mutating func opened() throws -> BenchDevice {
        if let device { return device }
        let renderer = try Renderer(device: bench.choice)
        try renderer.holdContext()
        let drawn = try shaders.map { try Renderer(beside: renderer, replacements: $0) } ?? renderer
        try drawn.checkReplacements()
        let device = try BenchDevice(drawn, replacements: bench.replacements, page: bench.plan.page)
        self.device = device
        let check = try bench.check(device)
        sampler = Sampler(
            clock: DeviceClock(check.kind, on: RendererDevice(renderer)),
            effort: .init(batch: Bench.leastBatch(isSoftware: renderer.device.isSoftware) / 2), seed: 1)
        return device
    }
}

/// A device's name with its driver.
struct DeviceNames {
    let text: String
    init(_ info: DeviceInfo) { text = "\(info.renderer) (\(info.vendor), \(info.version))" }
}
