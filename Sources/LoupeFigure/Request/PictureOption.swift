import LoupeBase
import LoupeScene

/// One option of a page or a loupe, described once for all who read it: the flags of `render` and their help, the words of
/// `--loupe`, and the keys of a job in `batch`, which are the flags' names.
package struct PictureOption: Sendable {
    /// The kind of a value.
    package enum Value: Sendable {
        /// A number; its range is the one that does not depend on other options.
        case number(ClosedRange<Double>, unit: String? = nil)
        /// A whole number.
        case integer(ClosedRange<Int>)
        /// `X,Y` in canvas pixels: an offset.
        case point
        /// Where something is: a `Position`.
        case position
        /// What a loupe shows: a `FocusTarget`.
        case focus
        /// A focus, and perhaps a centre.
        case callout
        /// One of `Color.forms`.
        case color
        /// One of these names.
        case choice([String])
        /// A `GivenCorner`.
        case corner
        /// `WxH`, whole pixels.
        case size
        /// A `GivenShape`.
        case shape
        /// A `PageFrame`.
        case frame
        /// A colour, or auto.
        case accent
        /// A length, or auto.
        case pixelSize
        /// The family of a font.
        case family
        /// Texts between commas.
        case texts
        /// Paths between commas.
        case paths
        /// The path of an image.
        case path
        /// The words of a loupe.
        case words
        /// A text.
        case text
        /// None: the option is given or not.
        case none

        /// Whether it may begin with a minus sign.
        package var isNumeric: Bool {
            switch self {
            case .number, .integer, .point, .position, .focus, .callout, .corner: true
            default: false
            }
        }

        /// What a value is and how it is written, for sentences about values that are not; nil where the sentence is another.
        fileprivate var forms: (what: String, forms: String)? {
            switch self {
            case .color: ("a colour", Color.forms)
            case .accent: ("an accent", "auto, \(Color.forms)")
            case .frame:
                ("a backdrop", "light, dark, a colour, or two colours with .. between; a colour is \(Color.forms)")
            case .point: ("a point", "two numbers with a comma between, such as 120,80")
            case .position: ("a point", Position.forms)
            case .focus: ("a point", FocusTarget.forms)
            case .callout:
                ("a callout", "\(FocusTarget.forms); @ and the loupe's centre may follow, as in 9,9,60x40@90,60")
            case .size: ("a size", "two whole numbers with an x between, such as 640x480")
            case .shape: ("a shape", "circle, rectangle or \(GivenShape.forms)")
            case .pixelSize: ("a length", "auto, or \(PhysicalLength.forms)")
            case .family: ("the name of a font's family", "at most 100 letters, without commas, such as DejaVu Sans")
            case .paths: ("a list of pages", "paths with commas between, such as b.png,c.png")
            case .texts:
                ("a list of titles", "texts of at most 1000 letters with commas between, such as input,ours")
            case .corner: ("a corner", GivenCorner.forms)
            case .integer(let range): ("a whole number", "\(range.lowerBound) to \(range.upperBound)")
            case .number(let range, let unit):
                (
                    "a number",
                    "\(range.lowerBound.jsonText) to \(range.upperBound.jsonText)\(unit.map { " \($0)" } ?? "")"
                )
            case .choice, .path, .words, .text, .none: nil
            }
        }

        /// A clause about a text that is no such value.
        func refusal(of text: String) -> String {
            if case .choice(let names) = self {
                let last = names.last ?? ""
                return "'\(text.quotable)' is not one of \(names.dropLast().joined(separator: ", ")) or \(last)"
            }
            guard let (what, forms) = forms else { return "'\(text.quotable)' is not a valid value" }
            return "'\(text.quotable)' is not \(what): \(forms)"
        }
    }

    /// The flag without its dashes, and the key of a job.
    package let name: String
    /// What stands for the value in help.
    package let valueName: String
    /// What it is, as the start of a sentence.
    private(set) var meaning: String
    /// What its value is.
    package let value: Value
    /// What holds where it is not given.
    package private(set) var standard: String?
    /// The value that it has where it is given alone; nil where it needs one.
    package let alone: String?
    /// The word of `--loupe` that has it as one of its parts: `rim` for the rim's width and its colour. Nil where none has.
    package let word: String?
    /// Where a loupe has the value, as keys of the scene with dots between; nil where it is no field, or not that alone.
    package let field: String?

    /// An option that is a field of a loupe: name, unit, range and choices are those of the table of fields.
    /// - Parameter meaning: nil where the name says all.
    init(
        field path: String, _ valueName: String, _ meaning: String? = nil, standard: String? = nil, unit: String? = nil
    ) {
        let keys = path.split(separator: ".").suffix(2).map { String($0) }
        let noun = keys.last == "color" ? "colour" : keys.last ?? ""
        (name, field, self.valueName) = (keys.joined(separator: "-"), path, valueName)
        (self.standard, alone, word) = (standard, nil, path.hasPrefix("versus") ? nil : keys[0])
        self.meaning = meaning ?? "The \(keys.count > 1 ? keys[0] : "loupe")'s \(noun)"
        switch SceneFields.loupe.row(at: path)?.kind {
        case .number(let low, let high, let isLength):
            value = .number(
                low...(high ?? Loupe.radiusRange.upperBound), unit: isLength ? "canvas pixels" : unit)
        case .choice(let names): value = .choice(names)
        case .named("vector"): value = .point
        case .named("color"): value = .color
        default: preconditionFailure("\(path) is no field of a loupe that is written as one text")
        }
    }

    init(
        _ name: String, _ valueName: String, _ meaning: String, _ value: Value, standard: String? = nil,
        alone: String? = nil, word: String? = nil
    ) {
        (self.name, self.valueName, self.meaning, self.alone) = (name, valueName, meaning, alone)
        (self.value, self.standard, self.word, field) = (value, standard, word, nil)
    }

    /// As on the command line.
    package var flag: String { "--\(name)" }

    /// The meaning, the unit and range or the names that are allowed, and the default.
    package var help: String {
        var text = meaning
        switch value {
        case .number(let range, let unit):
            if let unit { text += ", in \(unit)" }
            text += ", \(range.lowerBound.jsonText) to \(range.upperBound.jsonText)"
        case .choice(let names):
            text += ": \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        case .point: text += ", in canvas pixels"
        case .position: text += ": \(Position.forms)"
        case .focus: text += ": \(FocusTarget.forms)"
        default: break
        }
        if let standard { text += ". Default: \(standard)" }
        return "\(text)."
    }

    /// The same option, whose help is the first clause of the meaning, without the default.
    package var brief: PictureOption {
        var option = self
        let end = meaning.indices.first { index in ["; ", ". "].contains { meaning[index...].hasPrefix($0) } }
        (option.meaning, option.standard) = (String(meaning[..<(end ?? meaning.endIndex)]), nil)
        return option
    }
}

// MARK: - The options of a page

extension PictureOption {
    private static let pixels = "canvas pixels"

    package static let canvas = PictureOption(
        "canvas", "WxH", "The canvas's size in pixels, 1x1 to 16384x16384; the page is scaled to fit", .size,
        standard: "the page and its margin")
    package static let margin = PictureOption(
        "margin", "M", "Room around the page, in canvas pixels", .number(0...8192), standard: "0")
    package static let background = PictureOption(
        "background", "COLOR", "The canvas's colour: \(Color.forms)", .color,
        standard:
            "transparent for a page with transparency, the page's paper where loupes beside the page make the canvas wider, else #cccccc"
    )
    package static let frame = PictureOption(
        "frame", "light|dark|COLOR|COLOR..COLOR",
        "Put the page on a backdrop of soft greys, of a colour or of a gradient between two, with room around it, round corners and a shadow; without a value, dark around a dark drawing and light around all else",
        .frame, alone: "auto")
    package static let corner = PictureOption(
        "corner", "R:STYLE",
        """
        The page's corners: a radius in canvas pixels and a curve; R is 0 to half the shorter side, RX/RY for one along \
        each edge, or four of them with commas for top left, top right, bottom right, bottom left; STYLE is \
        \(GivenCorner.styleForms)
        """, .corner, standard: "0; squircle")
    package static let cornerKeepDiagonal = PictureOption(
        "corner-keep-diagonal", "",
        "Read the radius of the page's corners as that of a round corner, and make them look as large as that one",
        .none)
    package static let pageFilter = PictureOption(
        "page-filter", "F", "The page's filter", .choice(Filter.allCases.map { $0.rawValue }),
        standard: "lanczos; sharp for pixel art that is enlarged, and for other pages from six times on")
    package static let scale = PictureOption(
        "scale", "S",
        "Draw everything S times as large, from the page's own pixels: 2 is for screens of twice the density",
        .number(0.1...16), standard: "1, or more for a PNG of an SVG or PDF, and for loupes on at most 256 pixels")
    package static let blending = PictureOption(
        "blending", "B", "srgb blends encoded values, linear blends in linear light",
        .choice(Blending.allCases.map { $0.rawValue }), standard: "srgb")
}

// MARK: - The options of a loupe

extension PictureOption {
    package static let at = PictureOption(
        "at", "X,Y", "The loupe's centre", .position, standard: "no loupe",
        word: "at")
    package static let radius = PictureOption(
        field: "radius", "R", standard: "a fifth of the canvas's shorter side")
    package static let shape = PictureOption(
        "shape", "SHAPE",
        "A rectangle of WxH canvas pixels in place of the disc; 2 to 16384 each way; WxH:R:STYLE has corners as those of --corner; of a callout that shows a region also circle or rectangle, whose size follows from the region",
        .shape, standard: "a disc; a rectangle for the region of a callout", word: "shape")
    package static let zoom = PictureOption(
        field: "zoom", "Z", "Magnification relative to the canvas", standard: "3")
    package static let focus = PictureOption(
        "focus", "X,Y",
        "What the loupe shows at its centre; where it is a region, --zoom follows from --radius, --radius from --zoom, or, without both, the zoom (2 to 64, less for most of a page) from the default radius",
        .focus, standard: "the centre",
        word: "focus")
    package static let filter = PictureOption(
        field: "filter", "F",
        standard: "auto: sharp for pixel art, and from 6 canvas pixels a pixel of the page on, else cubic")
    package static let rimWidth = PictureOption(
        field: "rim.width", "W", "The rim's width (at most the radius)",
        standard: "1.5 to a fortieth of the radius, by the page's kind")
    package static let rimColor = PictureOption(
        field: "rim.color", "COLOR", standard: "the ring's; without one grey on light pages, white in photographs")
    package static let shadowBlur = PictureOption(
        field: "shadow.blur", "B", "The shadow's blur, which is twice its standard deviation",
        standard: "a fifth of the radius")
    package static let shadowColor = PictureOption(
        field: "shadow.color", "COLOR", standard: "#00000066")
    package static let shadowOffset = PictureOption(
        field: "shadow.offset", "X,Y", standard: "down a sixteenth of the radius")
    package static let versus = PictureOption(
        "versus", "IMAGE", "Split the loupe: an image that its other half shows in place of the page", .path)
    package static let versusAngle = PictureOption(
        field: "versus.angle", "A", "How far the halves are turned clockwise",
        standard: "0, the other half on the right", unit: "degrees")
    package static let dividerWidth = PictureOption(
        field: "versus.divider.width", "W", "The width of the line between the halves", standard: "no line")
    package static let dividerColor = PictureOption(
        field: "versus.divider.color", "COLOR", "The colour of the line between the halves", standard: "#ffffff")
    package static let callout = PictureOption(
        "callout", "FX,FY@CX,CY",
        "A loupe at CX,CY that shows FX,FY, with a ring around that; repeat for more. Both are written as --at and --focus are, so FX,FY may be a region. Without @CX,CY it is placed as --place says. Words of --loupe may follow, for this callout alone: 40%,30% zoom=3",
        .callout)
    package static let ringWidth = PictureOption(
        field: "callout.ring.width", "W", standard: "3, less on pages under 480 pixels, more on those over 640")
    /// A ring as it is by default; a word of `--loupe` alone.
    static let ring = PictureOption("ring", "", "A ring around what the loupe shows", .none)
    package static let ringColor = PictureOption(
        field: "callout.ring.color", "COLOR", standard: "as --accent says")
    package static let connector = PictureOption(
        "connector", "STYLE", "What leads from the ring to the loupe",
        .choice(Connector.Style.allCases.map { $0.rawValue } + ["none"]),
        standard: "a leader with --callout where it runs over nothing but paper; else none",
        word: "connector")
    package static let connectorWidth = PictureOption(
        field: "callout.connector.width", "W", "The width of lines, an arrow or a leader",
        standard: "2, of an arrow 3, more on pages over 640 pixels")
    package static let connectorColor = PictureOption(
        field: "callout.connector.color", "COLOR", standard: "the ring's, translucent for a cone")
    package static let accent = PictureOption(
        "accent", "auto|COLOR",
        "The colour of rings, rims and connectors; auto is red, on dark pages yellow, and a colour for each of several callouts without letters",
        .accent, standard: "auto")
    package static let plain = PictureOption(
        "plain", "",
        "Draw loupes without the default style: no rim, no shadow and no casings but those that are asked for", .none)
    package static let grid = PictureOption(
        "grid", "", "Lines between the page's pixels where each is at least 4 canvas pixels wide", .none)
    package static let gridColor = PictureOption(field: "grid.color", "COLOR")
    package static let mark = PictureOption("mark", "", "A frame around the page's pixel in the loupe's centre", .none)
    package static let markWidth = PictureOption(field: "mark.width", "W")
    package static let markColor = PictureOption(field: "mark.color", "COLOR")
    package static let outside = PictureOption(
        field: "outside", "background|transparent|clamp",
        "What a loupe shows beyond the page: the background, what is below the loupe (transparent), or never that, as its view moves to stay on the page (clamp)",
        standard: "background; clamp for a callout on a page that fills the canvas, with square corners")
    package static let strokes = PictureOption(
        field: "strokes", "scale|keep",
        "How wide a loupe shows the strokes of an SVG: magnified (scale), or as wide as on the page (keep)",
        standard: "scale")
    package static let opacity = PictureOption(field: "opacity", "O", standard: "1")

    package static let letters = PictureOption(
        "letters", "a|A|1",
        "Mark each loupe, and the ring around what it shows, with the same letter or number, from this one on; without a value, from a",
        .choice(FigureText.Letters.allCases.map { $0.rawValue }), alone: "a")
    package static let label = PictureOption(
        "label", "TEXT", "The loupe's mark in place of a letter", .text, word: "label")
    package static let zoomLabel = PictureOption(
        "zoom-label", "", "Write each loupe's zoom factor beside it, such as 3×", .none)
    package static let pixelSize = PictureOption(
        "pixel-size", "auto|LENGTH",
        "Draw a scale bar in the page and in each loupe: how large a pixel of the page is in the world, \(PhysicalLength.forms) (auto: as the page's file says)",
        .pixelSize)
    package static let barCorner = PictureOption(
        "bar-corner", "CORNER", "Where scale bars lie in the page and in loupes",
        .choice(["auto"] + CornerPosition.allCases.map { $0.optionName }),
        standard: "auto: the emptiest corner of the page, and the same one of all loupes")
    package static let labelFont = PictureOption(
        "label-font", "FAMILY", "The family of the font of letters, zoom factors and scale bars", .family,
        standard: "sans-serif")
    package static let labelSize = PictureOption(
        "label-size", "S", "The size of letters (zoom factors and scale bars have four fifths of it)",
        .number(LoupeScene.TextStyle.sizeRange, unit: pixels),
        standard: "a 36th of the page's shorter side, at least 11, and 7 points on paper")
    package static let labelColor = PictureOption(
        "label-color", "COLOR", "The colour of letters, zoom factors and scale bars", .color,
        standard: "black, or white on a dark page, each with a halo of the other")

    package static let alt = PictureOption(
        "alt", "TEXT",
        "What the picture shows, for readers who can't see it; it is stored in the file", .text,
        standard: "a sentence about the loupes, in PDF and SVG")

    package static let compareWith = PictureOption(
        "compare-with", "PAGE,…",
        "Other pages of the same size: each is drawn with the same loupes and text, all side by side with titles beneath",
        .paths)
    package static let titles = PictureOption(
        "titles", "TEXT,…", "The titles beneath the pages that are compared, the input's first", .texts,
        standard: "the files' names")
    package static let columns = PictureOption(
        "columns", "N", "How many of the compared pages stand in a row, a whole number, 1 to 100",
        .integer(1...100), standard: "all of up to four; of more, so that there are about as many rows")

    package static let loupe = PictureOption(
        "loupe", "KEY=VALUE …", "A loupe with properties of its own; repeat for more. Words: \(wordForms)", .words)
    package static let place = PictureOption(
        "place", "PLACE",
        "Where loupes go that have only a focus. auto: on an even area of the page, or else beside it, and with --canvas as page; page: on the canvas as it is; beside: in columns beside the page, or in rows beneath a wide one",
        .choice(PlacePolicy.allCases.map { $0.rawValue }), standard: "auto")

    /// All options, in the order of the help.
    package static let all: [PictureOption] =
        [
            canvas, margin, background, frame, corner, cornerKeepDiagonal, pageFilter, scale, blending, callout, place,
            loupe, accent, plain, letters,
            zoomLabel,
            pixelSize, barCorner, labelFont, labelSize, labelColor, alt, compareWith, titles, columns, grid, mark,
            versus,
            versusAngle, dividerWidth, dividerColor,
        ] + words

    /// The options that `--loupe` has, in the order of its help.
    package static let words: [PictureOption] = [
        at, radius, shape, zoom, focus, filter, rimWidth, rimColor,
        shadowBlur, shadowColor, shadowOffset, ringWidth, ringColor, connector, connectorWidth, connectorColor,
        gridColor, markWidth, markColor, outside, strokes, opacity, label,
    ]

    /// A clause about what is written in place of an option that was taken away; nil for any other name.
    package static func successor(of name: String) -> String? {
        let successors = [
            "corner-radius": "--corner R", "corner-exponent": "--corner R:N", "corner-style": "--corner R:STYLE",
            "corner-css": "--corner 'R:css(K)'", "corner-figma": "--corner 'R:figma(S)'", "shape-size": "--shape WxH",
            "shape-radius": "--shape WxH:R", "shape-exponent": "--shape WxH:R:N", "shape-style": "--shape WxH:R:STYLE",
        ]
        return successors[name].map { "it is \($0) now" }
    }

    /// The option of a name.
    package static func named(_ name: String) -> PictureOption? { byName[name] }
    private static let byName: [String: PictureOption] = all.reduce(into: [:]) { $0[$1.name] = $1 }

    /// The keys of `--loupe`, each once.
    static let wordKeys = words.compactMap { $0.word }.reduce(into: [String]()) { keys, key in
        if !keys.contains(key) { keys.append(key) }
    }

    /// The words of `--loupe` for its help, such as `rim=W:COLOR`.
    private static var wordForms: String {
        wordKeys.map { key in
            return "\(key)=\(words.filter { $0.word == key }.map { $0.valueName }.joined(separator: ":"))"
        }.joined(separator: ", ")
    }
}

/// The rule for where loupes go that nobody gave a place.
enum PlacePolicy: String, Sendable, CaseIterable {
    /// In even areas of the page, or else beside it.
    case auto
    /// On the canvas.
    case page
    /// Beside the page, on a wider canvas.
    case beside
}

extension CornerPosition {
    /// As options write it: `top-left` for `topLeft`.
    var optionName: String {
        rawValue.reduce(into: "") { $0 += $1.isUppercase ? "-\($1.lowercased())" : String($1) }
    }
}
