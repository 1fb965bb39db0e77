import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupeSystem

/// An HTML page in one file that loads nothing else: a template, a style sheet, a script, and data that the script shows.
///
/// The data is JSON in an element that browsers do not run. The script makes text and attributes of it, never markup.
/// A Content Security Policy names the hashes of the one script and the one style sheet, so nothing else can run or load.
package struct HTMLPage: Sendable {
    /// A live figure, as it is without a script.
    struct Figure: Sendable {
        /// A PNG or a WebP.
        let picture: [UInt8]
        /// In pixels.
        let width, height: Int
        /// What screen readers call it.
        let label: String

        /// The picture as a data: address.
        var address: String {
            "data:image/\(picture.starts(with: "RIFF".utf8) ? "webp" : "png");base64,\(Base64.encode(picture))"
        }
    }

    /// HTML in which the lines `<!-- policy -->`, `<!-- title -->`, `<!-- style -->`, `<!-- data -->`, `<!-- script -->`,
    /// `<!-- figure -->` and `<!-- payloads -->` stand for what the page writes in their place.
    private let template: String
    private let title: String
    private let style: String
    private let script: String
    private let data: [(key: String, value: JSONValue)]
    /// The live figures of the page.
    var figures: [Figure] = []
    /// Whether the script may ask the server that the page comes from.
    var asksServer = false
    /// Bytes as text that the script opens, by the end of their element's name. They come last in the file, so the rest can
    /// be seen before they are read.
    var payloads: [(name: String, text: String)] = []

    /// - Parameters:
    ///   - template: the HTML file, as it is embedded in the binary.
    ///   - title: for templates that have no title of their own.
    ///   - body: what takes the place of the template's line `<!-- body -->`.
    ///   - style: the page's own style sheet, which follows the one that all pages share.
    ///   - script: the page's own scripts, which follow the one that all pages share. The last one starts the page.
    ///   - data: the members of the JSON object that the script reads.
    init(
        template: [UInt8], title: String = "", body: [UInt8] = [], style: [UInt8], script: [[UInt8]],
        data: [(key: String, value: JSONValue)]
    ) {
        self.template = template.split(separator: UInt8(ascii: "\n"))
            .map { $0.elementsEqual("<!-- body -->".utf8) ? body[...] : $0 }
            .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        self.title = title
        self.style = [PackageResources.base_css, style].map { String(decoding: $0, as: UTF8.self) }.joined()
        let scripts = ([PackageResources.page_js] + script).map { String(decoding: $0, as: UTF8.self) }
        self.script = scripts.joined(separator: "\n")
        self.data = data
    }

    /// Writes the page to a file, which appears whole or not at all; `-` is standard output.
    /// - Throws: `FileError`.
    package func write(to path: Path) throws {
        try ByteSink.open(path) { sink in
            try forEachPart { try sink.write(Array($0.utf8)) }
        }
    }

    /// Calls `body` with the parts of the page's text in order, so the whole text is never in memory.
    package func forEachPart(_ body: (String) throws -> Void) rethrows {
        for line in template.split(separator: "\n") {
            switch line {
            case "<!-- policy -->": try body("<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">")
            case "<!-- title -->": try body("<title>\(title.xmlEscaped)</title>")
            case "<!-- style -->": try body("<style>\(style)</style>")
            case "<!-- data -->": try forEachPartOfData(body)
            case "<!-- script -->": try body("<script>\(script)</script>")
            case "<!-- figure -->":
                for (index, figure) in figures.enumerated() { try body(Self.element(figure, number: index + 1)) }
            case "<!-- payloads -->":
                for payload in payloads {
                    try body("<script type=\"text/plain\" id=\"payload-\(payload.name)\">")
                    try body(payload.text)
                    try body("</script>\n")
                }
            default: try body(String(line))
            }
            try body("\n")
        }
    }

    /// The elements of arrays come one by one.
    private func forEachPartOfData(_ body: (String) throws -> Void) rethrows {
        try body("<script type=\"application/json\" id=\"data\">{")
        for (index, member) in data.enumerated() {
            try body((index > 0 ? ",\n" : "") + "\(JSONValue.string(member.key).line.jsonInScript): ")
            guard case .array(let elements) = member.value else {
                try body(member.value.line.jsonInScript)
                continue
            }
            try body("[")
            for (index, element) in elements.enumerated() {
                try body((index > 0 ? ",\n" : "") + element.line.jsonInScript)
            }
            try body("]")
        }
        try body("}</script>")
    }

    /// The picture stands in the element until the script draws in its place.
    private static func element(_ figure: Figure, number: Int) -> String {
        let label = figure.label.xmlEscaped
        let id = number == 1 ? "loupe" : "loupe-\(number)"
        return "<loupe-figure id=\"\(id)\" role=\"img\" tabindex=\"0\" aria-label=\"\(label)\">"
            + "<img alt=\"\(label)\" width=\"\(figure.width)\" height=\"\(figure.height)\" "
            + "src=\"\(figure.address)\"></loupe-figure>"
    }

    /// Content Security Policy, level 3: this script and this style sheet, pictures from the file itself, WebAssembly where
    /// the page has a module, questions to the page's own server where it has one, no markup made from text, and nothing else.
    private var policy: String {
        let module = figures.isEmpty ? "" : " 'wasm-unsafe-eval'"
        let server = asksServer ? " connect-src 'self';" : ""
        return "default-src 'none';\(server) img-src data:; style-src '\(Self.hash(of: style))'; "
            + "script-src '\(Self.hash(of: script))'\(module); "
            + "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
    }

    private static func hash(of text: String) -> String {
        "sha256-" + Base64.encode(SHA256.hash(Array(text.utf8)))
    }
}
