import LoupeBase
import LoupePlan
import LoupeScene

/// A command that somebody typed into an editor, such as `loupe-render page.png --callout 40%,30%`.
package struct TypedCommand: Hashable, Sendable {
    /// The page, as the command names it.
    package let page: String
    /// The file that the command writes.
    private let output: String
    private let options: GivenOptions

    /// Reads a command.
    /// - Throws: `ComposeError` for words that an editor has no use for; values are checked later.
    package init(_ text: String) throws(ComposeError) {
        var words = try Self.words(of: text)[...]
        guard words.popFirst() == "loupe-render" else {
            throw ComposeError(.usage, "a command begins with loupe-render and the page's name")
        }
        if words.first == "render" { words.removeFirst() }
        var (page, output, options): (String?, String?, GivenOptions) = (nil, nil, GivenOptions())
        while let word = words.popFirst() {
            guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else {
                guard page == nil else { throw ComposeError(.usage, "'\(word.quotable)': an editor has one page") }
                page = word
                continue
            }
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            func value() throws(ComposeError) -> String {
                guard let value = parts.count > 1 ? parts[1] : words.popFirst() else {
                    throw ComposeError(.usage, "\(word): its value is missing")
                }
                return value
            }
            if parts[0] == "-o" || parts[0] == "--output" {
                output = try value()
                continue
            }
            let option = try Self.option(parts[0])
            let isBare = parts.count == 1 && words.first?.utf8.first ?? UInt8(ascii: "-") == UInt8(ascii: "-")
            switch (option.value, isBare ? option.alone : nil) {
            case (.none, _): options.add(option.name, [])
            case (_, let alone?): options.add(option.name, alone.utf8)
            default: options.add(option.name, try value().utf8)
            }
        }
        guard let page else { throw ComposeError(.usage, "the command names no page") }
        (self.page, self.options) = (page, options)
        self.output = output ?? "\(Self.stem(of: page))-loupe.png"
    }

    /// A file's name up to its ending.
    private static func stem(of name: String) -> String {
        guard let dot = name.lastIndex(of: "."), !name[dot...].contains("/"), !name[..<dot].isEmpty,
            name[..<dot].last != "/"
        else { return name }
        return String(name[..<dot])
    }

    /// The option of a flag, unless it is one whose effect an editor can't write down again.
    private static func option(_ flag: String) throws(ComposeError) -> PictureOption {
        let refused = ["scale", "versus", "compare-with"]
        guard let option = PictureOption.all.first(where: { $0.flag == flag }), !refused.contains(option.name) else {
            throw ComposeError(.usage, "\(flag.quotable): the editor can't draw this; leave it out")
        }
        return option
    }

    /// The words of a command: between blanks, with quotes and backslashes as in a shell. Nothing is replaced in them.
    static func words(of text: String) throws(ComposeError) -> [String] {
        var words: [[UInt8]] = []
        var (word, quote): ([UInt8]?, UInt8?)
        var bytes = text.utf8.makeIterator()
        while let byte = bytes.next() {
            switch byte {
            case UInt8(ascii: "\\") where quote != UInt8(ascii: "'"):
                if let next = bytes.next(), next != UInt8(ascii: "\n") { word = (word ?? []) + [next] }
            case _ where byte == quote: quote = nil
            case UInt8(ascii: "'") where quote == nil, UInt8(ascii: "\"") where quote == nil:
                (quote, word) = (byte, word ?? [])
            case UInt8(ascii: " ") where quote == nil, UInt8(ascii: "\n") where quote == nil:
                if let word { words.append(word) }
                word = nil
            default: word = (word ?? []) + [byte]
            }
        }
        guard quote == nil else { throw ComposeError(.usage, "a quote of the command is not closed") }
        return (words + [word].compactMap { $0 }).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The figure that the command draws, as an editor's page reads it: `scene`, `page` and `canvas` of its document, and the
    /// brief as `editor`; `letters` is how many times as large letters are as in another editor.
    package func json(on facts: PageFacts, after other: FigureEditor) throws(ComposeError) -> JSONValue {
        var request = try Request(options)
        (request.keepsCanvas, request.writesVectors) = (true, true)
        if let place: PlacePolicy = try options.choice(.place), place == .beside {
            throw ComposeError(.usage, "--place beside: an editor keeps the canvas; use --place auto")
        }
        let composed = try compose(request, page: ImagePath("0"), facts: facts) { path throws(ComposeError) in
            throw ComposeError(.usage, "'\(path.description.quotable)': an editor has one page")
        }
        var scene = composed.scene
        if request.leavesFiltersOpen { for index in scene.loupes.indices { scene.loupes[index].filter = .auto } }
        (scene.labels, scene.scaleBars) = ([], [])
        let letters = composed.text.size(in: composed.scene) / other.brief.text.size(in: other.page.scene)
        let brief = EditorBrief(
            command: ["loupe-render", page] + EditorBrief.pageWords(of: options), output: output,
            sceneName: "\(Self.stem(of: output)).json",
            images: [page.split(separator: "/").last.map(String.init) ?? page],
            given: composed.given, accent: try request.accent, isPlain: request.isPlain, text: composed.text,
            tone: facts.tone, contrast: facts.contrast)
        return [
            "scene": SceneEncoder().json(scene), "editor": brief.json, "opaque": .bool(facts.isOpaque),
            "letters": .number(letters),
            "canvas": ["width": .number(Double(scene.canvas.width)), "height": .number(Double(scene.canvas.height))],
            "page": [
                "pixelArt": .bool(facts.isPixelArt), "openFilter": .bool(request.leavesFiltersOpen),
                "wholePixels": .bool(true),
            ],
        ]
    }
}

extension EditorBrief {
    /// The options that say how the page is drawn.
    private static let ofPage: [PictureOption] = [
        .canvas, .margin, .background, .frame, .cornerRadius, .cornerExponent, .cornerStyle, .cornerCSS, .cornerFigma,
        .cornerKeepDiagonal, .pageFilter, .blending, .alt,
    ]

    /// The words of a command line that say how the page is drawn. The editor writes those of loupes and text itself.
    package static func pageWords(of given: GivenOptions) -> [String] {
        given.entries.filter { entry in ofPage.contains { $0.name == entry.name } }.flatMap { option in
            let (flag, value) = ("--\(option.name)", String(decoding: option.value, as: UTF8.self))
            return value.isEmpty ? [flag] : option.name == "frame" ? ["\(flag)=\(value)"] : [flag, value]
        }
    }
}
