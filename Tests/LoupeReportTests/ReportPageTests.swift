import LoupeScene
import LoupeTemplate
import LoupeVerify
import Testing

@testable import LoupeJSON
@testable import LoupeReport

@Suite struct ReportPageTests {
    /// Names that would end a tag, an attribute, a script or a template, or that Swift takes for another character.
    private static let names = [
        "<script>alert(1)</script>", "\" onclick=\"x", "' onclick='x", "</template><b>", "{{{script}}}",
        "\"\u{301} onfocus=alert(1) x=\u{301}<\u{301}i>", "&lt;", "ж 中 🙂",
    ]

    @Test("Whatever stands in a name, a path, a message or the driver's name, it stays text", arguments: names)
    func escaping(name: String) throws {
        let html = try SampleReport.page(name: name)
        let plain = try SampleReport.page(name: "plain")
        #expect(html.contains(SampleReport.escaped(name)))
        // The markup is that of a page with harmless names: as many of every character that makes markup.
        for mark in ["<", ">", "\"", "'"] {
            #expect(
                html.unicodeScalars.count { String($0) == mark } == plain.unicodeScalars.count { String($0) == mark })
        }
    }

    @Test("The page needs nothing else, and may load nothing")
    func offline() throws {
        let html = try SampleReport.page(name: "one")
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</body>\n</html>\n"))
        for needle in ["http://", "https://", "src=\"/", "url(", "@import", "<script src"] {
            #expect(!html.contains(needle), "\(needle)")
        }
        #expect(html.contains("content=\"default-src &#39;none&#39;; img-src data:; style-src &#39;sha256-"))
        #expect(html.contains("prefers-color-scheme: dark"))
    }

    @Test("A failed case has its pictures, numbers, boxes and regions, and can be accepted")
    func contents() throws {
        let html = try SampleReport.page(name: "one")
        #expect(html.contains("<template id=\"pictures-0\"><img data-kind=\"reference\""))
        for kind in ["reference", "actual", "difference"] {
            #expect(
                html.contains(
                    "data-kind=\"\(kind)\" alt=\"\(kind)\" draggable=\"false\" src=\"data:image/png;base64,iVBORw0K"))
        }
        for text in [
            "<td>3 of 200</td>", "<td>9 at 1,0</td>", "tolerance 9, or 3 differing pixels", "tolerance 2, 0.1 % over 1",
            "<th scope=\"row\">background</th><td>3</td><td>9</td>", "data-bounds=\"1,0,3,1\"", "<td>20×10</td>",
        ] {
            #expect(html.contains(text), "\(text)")
        }
        #expect(html.contains("data-hash=\"sha256:\(SampleReport.digits)\"") && html.contains("class=\"accept\""))
    }

    @Test("A passed or broken case is a row that can't be accepted")
    func others() throws {
        for state in [CaseResult.State.passed, .broken, .written] {
            let html = try SampleReport.page(name: "one", state: state)
            #expect(html.contains("data-state=\"\(state.rawValue)\"") && html.contains("data-hash=\"\""))
            #expect(!html.contains("class=\"accept\""))
        }
    }

    @Test("Results that verify did not write are refused, naming the case")
    func strangeDetails() throws {
        let error = #expect(throws: DocumentError.self) {
            try SampleReport.report(name: "one", largest: 900).page()
        }
        #expect(error?.description.hasPrefix(#"["one/one"].difference.maxDelta: 900 is out of range"#) == true)
    }

    @Test("500 failed cases are written as a page whose list comes before all pictures")
    func manyCases() throws {
        let html = try SampleReport.report(name: "one", count: 500).page().text()
        let rows = html.split(separator: "class=\"row\"").count - 1
        #expect(rows == 500)
        let list = try #require(html.utf8.firstRange(of: "id=\"pictures-0\"".utf8))
        #expect(html.utf8.distance(from: html.startIndex, to: list.lowerBound) < 3_000_000)
        #expect(html.contains("id=\"pictures-499\""))
    }
}
