import ArgumentParser
import LoupeJSON
import LoupeScene

/// One option of a page or a loupe, described once for all who read it: the flags of `render` and their help, the words of
/// `--loupe`, and the keys of a job in `batch`, which are the flags' names.
struct PictureOption: Sendable {
    /// What a value is.
    enum Value: Sendable {
        /// A number; its range is the one that does not depend on other options.
        case number(ClosedRange<Double>, unit: String? = nil)
        /// `X,Y` in canvas pixels: an offset.
        case point
        /// Where something is: a `Position`.
        case position
        /// What a loupe shows: a `FocusArgument`.
        case focus
        /// One of `Color.forms`.
        case color
        /// One of these names.
        case choice([String])
        /// `R`, `RX/RY`, or four of them with commas.
        case radii
        /// Anything else, as the sentence says: a size, a path, a whole loupe.
        case other
        /// None: the option is given or not.
        case none
    }

    /// How `--loupe` writes it: in a word `key=…`, and where in a loupe's JSON it goes.
    struct Word: Sendable {
        /// Before the equals sign.
        let key: String
        /// The keys of the JSON members, from the outside in.
        let path: [String]
    }

    /// The flag without its dashes, and the key of a job. Nil where only `--loupe` has the option.
    let name: String?
    /// What stands for the value in help.
    let valueName: String
    /// What it is, as the start of a sentence.
    let meaning: String
    let value: Value
    /// What holds where it is not given.
    let standard: String?
    let word: Word?

    init(
        _ name: String?, _ valueName: String, _ meaning: String, _ value: Value = .other, standard: String? = nil,
        word: Word? = nil
    ) {
        (self.name, self.valueName, self.meaning) = (name, valueName, meaning)
        (self.value, self.standard, self.word) = (value, standard, word)
    }

    /// As on the command line.
    var flag: String { "--\(name ?? "")" }

    /// The meaning, the unit and range or the names that are allowed, and the default.
    var help: ArgumentHelp {
        var text = meaning
        switch value {
        case .number(let range, let unit):
            if let unit { text += ", in \(unit)" }
            text += ", \(range.lowerBound.jsonText) to \(range.upperBound.jsonText)"
        case .choice(let names):
            text += ": \(names.dropLast().joined(separator: ", ")) or \(names.last ?? "")"
        case .point: text += ", in canvas pixels"
        case .position: text += ": \(Position.forms)"
        case .focus: text += ": \(FocusArgument.forms)"
        case .color, .radii, .other, .none: break
        }
        if let standard { text += ". Default: \(standard)" }
        return ArgumentHelp("\(text).", valueName: valueName)
    }

    /// A value in the option's range, or in a narrower one that other options set.
    /// - Throws: `Failure`, 64.
    func checked(_ number: Double, in narrower: ClosedRange<Double>? = nil) throws -> Double {
        guard case .number(let own, _) = value else { return number }
        return try FlagValue.checked(flag, number, in: narrower ?? own)
    }

    /// Whether a value may begin with a minus sign.
    fileprivate var isNumeric: Bool {
        switch value {
        case .number, .point, .position, .focus, .radii: true
        case .color, .choice, .other, .none: false
        }
    }
}

extension Option {
    /// An option as its description says.
    init<Element: ExpressibleByArgument>(_ option: PictureOption) where Value == Element? {
        self.init(
            name: .customLong(option.name ?? ""), parsing: option.isNumeric ? .unconditional : .next, help: option.help)
    }
}

extension Flag where Value == Bool {
    /// A flag as its description says.
    init(wrappedValue: Bool, _ option: PictureOption) {
        self.init(wrappedValue: wrappedValue, name: .customLong(option.name ?? ""), help: option.help)
    }
}

// MARK: - The options of a page

extension PictureOption {
    private static let pixels = "canvas pixels"

    static let canvas = PictureOption(
        "canvas", "WxH", "The canvas's size in pixels, 1x1 to 16384x16384; the page is scaled to fit",
        standard: "the page and its margin")
    static let margin = PictureOption(
        "margin", "M|auto", "Room around the page (auto: as much as --place auto needs to cover nothing)",
        .number(0...8192, unit: pixels), standard: "0")
    static let background = PictureOption(
        "background", "COLOR", "The canvas's colour: \(Color.forms)", .color,
        standard:
            "transparent for a page with transparency, the page's edge where --place beside or --margin auto makes the canvas wider, else #cccccc"
    )
    static let frame = PictureOption(
        "frame", "light|dark|COLOR|COLOR..COLOR",
        "Put the page on a backdrop of soft greys, of a colour or of a gradient between two, with room around it, round corners and a shadow; without a value, light"
    )
    static let cornerRadius = PictureOption(
        "corner-radius", "R",
        """
        The page's corner radius in canvas pixels, 0 to half its shorter side; RX/RY for one along each edge; four \
        with commas for top left, top right, bottom right, bottom left
        """, .radii, standard: "0")
    static let cornerExponent = PictureOption(
        "corner-exponent", "N", "The corner's exponent (1 a bevel, 2 round, 4 the CSS squircle)",
        .number(Corner.exponentRange), standard: "4")
    static let cornerStyle = PictureOption(
        "corner-style", "STYLE", "In place of the exponent", .choice(CornerStyle.allCases.map(\.rawValue)))
    static let cornerCSS = PictureOption(
        "corner-css", "K", "In place of the exponent: k of CSS's superellipse(k)", .number(CornerShape.cssRange))
    static let cornerFigma = PictureOption(
        "corner-figma", "S", "In place of the exponent: Figma's corner smoothing", .number(CornerShape.figmaRange))
    static let cornerKeepDiagonal = PictureOption(
        "corner-keep-diagonal", "",
        "Read the corner radius as that of a round corner, and make the corner look as large as that one", .none)
    static let pageFilter = PictureOption(
        "page-filter", "F", "The page's filter", .choice(Filter.allCases.map(\.rawValue)),
        standard: "lanczos; sharp for pixel art that is enlarged")
    static let scale = PictureOption(
        "scale", "S",
        "Draw everything S times as large, from the page's own pixels: 2 is for screens of twice the density",
        .number(0.1...16), standard: "1")
    static let blending = PictureOption(
        "blending", "B", "srgb blends encoded values, linear blends in linear light", standard: "srgb")
}

// MARK: - The options of a loupe

extension PictureOption {
    static let at = PictureOption(
        "at", "X,Y", "The loupe's centre", .position, standard: "no loupe",
        word: Word(key: "at", path: ["center"]))
    static let radius = PictureOption(
        "radius", "R", "The loupe's radius", .number(Loupe.radiusRange, unit: pixels),
        standard: "a fifth of the canvas's shorter side", word: Word(key: "radius", path: ["radius"]))
    static let shape = PictureOption(
        nil, "WxH:R:STYLE", "A rectangle in place of the disc", word: Word(key: "shape", path: ["shape"]))
    static let zoom = PictureOption(
        "zoom", "Z", "Magnification relative to the canvas", .number(Loupe.zoomRange), standard: "4",
        word: Word(key: "zoom", path: ["zoom"]))
    static let focus = PictureOption(
        "focus", "X,Y",
        "What the loupe shows at its centre; where it is a region, --zoom follows from --radius, --radius from --zoom, or, without both, the zoom (2 to 64) from the default radius",
        .focus, standard: "the centre",
        word: Word(key: "focus", path: ["focus"]))
    static let filter = PictureOption(
        "filter", "F", "The loupe's filter", .choice(LoupeFilter.allCases.map(\.rawValue)),
        standard: "auto: sharp for pixel art, else nearest from 6 canvas pixels a pixel of the page on, else cubic",
        word: Word(key: "filter", path: ["filter"]))
    static let rimWidth = PictureOption(
        "rim-width", "W", "The rim's width (at most the radius)",
        .number(0...Loupe.radiusRange.upperBound, unit: pixels),
        standard: "a thirtieth of the radius, at least 2", word: Word(key: "rim", path: ["rim", "width"]))
    static let rimColor = PictureOption(
        "rim-color", "COLOR", "The rim's colour", .color, standard: "#ffffff",
        word: Word(key: "rim", path: ["rim", "color"]))
    static let shadowBlur = PictureOption(
        "shadow-blur", "B", "The shadow's blur, which is twice its standard deviation",
        .number(Loupe.Shadow.blurRange, unit: pixels), standard: "a fifth of the radius",
        word: Word(key: "shadow", path: ["shadow", "blur"]))
    static let shadowColor = PictureOption(
        "shadow-color", "COLOR", "The shadow's colour", .color, standard: "#00000066",
        word: Word(key: "shadow", path: ["shadow", "color"]))
    static let shadowOffset = PictureOption(
        "shadow-offset", "X,Y", "The shadow's offset", .point, standard: "down a sixteenth of the radius",
        word: Word(key: "shadow", path: ["shadow", "offset"]))
    static let shapeSize = PictureOption(
        "shape-size", "WxH",
        "A rectangle in place of the disc, in canvas pixels, 2 to 16384 each way; excludes --radius")
    static let shapeRadius = PictureOption(
        "shape-radius", "R", "The rectangle's corner radius, written as the page's", .radii,
        standard: "a quarter of the shorter side")
    static let shapeExponent = PictureOption(
        "shape-exponent", "N", "The rectangle's corner exponent", .number(Corner.exponentRange), standard: "4")
    static let versus = PictureOption(
        "versus", "IMAGE", "Split the loupe: an image that its other half shows in place of the page")
    static let versusAngle = PictureOption(
        "versus-angle", "A", "How far the halves are turned clockwise",
        .number(Loupe.Split.angleRange, unit: "degrees"), standard: "0, the other half on the right")
    static let dividerWidth = PictureOption(
        "divider-width", "W", "The width of the line between the halves",
        .number(Loupe.Split.Divider.widthRange, unit: pixels), standard: "no line")
    static let dividerColor = PictureOption(
        "divider-color", "COLOR", "The colour of the line between the halves", .color, standard: "#ffffff")
    static let callout = PictureOption(
        "callout", "FX,FY@CX,CY",
        "A loupe at CX,CY that shows FX,FY, with a ring around that and lines to it; repeat for more. Both are written as --at and --focus are, so FX,FY may be a region. Without @CX,CY it needs --place"
    )
    static let ringWidth = PictureOption(
        "ring-width", "W", "The ring's width", .number(Callout.widthRange, unit: pixels),
        standard: "3, more on canvases over 1000 pixels",
        word: Word(key: "ring", path: ["callout", "ring", "width"]))
    static let ringColor = PictureOption(
        "ring-color", "COLOR", "The ring's colour", .color, standard: "the accent",
        word: Word(key: "ring", path: ["callout", "ring", "color"]))
    static let connector = PictureOption(
        "connector", "STYLE", "What leads from the ring to the loupe",
        .choice(ConnectorChoice.allCases.map(\.rawValue)), standard: "lines with --callout, else none",
        word: Word(key: "connector", path: ["callout", "connector", "style"]))
    static let connectorWidth = PictureOption(
        "connector-width", "W", "The width of lines and of an arrow", .number(Callout.widthRange, unit: pixels),
        standard: "2, more on canvases over 1000 pixels",
        word: Word(key: "connector", path: ["callout", "connector", "width"]))
    static let connectorColor = PictureOption(
        "connector-color", "COLOR", "The connector's colour", .color, standard: "the accent, translucent for a cone",
        word: Word(key: "connector", path: ["callout", "connector", "color"]))
    static let accent = PictureOption(
        "accent", "auto|COLOR",
        "The colour of rings and connectors; auto is the one of a few that stands out most from the page",
        standard: "auto")
    static let plain = PictureOption(
        "plain", "",
        "Draw loupes without the default style: no rim, no shadow and no casings but those that are asked for", .none)
    static let grid = PictureOption(
        "grid", "", "Lines between the page's pixels where each is at least 4 canvas pixels wide", .none)
    static let gridColor = PictureOption(
        nil, "COLOR", "The grid's colour", .color, word: Word(key: "grid", path: ["grid", "color"]))
    static let mark = PictureOption("mark", "", "A frame around the page's pixel in the loupe's centre", .none)
    static let markWidth = PictureOption(
        nil, "W", "The mark's width", .number(Callout.widthRange, unit: pixels),
        word: Word(key: "mark", path: ["mark", "width"]))
    static let markColor = PictureOption(
        nil, "COLOR", "The mark's colour", .color, word: Word(key: "mark", path: ["mark", "color"]))
    static let outside = PictureOption(
        "outside", "background|transparent|clamp",
        "What a loupe shows beyond the page: the background, what is below the loupe (transparent), or never that, as its view moves to stay on the page (clamp)",
        standard: "background", word: Word(key: "outside", path: ["outside"]))

    static let letters = PictureOption(
        "letters", "a|A|1",
        "Mark each loupe, and the ring around what it shows, with the same letter or number, from this one on")
    static let ownLabel = PictureOption(
        nil, "TEXT", "The loupe's mark in place of a letter", word: Word(key: "label", path: ["label"]))
    static let zoomLabel = PictureOption("zoom-label", "", "Write each loupe's zoom factor in it, such as 4×", .none)
    static let pixelSize = PictureOption(
        "pixel-size", "auto|LENGTH",
        "Draw a scale bar in the page and in each loupe: how large a pixel of the page is in the world, \(PhysicalLength.forms) (auto: as the page's file says)"
    )
    static let barCorner = PictureOption(
        "bar-corner", "CORNER", "Where scale bars lie in the page and in loupes",
        .choice(BarCorner.allCases.map(\.rawValue)),
        standard: "auto: bottom-right, in the page the first corner without a loupe or a ring")
    static let labelFont = PictureOption(
        "label-font", "FAMILY", "The family of the font of letters, zoom factors and scale bars",
        standard: "sans-serif")
    static let labelSize = PictureOption(
        "label-size", "S", "The size of letters (zoom factors and scale bars have four fifths of it)",
        .number(LoupeScene.TextStyle.sizeRange, unit: pixels),
        standard: "a thirtieth of the canvas's shorter side, at least 11")
    static let labelColor = PictureOption(
        "label-color", "COLOR", "The colour of letters, zoom factors and scale bars", .color,
        standard: "black, or white on a dark page, each with a halo of the other")

    static let compareWith = PictureOption(
        "compare-with", "PAGE,…",
        "Other pages of the same size: each is drawn with the same loupes and text, all side by side with titles beneath"
    )
    static let titles = PictureOption(
        "titles", "TEXT,…", "The titles beneath the pages that are compared, the input's first",
        standard: "the files' names")
    static let columns = PictureOption(
        "columns", "N", "How many of the compared pages stand in a row, a whole number, 1 to 100",
        standard: "all of up to four; of more, so that there are about as many rows")

    /// The options that `--loupe` has, in the order of its help.
    static let words = [
        at, radius, shape, zoom, focus, filter, rimWidth, rimColor, shadowBlur, shadowColor, shadowOffset, ringWidth,
        ringColor, connector, connectorWidth, connectorColor, gridColor, markWidth, markColor, outside, ownLabel,
    ]

    /// The keys of `--loupe`, each once.
    static let wordKeys = words.compactMap(\.word?.key).reduce(into: [String]()) { keys, key in
        if !keys.contains(key) { keys.append(key) }
    }

    /// The words of `--loupe` for its help, such as `rim=W:COLOR`.
    static var wordForms: String {
        wordKeys.map { key in
            let options = words.filter { $0.word?.key == key }
            return "\(key)=\(options.map(\.valueName).joined(separator: ":"))"
        }.joined(separator: ", ")
    }
}

// MARK: - Which flags were given

/// The values of options that are nil, empty or false where they were not given.
private protocol OptionalValue { var isGiven: Bool { get } }

extension Optional: OptionalValue { fileprivate var isGiven: Bool { self != nil } }
extension Array: OptionalValue { fileprivate var isGiven: Bool { !isEmpty } }
extension Bool: OptionalValue { fileprivate var isGiven: Bool { self } }

/// The property wrappers of options.
private protocol OptionWrapper {
    /// The flags that were given, where the property has this name.
    func given(property: String) -> [String]
}

extension Option: OptionWrapper {
    fileprivate func given(property: String) -> [String] {
        (wrappedValue as? any OptionalValue)?.isGiven == true ? [property.asFlag] : []
    }
}

extension Flag: OptionWrapper {
    fileprivate func given(property: String) -> [String] {
        (wrappedValue as? any OptionalValue)?.isGiven == true ? [property.asFlag] : []
    }
}

extension OptionGroup: OptionWrapper {
    fileprivate func given(property: String) -> [String] { wrappedValue.given }
}

extension ParsableArguments {
    /// The flags of this group that were given, as on the command line, in the order of their declarations. Options that
    /// always have a value are not among them.
    var given: [String] {
        Mirror(reflecting: self).children.flatMap { child in
            // A wrapped property `radius` is stored as `_radius`.
            (child.value as? any OptionWrapper)?.given(property: String(child.label?.dropFirst() ?? "")) ?? []
        }
    }
}

extension String {
    /// The flag of a property: `--rim-width` for `rimWidth`.
    var asFlag: String {
        reduce(into: "--") { flag, letter in flag += letter.isUppercase ? "-\(letter.lowercased())" : String(letter) }
    }
}
