import Testing

@testable import LoupeBase
@testable import LoupeBench

@Suite struct BenchJSONTests {
    /// What Google Benchmark's own reader needs of a run (`tools/gbench/report.py`).
    private static let needed: Set = [
        "name", "run_name", "run_type", "repetitions", "repetition_index", "threads", "iterations", "real_time",
        "cpu_time", "time_unit",
    ]

    private func keys(_ value: JSONValue) -> Set<String> {
        guard case .object(let object) = value else { return [] }
        return Set(object.members.map(\.key))
    }

    @Test("A saved run has Google Benchmark's form") func savedRun() throws {
        let root = try JSONValue(parsing: Array(SampleRun.run().jsonText.utf8))
        let context = try #require(root["context"])
        #expect(keys(context).isSuperset(of: ["date", "executable", "num_cpus", "library_build_type"]))
        let benchmarks = try #require(root["benchmarks"]).list
        try #require(benchmarks.count == 4)
        for benchmark in benchmarks { #expect(keys(benchmark).isSuperset(of: Self.needed)) }
        #expect(benchmarks[1]["name"] == "pieces/no-edge/radius:300/zoom:4/linear")
        #expect(benchmarks[1]["time_unit"] == "ms" && benchmarks[1]["real_time"] == .number(2))
        #expect(benchmarks[1]["fragments"] == .number(1024))
    }
}
