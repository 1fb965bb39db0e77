import LoupeScene
import TestSupport
import Testing

@testable import LoupeBench
@testable import LoupeJSON

@Suite struct SavedRunTests {
    private enum Kind { case string, number, numbers, strings, bool, object, list }

    /// What Google Benchmark's tools read, and what this command adds.
    private static let benchmarkSchema: [(key: String, kind: Kind, isRequired: Bool)] = [
        ("name", .string, true), ("run_name", .string, true), ("run_type", .string, true),
        ("repetitions", .number, true), ("threads", .number, true), ("iterations", .number, true),
        ("real_time", .number, true), ("cpu_time", .number, true), ("time_unit", .string, true),
        ("repetition_index", .number, true), ("mad", .number, true), ("times", .numbers, true),
        ("calibrated", .numbers, false),
        ("fragments", .number, false), ("fragments_by_program", .object, false),
        ("nanoseconds_per_fragment", .number, false), ("pixels_over_tolerance", .number, false),
        ("comparisons", .list, false),
    ]
    private static let contextSchema: [(key: String, kind: Kind, isRequired: Bool)] = [
        ("date", .string, true), ("executable", .string, true), ("num_cpus", .number, true), ("cpu", .string, true),
        ("library_build_type", .string, true), ("gl_vendor", .string, true), ("gl_renderer", .string, true),
        ("gl_version", .string, true), ("egl_vendor", .string, true), ("software", .bool, true),
        ("clock", .string, true), ("clock_findings", .strings, true), ("judged_by", .string, true),
        ("calibration", .number, true), ("fragments_counted_by", .string, true),
        ("git_revision", .string, false), ("blocks", .number, true), ("batch_milliseconds", .number, true),
        ("disjoint_results", .number, true), ("load_avg", .numbers, true),
    ]

    private func isOf(_ kind: Kind, _ value: JSONValue) -> Bool {
        switch (kind, value) {
        case (.string, .string), (.number, .number), (.bool, .bool), (.object, .object), (.list, .array): true
        case (.numbers, .array(let values)): values.allSatisfy { isOf(.number, $0) }
        case (.strings, .array(let values)): values.allSatisfy { isOf(.string, $0) }
        default: false
        }
    }

    private func check(_ value: JSONValue, _ schema: [(key: String, kind: Kind, isRequired: Bool)]) throws {
        guard case .object(let object) = value else {
            Issue.record("no object")
            return
        }
        for member in object.members {
            let rule = try #require(schema.first { $0.key == member.key }, "\(member.key) is not in the schema")
            #expect(isOf(rule.kind, member.value), "\(member.key)")
        }
        for rule in schema where rule.isRequired {
            #expect(object[rule.key] != nil, "\(rule.key) is missing")
        }
    }

    @Test func `a saved run has Google Benchmark's form`() throws {
        let root = try JSONValue(parsing: Array(SampleRun.run().jsonText.utf8))
        try check(try #require(root["context"]), Self.contextSchema)
        guard case .array(let benchmarks)? = root["benchmarks"] else {
            Issue.record("no benchmarks")
            return
        }
        try #require(benchmarks.count == 9)
        for benchmark in benchmarks { try check(benchmark, Self.benchmarkSchema) }
        #expect(benchmarks[0]["name"] == "pieces/no-edge/radius:300/zoom:4/linear")
        #expect(benchmarks[0]["time_unit"] == "ms")
        #expect(benchmarks[0]["real_time"] == .number(2))
        #expect(benchmarks[0]["fragments"] == .number(1024))
    }

    @Test func `times come back as they were`() throws {
        let run = SampleRun.run()
        let saved = try SavedRun(json: Array(run.jsonText.utf8))
        #expect(saved.deviceName == run.context.deviceName)
        let times = try #require(saved.calibrated["pieces/corner/radius:300/zoom:4/linear"])
        #expect(zip(times, run.entries[1].calibrated).allSatisfy { abs($0 - $1) < 1e-6 })
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"context": {}, "benchmarks": []}"#,
        #"{"context": {"gl_renderer": "a", "gl_vendor": "b", "gl_version": "c"}, "benchmarks": [{"name": "x"}]}"#,
    ])
    func `anything else is refused`(text: String) {
        #expect(throws: BenchError.self) { try SavedRun(json: Array(text.utf8)) }
    }

    private func comparison(_ run: BenchRun, to base: BenchRun) throws -> RunComparison {
        try RunComparison(run, to: SavedRun(json: Array(base.jsonText.utf8)))
    }

    @Test func `the same run twice passes`() throws {
        let comparison = try comparison(SampleRun.run(), to: SampleRun.run())
        #expect(comparison.rows.count == 9)
        #expect(comparison.regressions.isEmpty)
    }

    @Test func `a run that has no case of the saved one can't be compared`() throws {
        var run = SampleRun.run()
        run.entries = Array(run.entries.prefix(2))
        let base = run
        run.entries.removeAll()
        #expect(throws: BenchError.self) { try comparison(run, to: base) }
        let fewer = try comparison(base, to: SampleRun.run())
        #expect(fewer.goneNames.count == 9 - fewer.rows.count && fewer.text.contains("only in the saved run"))
    }

    @Test func `a case that got slower is caught, and only that one`() throws {
        let comparison = try comparison(SampleRun.run(slowdown: 1.2), to: SampleRun.run())
        #expect(comparison.regressions.map(\.name) == ["pieces/corner/radius:300/zoom:4/linear"])
        #expect(abs(comparison.regressions[0].ratio.estimate - 1.2) < 0.001)
        #expect(comparison.text.contains("SLOWER"))
    }

    @Test func `a machine that was slower throughout makes no case slower`() throws {
        let comparison = try comparison(SampleRun.run(pace: 1.6), to: SampleRun.run())
        #expect(comparison.regressions.isEmpty)
        #expect(comparison.rows.allSatisfy { abs($0.ratio.estimate - 1) < 1e-4 })
    }

    @Test(arguments: [(0.1, 0), (0.05, 1), (0, 1)]) func `the threshold decides`(threshold: Double, count: Int) throws {
        let base = try SavedRun(json: Array(SampleRun.run().jsonText.utf8))
        let comparison = try RunComparison(SampleRun.run(slowdown: 1.08), to: base, threshold: threshold)
        #expect(comparison.regressions.count == count)
    }

    @Test(arguments: [("judged_by", "judged"), ("\"calibration\": 2", "\"calibration\": 1")])
    func `a run that was saved with another calibration, or none, is refused`(old: String, new: String) throws {
        let text = SampleRun.run().jsonText.replacing(old, with: new)
        let error = #expect(throws: BenchError.self) { try SavedRun(json: Array(text.utf8)) }
        #expect(error?.description.contains("another calibration, or none") ?? false)
    }

    /// A process that serves the corner of `SampleRun`, whose times are multiples of 1000: those of the calibration.
    private func server(_ folder: TemporaryFolder, corner: Int) -> [String] {
        let script = """
            echo started >> \(folder.path)/starts
            echo '{"protocol": 1, "device": "D", "software": true, "groups": ["start", "grid"]}'
            while read -r word thing repetitions; do
                case $word$thing in
                    group0) echo '{"things": [["start"], ["calibration/start"]]}' ;;
                    group1) echo '{"things": [["pieces/corner/radius:300/zoom:4/linear"], ["calibration/grid"]]}' ;;
                    calibrate*) echo 3 ;;
                    time0) echo '[1, \(corner)]' ;;
                    time1) echo '[1, 1000]' ;;
                esac
            done
            """
        return ["/bin/sh", folder.put(Array(script.utf8), "server")]
    }

    @Test(arguments: [(1500, 0, 1), (1700, 1, 5)])
    func `what looks slower is timed again, and counts only if no new process is as fast as the saved run`(
        corner: Int, regressions: Int, starts: Int
    ) throws {
        let folder = TemporaryFolder()
        var comparison = try comparison(SampleRun.run(slowdown: 1.4), to: SampleRun.run())
        try comparison.timeAgain(by: server(folder, corner: corner), blocks: 15, seconds: 0)
        #expect(comparison.regressions.count == regressions && comparison.again == 1)
        #expect(comparison.sentence.hasSuffix("; 1 timed again"))
        let ratio = try #require(comparison.rows.first { $0.name.hasPrefix("pieces/corner") }?.ratio.estimate)
        #expect(abs(ratio - Double(corner) / 1500) < 0.01)
        let started = try #require(TemporaryFolder.bytes(at: folder.file("starts")))
        #expect(started.count { $0 == UInt8(ascii: "\n") } == starts)
    }

    @Test func `where nothing looks slower nothing is timed again`() throws {
        var comparison = try comparison(SampleRun.run(), to: SampleRun.run())
        try comparison.timeAgain(by: ["/nowhere"], blocks: 15)
        #expect(comparison.again == 0)
    }

    @Test(arguments: [1.03, 0.5]) func `a little slower, or faster, passes`(factor: Double) throws {
        #expect(try comparison(SampleRun.run(slowdown: factor), to: SampleRun.run()).regressions.isEmpty)
    }

    @Test func `another device or driver is refused, and both are named`() throws {
        let other = SampleRun.run(context: SampleRun.context(renderer: "A GPU", version: "OpenGL ES 3.1"))
        let error = #expect(throws: BenchError.self) { try comparison(SampleRun.run(), to: other) }
        let text = error?.description ?? ""
        #expect(text.contains("A GPU") && text.contains("llvmpipe"))
    }
}
