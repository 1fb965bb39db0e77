import LoupePlan
import LoupeReport
import Testing

@testable import LoupeBench
@testable import LoupeJSON

@Suite struct ReportTests {
    private func text(of page: HTMLPage) -> String {
        var text = ""
        page.forEachPart { text += $0 }
        return text
    }

    /// The data of a run's page as its script reads it.
    private func data(_ run: BenchRun) throws -> JSONReader {
        let text = text(of: HTMLPage(run))
        let start = try #require(text.firstRange(of: "id=\"data\">"))
        let end = try #require(text[start.upperBound...].firstRange(of: "</script"))
        return try JSONReader(parsing: Array(text[start.upperBound..<end.lowerBound].utf8))
    }

    @Test func `the report is one page that needs nothing else`() throws {
        let html = text(of: HTMLPage(SampleRun.run()))
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
        for needle in ["https://", "<script src", "url(", "@import", "innerHTML", "var(--"] {
            #expect(!html.contains(needle), "\(needle)")
        }
        let addresses = html.components(of: "http://")
        #expect(addresses == ["www.w3.org/2000/svg', name), attributes,"], "a name, not an address")
        #expect(
            html.contains("content=\"default-src 'none'; ") && html.contains("<noscript><p>This page needs scripts."))
        #expect(html.contains("prefers-color-scheme: dark"))
    }

    @Test func `every step of a sweep is a point whose value shows on hover`() throws {
        var data = try data(SampleRun.run())
        var sweep = try #require(try data.required("sweeps").array().first)
        #expect(try sweep.required("title").string() == "The loupe travels across a corner: radius:300/zoom:4/linear")
        var curve = try #require(try sweep.required("curves").array().first)
        var points = try curve.required("points").array()
        try #require(points.count == 5)
        #expect(try points[3].required("step").integer(in: 0...9) == 3)
        #expect(try points[3].required("median").number(in: 0...1e9) == 1.4e6)
        #expect(try points[3].required("state").string() == "no-edge")
        let hover = try points[3].required("hover").string()
        #expect(hover.hasPrefix("pieces/sweep-corner/step:03/radius:300/zoom:4/linear\n1.400 ms"))
    }

    @Test func `the grid is drawn as bars`() throws {
        var data = try data(SampleRun.run())
        var grids = try data.required("grids").array()
        try #require(grids.count == 1)
        var bars = try grids[0].required("bars").array()
        try #require(bars.count == 3)
        #expect(try bars[2].required("variant").string() == "general")
        #expect(try bars[2].required("median").number(in: 0...1e9) == 6e6)
    }

    @Test func `text from outside can't break the page`() throws {
        let run = SampleRun.run(context: SampleRun.context(renderer: "</script><b>&\""))
        #expect(!text(of: HTMLPage(run)).contains("<b>"))
        var data = try data(run)
        #expect(try data.required("title").string() == "loupe-render bench: </script><b>&\"")
        let rows = try data.required("facts").array()
        #expect(try rows[0].array()[1].string().hasPrefix("</script><b>&\""))
    }

    @Test func `the table says faster or slower in words`() {
        let text = SampleRun.run().text
        #expect(text.contains("3.00 [3.00, 3.00] slower"))
        #expect(text.contains("1.500"))
        #expect(SampleRun.run().markdown.contains("| --- | ---: |"))
    }

    @Test func `tables keep within 100 columns and leave out rows that repeat another`() {
        let setting = Setting(radius: 8192, zoom: 1.25, filter: .lanczos)
        let policies = ShaderPolicy.allCases
        let variants = policies.map { Variant($0) } + policies.map { Variant($0, isOwn: true) }
        var run = SampleRun.run()
        let places = ClipState.allCases.map(Place.state) + (0..<3).map { .sweep(.corner, step: $0, of: 3) }
        for place in places {
            for variant in variants {
                // The same samples for a variant and the one after it, as for plans that are equal.
                let time = variant.policy == .general ? 123_456_789 : 98_765_432.0
                run.entries.append(SampleRun.entry(BenchCase(variant, place, setting), time))
            }
        }
        let lines = run.text.split(separator: "\n")
        #expect(lines.map(\.count).max() ?? 0 <= 100, "\(lines.filter { $0.count > 100 })")
        #expect(run.text.contains("pieces, whole-disc"))
        let rows = run.tables.first { $0.title.hasPrefix("in each state") && $0.title.contains("8192") }?.rows ?? []
        // The state's name, and for Loupe's shaders and for the user's one row for each of the two times.
        #expect(rows.count == ClipState.allCases.count * 5, "\(rows)")
    }

    @Test func `pictures that differ get no verdict`() {
        let setting = Setting(radius: 300, zoom: 4, filter: .linear)
        var run = SampleRun.run()
        run.entries.append(SampleRun.entry(BenchCase(Variant(.general), .state(.outside), setting), 1e6, over: 1204))
        #expect(run.text.contains("its picture differs\n"))
        #expect(run.text.contains("its picture differs: 1,204 pixels over tolerance"))
    }

    @Test(arguments: [(0.0, "0.000"), (1_234_567, "1.235"), (999, "0.001"), (1e9, "1000.000"), (-5e5, "-0.500")])
    func `milliseconds have three digits`(nanoseconds: Double, text: String) {
        #expect(nanoseconds.millisecondText == text)
    }
}

extension String {
    /// What follows each occurrence of a text.
    fileprivate func components(of needle: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: needle) {
            rest = rest[range.upperBound...]
            parts.append(String(rest.prefix(40)))
        }
        return parts
    }
}
