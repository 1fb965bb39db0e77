import LoupeBase
import LoupeSystem
import Synchronization

/// A construct of SVG that librsvg leaves out, or that some versions leave out. Whether the installed one draws it is found by drawing.
struct SVGConstruct: Sendable {
    /// How to see whether the installed version draws it.
    private enum Probe {
        /// It draws the first content as it draws the second.
        case like(String, String)
        /// It draws the first content otherwise than the second, in which the construct is left out.
        case unlike(String, String)
        /// No version draws it; a browser does.
        case never
        /// Neither does a browser.
        case nowhere
    }

    /// For a sentence.
    private let name: String
    /// Texts of a document with the construct.
    private let marks: [String]
    private let probe: Probe

    private init(_ name: String, _ marks: [String], _ probe: Probe) {
        (self.name, self.marks, self.probe) = (name, marks, probe)
    }

    private static let square = #"<rect width="20" height="20" fill="red"/>"#
    private static let text = #"<text y="15" font-size="14">ii</text>"#

    private static let all = [
        SVGConstruct(
            "text on a path (textPath)", ["<textPath"],
            .like(
                ##"<path id="p" fill="none" d="M0 15H20"/><text font-size="14"><textPath href="#p">ii</textPath></text>"##,
                text)),
        SVGConstruct(
            "CSS variables (var())", ["var(--"],
            .like(#"<g style="--c:#f00"><rect width="20" height="20" style="fill:var(--c)"/></g>"#, square)),
        SVGConstruct(
            "transform-origin", ["transform-origin", "transform-box"],
            .like(
                #"<rect width="10" height="10" style="transform:rotate(180deg);transform-origin:10px 10px"/>"#,
                #"<rect x="10" y="10" width="10" height="10"/>"#)),
        SVGConstruct(
            "dominant-baseline", ["dominant-baseline"],
            .unlike(
                #"<text y="1" font-size="14" dominant-baseline="hanging">M</text>"#,
                #"<text y="1" font-size="14">M</text>"#)),
        SVGConstruct(
            "feDropShadow", ["<feDropShadow"],
            .like(
                ##"<filter id="f"><feDropShadow stdDeviation="0" dx="0" dy="0"/></filter><g filter="url(#f)">\##(square)</g>"##,
                square)),
        SVGConstruct(
            "shapes in clip-path (circle(), inset(), …)",
            ["circle(", "ellipse(", "inset(", "polygon("].flatMap {
                ["clip-path:\($0)", "clip-path: \($0)", "clip-path=\"\($0)"]
            },
            .like(
                #"<rect width="20" height="20" style="clip-path:circle(6px at 10px 10px)"/>"#,
                #"<circle cx="10" cy="10" r="6"/>"#)),
        SVGConstruct("calc()", ["calc("], .like(#"<rect width="calc(10px + 10px)" height="20" fill="red"/>"#, square)),
        SVGConstruct(
            "vector-effect", ["non-scaling-stroke"],
            .unlike(
                #"<path d="M0 1H2" stroke="black" stroke-width="2" transform="scale(10)" vector-effect="non-scaling-stroke"/>"#,
                #"<path d="M0 1H2" stroke="black" stroke-width="2" transform="scale(10)"/>"#)),
        SVGConstruct(
            "colours as oklch(), lab() or color-mix()", ["oklch(", "oklab(", ":lab(", "\"lab(", "color-mix("],
            .unlike(#"<rect width="20" height="20" fill="oklch(0.7 0.2 30)"/>"#, #"<rect width="20" height="20"/>"#)),
        SVGConstruct(
            "textLength", ["textLength"], .unlike(#"<text y="15" font-size="14" textLength="20">ii</text>"#, text)),
        SVGConstruct("fonts of the file (@font-face)", ["@font-face", "<font-face", "<font "], .never),
        SVGConstruct("flowed text (flowRoot)", ["<flowRoot"], .nowhere),
        SVGConstruct("mesh gradients", ["<meshgradient", "<meshGradient"], .nowhere),
        SVGConstruct("animations (SMIL)", ["<animate", "<set "], .nowhere),
    ]

    /// Lists of places of letters, which have no mark of their own.
    private static let lists = SVGConstruct(
        "places of single letters (lists of x, y, dx, dy or rotate)", [],
        .unlike(#"<text x="0 10" y="15" font-size="14">ii</text>"#, #"<text x="0" y="15" font-size="14">ii</text>"#))

    /// The constructs of a document, each with how often it stands there, for a sentence.
    static func all(in document: [UInt8]) -> [(construct: SVGConstruct, words: String)] {
        let counted =
            all.map { ($0, $0.marks.reduce(0) { $0 + document[...].count(of: $1) }) } + [(lists, document.countOfLists)]
        return counted.filter { $0.1 > 0 }.map { ($0, "\($0.name) \($1)×") }
    }

    /// Whether no browser draws it either.
    var isNowhereDrawn: Bool { if case .nowhere = probe { true } else { false } }

    // MARK: - Drawing

    private static let known = Mutex<[String: Bool]>([:])

    /// Whether librsvg here draws it. Also where nothing can be drawn: that is an error of its own.
    var isDrawn: Bool {
        if let known = Self.known.withLock({ $0[name] }) { return known }
        let isDrawn =
            switch probe {
            case .like(let one, let other): Self.areAlike(one, other) ?? true
            case .unlike(let one, let other): Self.areAlike(one, other).map { !$0 } ?? true
            case .never, .nowhere: false
            }
        Self.known.withLock { $0[name] = isDrawn }
        return isDrawn
    }

    /// Whether two contents are drawn alike but for soft edges; nil where they are not drawn.
    private static func areAlike(_ one: String, _ other: String) -> Bool? {
        let pictures = [one, other].compactMap { content -> [UInt8]? in
            let svg = #"<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20">\#(content)</svg>"#
            return try? VectorDocument(Array(svg.utf8), name: "a probe").draw(scaledBy: 1).pixels
        }
        guard pictures.count == 2 else { return nil }
        let unlike = zip(pictures[0], pictures[1]).count { abs(Int($0) - Int($1)) > 64 }
        return unlike < 12
    }
}

extension [UInt8] {
    /// The width of the root's `viewBox`, in its units.
    fileprivate var boxWidth: Double? {
        guard let root = self[...].firstIndex(of: "<svg"), let close = self[root...].firstIndex(of: UInt8(ascii: ">")),
            let start = self[root..<close].firstIndex(of: "viewBox=").map({ $0 + "viewBox='".utf8.count })
        else { return nil }
        let numbers = self[start...].prefix { !"'\"".utf8.contains($0) }.split { " ,\t\n\r".utf8.contains($0) }
        return numbers.count == 4
            ? Double(String(decoding: numbers[2], as: UTF8.self)).flatMap { $0 > 0 ? $0 : nil } : nil
    }

    fileprivate var withoutComments: [UInt8] {
        var (kept, rest): ([UInt8], ArraySlice<UInt8>) = ([], self[...])
        while let start = rest.firstIndex(of: "<!--") {
            kept += rest[..<start]
            let end = rest[start...].firstIndex(of: "-->").map { $0 + 3 } ?? rest.endIndex
            rest = rest[end...]
        }
        return kept.isEmpty && rest.count == count ? self : kept + rest
    }

    /// How many elements of text have a place for each of several letters.
    fileprivate var countOfLists: Int {
        var (count, rest) = (0, self[...])
        while let start = rest.firstIndex(of: "<t") {
            let end = rest[start...].firstIndex(of: UInt8(ascii: ">")) ?? rest.endIndex
            let tag = rest[start..<end].map { "\t\n\r".utf8.contains($0) ? UInt8(ascii: " ") : $0 }[...]
            rest = rest[end...]
            guard tag.starts(with: "<text".utf8) || tag.starts(with: "<tspan".utf8) else { continue }
            let isList = [" x=", " y=", " dx=", " dy=", " rotate="].contains { name in
                guard let value = tag.firstIndex(of: name).map({ tag[($0 + name.utf8.count)...].dropFirst() }) else {
                    return false
                }
                let text = value.prefix { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "'") }
                return text.split(whereSeparator: { " ,\t\n".utf8.contains($0) }).count > 1
            }
            if isList { count += 1 }
        }
        return count
    }
}

extension ImageFile {
    /// A sentence about what of an SVG is not drawn, what poppler said of a page when it drew it, or how many frames a GIF has; nil
    /// where all is well, and for other formats.
    package var undrawn: String? {
        if frameCount > 1 { return "it is the first of \(frameCount) frames" }
        if isSequence { return "it is the first of several frames" }
        let bytes = fileFormat == .svg ? ((try? contents()) ?? []).withoutComments : []
        let found = SVGConstruct.all(in: bytes)
        let nowhere = found.filter { $0.construct.isNowhereDrawn }.map { $0.words }
        if case .pdf(let document, let page) = header {
            if !nowhere.isEmpty { return "a browser does not draw \(nowhere.joined(separator: ", "))" }
            guard let complaint = document.complaint else { return nil }
            let advice = complaint.contains("language pack") ? "; install the package poppler-data" : ""
            return "page \(page): \(complaint)\(advice)"
        }
        guard case .svg(let drawing) = header else { return nil }
        var constructs = found.filter { !$0.construct.isDrawn }.map { $0.words }
        // In a `switch` stands what is drawn in its place.
        if bytes[...].firstIndex(of: "<foreignObject") != nil, bytes[...].firstIndex(of: "<switch") == nil {
            constructs.append("texts that are HTML (foreignObject)")
        }
        if bytes[...].firstIndex(of: "<text") != nil, let unit = bytes.boxWidth.map({ Double(drawing.width) / $0 }),
            unit >= 8
        {
            constructs.append("letters exactly (the viewBox has units of \(unit.rounded().jsonText) pixels)")
        }
        if constructs.isEmpty { return drawing.complaint }
        let names = constructs.joined(separator: ", ")
        let advice = constructs == nowhere ? "nor does a browser" : "a browser does: --svg-by browser"
        let others = nowhere.isEmpty || constructs == nowhere ? "" : ", but for \(nowhere.joined(separator: ", "))"
        return "librsvg does not draw \(names); \(advice)\(others)"
    }
}
