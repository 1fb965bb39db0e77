import LoupeTemplate
import Testing

@testable import LoupeBench

@Suite struct ReportTests {
    @Test func `the report is one page that needs nothing else`() throws {
        let html = try SampleRun.run().page.text()
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
        for needle in ["http://", "https://", "<script", "<link", "url(", "@import"] {
            #expect(!html.contains(needle), "\(needle)")
        }
        #expect(html.contains("prefers-color-scheme: dark"))
    }

    @Test func `every step of a sweep is a point whose value shows on hover`() throws {
        let html = try SampleRun.run().page.text()
        #expect(html.components(of: "<circle").count == 5)
        #expect(html.contains("<title>pieces/sweep-corner/step:03/radius:300/zoom:4/linear\n1.400 ms"))
        #expect(html.contains(">no-edge</text>"), "the zone is marked")
    }

    @Test func `the grid is drawn as bars`() throws {
        let bars = try SampleRun.run().page.text().components(of: "<rect class=\"").filter { !$0.hasPrefix("zone") }
        #expect(bars.count == 3)
    }

    @Test func `text from outside can't break the page`() throws {
        let html = try SampleRun.run(context: SampleRun.context(renderer: "<b>&\"")).page.text()
        #expect(html.contains("&lt;b&gt;&amp;&quot;") && !html.contains("<b>"))
    }

    @Test func `the table says faster or slower in words`() {
        let text = SampleRun.run().text
        #expect(text.contains("3.00 [3.00, 3.00] slower by 200 % ± 0.0"))
        #expect(text.contains("1.500"))
        #expect(SampleRun.run().markdown.contains("| --- | ---: |"))
    }

    @Test func `pictures that differ get no verdict`() {
        let setting = Setting(radius: 300, zoom: 4, filter: .linear)
        var run = SampleRun.run()
        run.entries.append(SampleRun.entry(BenchCase(Variant(.general), .state(.outside), setting), 1e6, over: 1204))
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
