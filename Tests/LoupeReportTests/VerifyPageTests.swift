import LoupeCompare
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeReport

@Suite struct VerifyPageTests {
    /// Names that could end an element, a string, a line or an attribute, or that Swift takes for another character.
    private static let names = [
        "<script>alert(1)</script>", "</script><b>", "<!--<script>", "]]>", "\" onclick=\"x", "' onclick='x",
        "</template><b>", "<!-- style -->", "\"\u{301} onfocus=alert(1) x=\u{301}<\u{301}i>", "&lt;", "ж 中 🙂",
        "\0\u{1}\r\n\t\u{7f}", "\u{2028}\u{2029}\\\\u003c", "__proto__", "",
    ]

    /// Expects that text from outside changes the data alone, which holds nothing that ends its element, and that the
    /// script reads back the same scalars.
    private func expectInert(_ name: String) throws {
        let page = try PageText(HTMLPage(SampleReport.report(name: name)))
        let plain = try PageText(HTMLPage(SampleReport.report(name: "plain")))
        #expect(page.before == plain.before && page.after == plain.after, "\(name.debugDescription)")
        #expect(!page.data.unicodeScalars.contains { "<\u{2028}\u{2029}\0".unicodeScalars.contains($0) })
        var data = try page.json()
        var sceneCase = try #require(try data.required("cases").array().first)
        for key in ["suite", "name", "message"] {
            let text = try sceneCase.required(key).string()
            #expect(text.unicodeScalars.elementsEqual(name.unicodeScalars), "\(key): \(name.debugDescription)")
        }
    }

    @Test("Names, paths, messages and the driver's name stay text", arguments: names)
    func escaping(name: String) throws { try expectInert(name) }

    @Test("So are 300 generated names", arguments: 1...3 as ClosedRange<UInt64>)
    func generatedNames(seed: UInt64) throws {
        let pieces = [
            "<", "/", "script", ">", "!--", "--", "\"", "'", "\\", "\\u003c", "&", ";", "\0", "\n", "\r", "\u{301}",
            "\u{338}", "\u{200d}", "\u{2028}", "\u{feff}", "\u{fffe}", "\u{1f600}", "template", "=", " ", "a",
        ]
        var random = SplitMix64(seed: seed)
        for _ in 0..<100 {
            var name = String.UnicodeScalarView()
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                name += (pieces.randomElement(using: &random) ?? "").unicodeScalars
            }
            try expectInert(String(name))
        }
    }

    @Test("The page needs nothing else, may load nothing, and says what it needs where scripts are off")
    func offline() throws {
        let html = try PageText(HTMLPage(SampleReport.report(name: "one"))).whole
        #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</body>\n</html>\n"))
        for needle in [
            "http://", "https://", "src=\"/", "url(", "@import", "<script src", "innerHTML", "<!-- ", "var(--",
        ] {
            #expect(!html.contains(needle), "\(needle)")
        }
        #expect(html.contains("content=\"default-src 'none'; img-src data:; style-src 'sha256-"))
        #expect(html.contains("require-trusted-types-for 'script'"))
        #expect(html.contains("<noscript><p>This page needs scripts."))
        #expect(html.contains("prefers-color-scheme: dark"))
    }

    @Test("A failed case has its pictures, numbers, boxes and regions, and can be accepted")
    func contents() throws {
        let page = try PageText(HTMLPage(SampleReport.report(name: "one")))
        // They are the same bytes, so they are stored once.
        #expect(page.after.contains("<script type=\"text/plain\" id=\"payload-picture-0\">iVBORw0KGgo=</script>"))
        for text in [
            #""findings": ["one"]"#, #""pictures": {"reference": 0, "actual": 0, "difference": 0}"#,
            #""limits": {"tolerance": 2, "#, #""regions": {"background": {"differingPixels": 3, "maxDelta": 9}}"#,
            #""boxes": [{"x": 1, "y": 0, "width": 3, "height": 1, "pixels": 3}]"#, #""driver": {"renderer": "one""#,
            "\"hash\": \"sha256:\(SampleReport.digits)\"",
        ] {
            #expect(page.data.contains(text), "\(text)")
        }
    }

    @Test("A passed, broken or written case can't be accepted")
    func others() throws {
        for state in [CaseResult.State.passed, .broken, .written] {
            let page = try PageText(HTMLPage(SampleReport.report(name: "one", state: state)))
            #expect(page.data.contains("\"state\": \"\(state.rawValue)\"") && page.data.contains(#""hash": """#))
        }
    }

    @Test("Results that verify did not write are refused, naming the member")
    func strangeDetails() throws {
        let error = thrown(DocumentError.self) { try SampleReport.report(name: "one", largest: 900) }
        #expect(error?.description.contains("difference.maxDelta: 900 is out of range") == true)
    }

    @Test("500 failed cases are written in small parts, the list before all pictures")
    func manyCases() throws {
        let page = try HTMLPage(SampleReport.report(name: "one", count: 500))
        let text = try PageText(page)
        var data = try text.json()
        #expect(try data.required("cases").array().count == 500)
        #expect(text.before.utf8.count + text.data.utf8.count < 1_000_000)
        #expect(text.after.contains("id=\"payload-picture-0\"") && !text.after.contains("picture-1\""))
        var longest = 0
        page.forEachPart { longest = max(longest, $0.utf8.count) }
        #expect(longest < 50_000)
    }
}
