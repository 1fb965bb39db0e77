import LoupePipeline
import Testing

/// Texts that PDFs and SVGs store beside their drawing.
@Suite struct StoredJSONTests {
    private static let files: [(VectorFormat, String)] = [
        (.pdf, "%PDF-1.5\nxref\ntrailer\nstartxref\n9\n%%EOF\n"),
        (.svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"><metadata>x</metadata>\n<path/></svg>\n"),
    ]

    @Test func aTextIsReadAsItWasAdded() {
        for (format, text) in Self.files {
            for json in [
                #"{"a": "<b> & &amp; ]]> -- startxref %%EOF </svg> </metadata>"}"#, #"{"a": "µm é 𝄞 日本 \\u00e9"}"#,
                "{}",
            ] {
                var file = Array(text.utf8)
                StoredJSON.add(json, named: "loupe-scene", to: &file, format)
                #expect(file.allSatisfy { $0 < 0x80 })
                let escaped = StoredJSON.read(named: "loupe-scene", from: file, format)
                // As JSON, both are the same.
                let plain = json.unicodeScalars.map { scalar -> String in
                    scalar.isASCII && !"&<>".unicodeScalars.contains(scalar)
                        ? String(scalar)
                        : String(scalar).utf16.map { "\\u" + String("000" + String($0, radix: 16)).suffix(4) }.joined()
                }
                #expect(escaped == plain.joined())
                #expect(StoredJSON.read(named: "other", from: file, format) == nil)
                let end = format == .pdf ? "startxref\n9\n%%EOF\n" : "</svg>\n"
                #expect(String(decoding: file, as: UTF8.self).hasSuffix(end))
            }
            #expect(StoredJSON.read(named: "loupe-scene", from: Array(text.utf8), format) == nil)
        }
    }

    @Test func aFileOfAnotherShapeStaysAsItIs() {
        for format in VectorFormat.allCases {
            for text in ["", "s", "startxre", "<svg/>"] {
                var file = Array(text.utf8)
                StoredJSON.add("{}", named: "loupe-scene", to: &file, format)
                #expect(file == Array(text.utf8))
                #expect(StoredJSON.read(named: "loupe-scene", from: file, format) == nil)
            }
        }
    }
}
