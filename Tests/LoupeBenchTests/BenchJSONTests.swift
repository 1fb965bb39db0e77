import Testing

@testable import LoupeBase
@testable import LoupeBench

@Suite struct BenchJSONTests {
    private enum Kind { case string, number, numbers, bool, object }

    /// What Google Benchmark's tools read, and what this command adds.
    private static let benchmarkSchema: [(key: String, kind: Kind, isRequired: Bool)] = [
        ("name", .string, true), ("run_name", .string, true), ("run_type", .string, true),
        ("repetitions", .number, true), ("threads", .number, true), ("iterations", .number, true),
        ("real_time", .number, true), ("cpu_time", .number, true), ("time_unit", .string, true),
        ("repetition_index", .number, true), ("mad", .number, true), ("times", .numbers, true),
        ("fragments", .number, false), ("fragments_by_program", .object, false),
        ("nanoseconds_per_fragment", .number, false), ("pixels_over_tolerance", .number, false),
        ("comparison", .object, false),
    ]
    private static let contextSchema: [(key: String, kind: Kind, isRequired: Bool)] = [
        ("date", .string, true), ("executable", .string, true), ("num_cpus", .number, true), ("cpu", .string, true),
        ("library_build_type", .string, true), ("gl_vendor", .string, true), ("gl_renderer", .string, true),
        ("gl_version", .string, true), ("egl_vendor", .string, true), ("software", .bool, true),
        ("blocks", .number, true), ("batch_milliseconds", .number, true), ("load_avg", .numbers, true),
    ]

    private func isOf(_ kind: Kind, _ value: JSONValue) -> Bool {
        switch (kind, value) {
        case (.string, .string), (.number, .number), (.bool, .bool), (.object, .object): true
        case (.numbers, .array(let values)): values.allSatisfy { isOf(.number, $0) }
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
        try #require(benchmarks.count == 4)
        for benchmark in benchmarks { try check(benchmark, Self.benchmarkSchema) }
        #expect(benchmarks[1]["name"] == "pieces/no-edge/radius:300/zoom:4/linear")
        #expect(benchmarks[1]["time_unit"] == "ms")
        #expect(benchmarks[1]["real_time"] == .number(2))
        #expect(benchmarks[1]["fragments"] == .number(1024))
    }
}
