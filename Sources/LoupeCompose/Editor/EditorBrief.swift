import LoupeBase
import LoupePlan
import LoupeScene

/// The facts about a figure that the command tells an editor, beside the scene: how the figure was asked for, and what
/// it is called.
package struct EditorBrief: Hashable, Sendable {
    /// The words of the command that draws the figure, up to those of its loupes: the command's name, the input, and the
    /// options of the page. UTF-8.
    package var command: [String]
    /// The picture that the command writes.
    package var output: String
    /// A file name for the scene.
    package var sceneName: String
    /// What the scene calls its images, by their numbers in the page.
    package var images: [String]
    /// The parts of each loupe's look that are given.
    package var given: [DefaultStyle.Parts]
    /// The colour of rings and connectors without a colour of their own.
    package var accent: Color?
    /// Whether no style adds what is not given.
    package var isPlain: Bool
    /// The text that flags ask for.
    package var text: FigureText
    /// The kind of the page and its colours in coarse cells.
    package var tone: PageTone
    /// How busy the page is, as the command counts it; nil where it is not known.
    package var contrast: ContrastGrid?

    /// What the command says about a figure without loupes.
    package init(
        command: [String], output: String, sceneName: String, images: [String], given: [DefaultStyle.Parts] = [],
        accent: Color? = nil, isPlain: Bool = false, text: FigureText = FigureText(),
        tone: PageTone = .light, contrast: ContrastGrid? = nil
    ) {
        (self.command, self.output, self.sceneName, self.images) = (command, output, sceneName, images)
        (self.given, self.accent, self.isPlain) = (given, accent, isPlain)
        (self.text, self.tone, self.contrast) = (text, tone, contrast)
    }

    /// The brief as JSON that ``init(from:)`` reads.
    package var json: JSONValue {
        let marks = text.marks.sorted { $0.key < $1.key }.map { mark -> JSONValue in
            ["loupe": .number(Double(mark.key)), "text": .string(mark.value)]
        }
        let grid = contrast.map { grid -> JSONValue in
            [
                "width": .number(Double(grid.width)), "height": .number(Double(grid.height)),
                "cells": .string(grid.codes.map { Self.digits($0) }.joined()),
                "edges": .array(grid.edges.map { .string($0?.hex ?? "") }),
            ]
        }
        let cells = tone.cells.map { String($0.hex.dropFirst()) }.joined()
        let members: [(String, JSONValue?)] = [
            (
                "tone",
                [
                    "kind": .string(tone.kind.rawValue), "accent": .string(tone.accent.hex),
                    "paper": .string(tone.paper.hex),
                    "columns": .number(Double(tone.columns)), "cells": .string(cells),
                ]
            ),
            ("command", .array(command.map(JSONValue.string))), ("output", .string(output)),
            ("sceneName", .string(sceneName)), ("images", .array(images.map(JSONValue.string))),
            ("given", .array(given.map { JSONValue.number(Double($0.rawValue)) })),
            ("accent", accent.map { JSONValue.string($0.hex) }), ("plain", .bool(isPlain)),
            ("letters", text.letters.map { JSONValue.string($0.rawValue) }), ("zoomLabel", .bool(text.showsZoom)),
            ("marks", .array(marks)), ("pixelSize", text.pixelSize.map { JSONValue.string($0.text) }),
            ("barCorner", text.barCorner.map { JSONValue.string($0.rawValue) }), ("labelFont", .string(text.family)),
            ("labelSize", text.size.map(JSONValue.number)), ("pixel", .number(text.pixel)),
            ("labelColor", text.color.map { JSONValue.string($0.hex) }), ("contrast", grid),
        ]
        return .object(JSONObject(members))
    }

    /// A code of ``ContrastGrid/codes`` as two hexadecimal digits.
    private static func digits(_ code: Int) -> String { (code < 16 ? "0" : "") + String(code, radix: 16) }

    /// The codes of pairs of such digits, up to the first that are none.
    private static func codes(_ text: String) -> [Int] {
        let digits = Array(text.utf8)
        var codes: [Int] = []
        for at in stride(from: 0, to: digits.count - 1, by: 2) {
            guard let code = UInt8(String(decoding: digits[at...at + 1], as: UTF8.self), radix: 16) else { break }
            codes.append(Int(code))
        }
        return codes
    }

    /// Reads what ``json`` writes.
    package init(from reader: JSONReader) throws(DocumentError) {
        var brief = reader
        func texts(_ value: JSONReader) throws(DocumentError) -> [String] {
            try value.array().map { text throws(DocumentError) in try text.string() }
        }
        command = try texts(brief.required("command"))
        output = try brief.required("output").string()
        sceneName = try brief.required("sceneName").string()
        images = try texts(brief.required("images"))
        given = try brief.required("given").array().map { parts throws(DocumentError) in
            DefaultStyle.Parts(rawValue: UInt16(try parts.integer(in: 0...0xffff)))
        }
        accent = try brief.optional("accent")?.color()
        isPlain = try brief.required("plain").bool()
        text = FigureText()
        if let letters = try brief.optional("letters") {
            text.letters = try letters.choice(of: FigureText.Letters.self)
        }
        text.showsZoom = try brief.required("zoomLabel").bool()
        for value in try brief.required("marks").array() {
            var mark = value
            text.marks[try mark.required("loupe").integer(in: 0...1 << 16)] = try mark.required("text").string()
            try mark.finish()
        }
        if let length = try brief.optional("pixelSize") { text.pixelSize = PhysicalLength(text: try length.string()) }
        if let corner = try brief.optional("barCorner") { text.barCorner = try corner.choice(of: CornerPosition.self) }
        text.family = try brief.required("labelFont").string()
        if let size = try brief.optional("labelSize") { text.size = try size.number(in: TextStyle.sizeRange) }
        text.pixel = try brief.required("pixel").number(in: 1e-4...1)
        if let color = try brief.optional("labelColor") { text.color = try color.color() }
        tone = try Self.tone(brief.required("tone"))
        contrast = try brief.optional("contrast").map { grid throws(DocumentError) in try Self.contrast(grid) }
        try brief.finish()
    }

    private static func tone(_ reader: JSONReader) throws(DocumentError) -> PageTone {
        var tone = reader
        let (kind, accent) = (try tone.required("kind"), try tone.required("accent"))
        let paper = try tone.required("paper").color()
        let columns = try tone.required("columns").integer(in: 1...64)
        let digits = Array(try tone.required("cells").string())
        let cells = stride(from: 0, to: digits.count - 5, by: 6).compactMap {
            Color(text: "#" + String(digits[$0..<$0 + 6]))
        }
        guard !cells.isEmpty, cells.count % columns == 0 else { throw tone.error("its cells are no rows of columns") }
        try tone.finish()
        return PageTone(
            kind: try kind.choice(of: PageTone.Kind.self), accent: try accent.color(), paper: paper, cells: cells,
            columns: columns)
    }

    private static func contrast(_ reader: JSONReader) throws(DocumentError) -> ContrastGrid {
        var grid = reader
        let width = try grid.required("width").integer(in: 1...1 << 24)
        let height = try grid.required("height").integer(in: 1...1 << 24)
        let codes = Self.codes(try grid.required("cells").string())
        let edges = try grid.required("edges").array().map { edge throws(DocumentError) in
            try edge.string().isEmpty ? nil : try edge.color()
        }
        guard let contrast = ContrastGrid(width: width, height: height, codes: codes, edges: edges) else {
            throw grid.error("it has \(codes.count) cells, which is not what its size asks for, or not four edges")
        }
        try grid.finish()
        return contrast
    }
}
