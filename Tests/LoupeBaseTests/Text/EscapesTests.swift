import Testing

@testable import LoupeBase

/// Each language's special characters are escaped, also where a mark joins them to a character of Swift.
struct EscapesTests {
    private static let marks: [Unicode.Scalar] = ["\u{301}", "\u{338}", "\u{600}", "\u{200d}"]

    /// A text in which each character has a mark after it.
    private static func marked(_ text: String, _ mark: Unicode.Scalar) -> String {
        text.unicodeScalars.reduce(into: "") { $0.unicodeScalars.append(contentsOf: [$1, mark]) }
    }

    @Test("what is escaped alone is escaped before a mark", arguments: marks)
    func escapesBeforeMarks(mark: Unicode.Scalar) {
        let text = Self.marked("<&>\"\\'{}#$%_~^[]*`|!,", mark)
        let found = [
            text.xmlEscaped, text.latexEscaped, text.typstQuoted, text.markdownEscaped, text.jsonQuoted, text.csvCell,
            text.forShell, text.jsonInScript,
        ]
        let alone = "<&>\"\\'{}#$%_~^[]*`|!,"
        let expected = [
            alone.xmlEscaped, alone.latexEscaped, alone.typstQuoted, alone.markdownEscaped, alone.jsonQuoted,
            alone.csvCell,
            alone.forShell, alone.jsonInScript,
        ]
        for (one, other) in zip(found, expected) {
            #expect(String(String.UnicodeScalarView(one.unicodeScalars.filter { $0 != mark })) == other)
        }
    }

    @Test func xml() {
        #expect("a<b>&\"c\"".xmlEscaped == "a&lt;b&gt;&amp;&quot;c&quot;")
        #expect("\n\t\r\0\u{1b}\u{fffe}".xmlEscaped == "&#10;&#9;&#13;\u{fffd}\u{fffd}\u{fffd}")
    }

    @Test func json() {
        #expect("\"\\\n\u{1b}\u{9b}\u{2028}Ä".jsonQuoted == "\"\\\"\\\\\\n\\u001b\\u009b\\u2028Ä\"")
        #expect("\"</script>\"".jsonInScript == "\"\\u003c/script>\"")
    }

    @Test func latex() {
        #expect(
            "50 % of a_b {x} \\y ~^".latexEscaped
                == "50 \\% of a\\_b \\{x\\} \\textbackslash{}y \\textasciitilde{}\\textasciicircum{}")
        #expect("two\nlines\u{2029}".latexEscaped == "two lines ")
    }

    @Test func typst() {
        #expect("a \"b\" \\\n".typstQuoted == "\"a \\\"b\\\" \\\\ \"")
    }

    @Test func markdown() {
        #expect("](x) *a* <b>".markdownEscaped == "\\](x) \\*a\\* \\<b\\>")
        #expect(String(percentEncoding: Array("a b/Ä:%.png".utf8)) == "a%20b/%C3%84%3A%25.png")
    }

    @Test func csv() {
        #expect("a".csvCell == "a")
        #expect("a,\"b\"\n".csvCell == "\"a,\"\"b\"\"\n\"")
    }

    @Test func shell() {
        #expect("a/b-1.png".forShell == "a/b-1.png")
        #expect("it's".forShell == "'it'\\''s'")
        #expect("".forShell == "''")
    }

    @Test func terminal() {
        #expect("a\u{1b}[31m\u{202e}\n".forTerminal == "a\\u{1b}[31m\\u{202e}\\u{a}")
    }

    @Test("numbers are read in decimal digits alone", arguments: ["0x10", "inf", "nan", "", " 1", "1e999", "1_0"])
    func noDecimals(text: String) { #expect(Double(decimal: text) == nil) }

    @Test func boundedNumbers() {
        #expect(Int(bounded: -3.7) == -3)
        #expect(Int(bounded: .infinity) == 1 << 50)
        #expect(Int(bounded: .nan) == -(1 << 50))
    }
}
