import LoupeSystem

/// Which values SVG allows for an attribute. Of others, each program makes something else.
enum SVGValues {
    private enum Rule {
        /// One length, or one of some words.
        case length(isSize: Bool, or: Set<String>)
        /// As many numbers as one of these, none below a limit.
        case numbers(Set<Int>, from: Double)
        /// One of these, in exactly these letters.
        case words(Set<String>)
        /// A number of degrees, or a word.
        case angle
        /// The edges of a part of a plane that is not empty.
        case box
        case aspect
        case transform
        case color
    }

    /// Whether a value is one of the attribute's. Of attributes without a rule all are.
    static func allow(_ value: ArraySlice<UInt8>, for attribute: String, of element: String) -> Bool {
        // As most colours are written.
        if !known.contains(attribute) || value.first == UInt8(ascii: "#") { return true }
        guard let rule = rule(for: attribute, of: element) else { return true }
        let isSpace = { (byte: UInt8) in byte == 0x20 || 9...13 ~= byte }
        let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
        let text = String(decoding: value[..<end].drop(while: isSpace), as: UTF8.self)
        // An entity may stand for anything.
        return text.contains("&") || isRight(text, by: rule)
    }

    /// Attributes that may not be negative, also where they are plain numbers.
    static let sizes: Set = ["width", "height", "r", "rx", "ry", "fr", "markerwidth", "markerheight", "stroke-width"]

    private static func rule(for attribute: String, of element: String) -> Rule? {
        if element.starts(with: "fe"), let rule = ofFilters[element + " " + attribute] ?? ofFilters[attribute] {
            return rule
        }
        if placed.contains(element), let rule = ofPlaces[attribute] { return rule }
        return ofAll[attribute] ?? ofAll[element + " " + attribute]
    }

    /// The elements with a place or a size that is one length.
    private static let placed: Set = [
        "svg", "rect", "circle", "ellipse", "line", "image", "use", "mask", "pattern", "filter", "lineargradient",
        "radialgradient", "marker", "feflood", "feimage", "feoffset", "fegaussianblur", "feblend", "fecomposite",
    ]

    private static let ofPlaces: [String: Rule] = {
        var rules: [String: Rule] = [:]
        for name in ["x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "fx", "fy"] {
            rules[name] = .length(isSize: false, or: [])
        }
        for name in sizes { rules[name] = .length(isSize: true, or: []) }
        for name in ["width", "height"] { rules[name] = .length(isSize: true, or: ["auto"]) }
        return rules
    }()

    /// The attributes that have a rule in any element.
    private static let known: Set<String> = Set(
        [ofPlaces, ofAll, ofFilters].flatMap { $0.keys.map { String($0.split(separator: " ").last ?? "") } })

    private static let units = Rule.words(["userSpaceOnUse", "objectBoundingBox"])

    /// By attributes, or by elements and attributes.
    private static let ofAll: [String: Rule] = [
        "stroke-width": .length(isSize: true, or: ["inherit"]),
        "viewbox": .box, "preserveaspectratio": .aspect,
        "transform": .transform, "gradienttransform": .transform, "patterntransform": .transform,
        "gradientunits": units, "patternunits": units, "patterncontentunits": units, "maskunits": units,
        "maskcontentunits": units, "clippathunits": units, "filterunits": units, "primitiveunits": units,
        "markerunits": .words(["strokeWidth", "userSpaceOnUse"]),
        "spreadmethod": .words(["pad", "reflect", "repeat"]),
        "stop offset": .length(isSize: false, or: []),
        "marker orient": .angle,
        "style type": .words(["text/css", ""]),
        "fill": .color, "stroke": .color, "stop-color": .color, "flood-color": .color, "color": .color,
    ]

    private static let ofFilters: [String: Rule] = [
        "stddeviation": .numbers([1, 2], from: 0), "radius": .numbers([1, 2], from: 0),
        "order": .numbers([1, 2], from: 1), "basefrequency": .numbers([1, 2], from: 0),
        "dx": .numbers([1], from: -.infinity), "dy": .numbers([1], from: -.infinity),
        "scale": .numbers([1], from: -.infinity), "surfacescale": .numbers([1], from: -.infinity),
        "diffuseconstant": .numbers([1], from: 0), "specularconstant": .numbers([1], from: 0),
        "specularexponent": .numbers([1], from: 1),
        "fecolormatrix values": .numbers([1, 20], from: -.infinity),
        "fecolormatrix type": .words(["matrix", "saturate", "hueRotate", "luminanceToAlpha"]),
        "feturbulence type": .words(["fractalNoise", "turbulence"]),
        "feblend mode": .words([
            "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light",
            "soft-light", "difference", "exclusion", "hue", "saturation", "color", "luminosity",
        ]),
        "fecomposite operator": .words(["over", "in", "out", "atop", "xor", "lighter", "arithmetic"]),
        "femorphology operator": .words(["erode", "dilate"]),
        "edgemode": .words(["duplicate", "wrap", "none"]),
        "xchannelselector": .words(["R", "G", "B", "A"]), "ychannelselector": .words(["R", "G", "B", "A"]),
    ]

    /// The colours of a desktop, which librsvg does not know.
    private static let colorsOfDesktops: Set = [
        "accentcolor", "accentcolortext", "activetext", "buttonborder", "buttonface", "buttontext", "canvas",
        "canvastext", "field", "fieldtext", "graytext", "highlight", "highlighttext", "linktext", "mark", "marktext",
        "selecteditem", "selecteditemtext", "visitedtext", "window", "windowtext",
    ]

    private static func isRight(_ text: String, by rule: Rule) -> Bool {
        switch rule {
        case .length(let isSize, let words):
            if words.contains(text) || text.contains("(") { return true }
            guard let number = number(text, units: true) else { return false }
            return !isSize || number >= 0
        case .numbers(let counts, let least):
            let numbers = parts(text).map { number($0, units: false) }
            return counts.contains(numbers.count) && numbers.allSatisfy { ($0 ?? -.infinity) >= least && $0 != nil }
        case .words(let words): return words.contains(text)
        case .angle:
            if ["auto", "auto-start-reverse"].contains(text) { return true }
            let number =
                ["deg", "grad", "rad"].first(where: text.hasSuffix).map { text.dropLast($0.count) } ?? text[...]
            return Double(number) != nil
        case .box:
            let numbers = parts(text).compactMap { number($0, units: false) }
            return text == "none" || numbers.count == 4 && parts(text).count == 4 && numbers[2] > 0 && numbers[3] > 0
        case .aspect:
            let words = text.split(separator: " ")
            let isPlace = words.first.map { $0 == "none" || places.contains(String($0)) } ?? false
            return isPlace && (words.count == 1 || words.count == 2 && ["meet", "slice"].contains(words[1]))
        case .transform: return isTransform(text)
        case .color:
            let word = text.lowercased()
            return !colorsOfDesktops.contains(word) && word != "url()" && !word.contains("(none")
        }
    }

    private static let places = Set(
        ["xMin", "xMid", "xMax"].flatMap { x in ["YMin", "YMid", "YMax"].map { x + $0 } })

    private static func parts(_ text: String) -> [Substring] { text.split { ", \n\t\r".contains($0) } }

    private static func number(_ text: some StringProtocol, units: Bool) -> Double? {
        let digits = text.prefix { "0123456789+-.".contains($0) || $0 == "e" || $0 == "E" }
        if let number = Double(text) { return number }
        guard units else { return nil }
        // The e may begin `em` or `ex`.
        let isUnit = { (rest: Substring) in knownUnits.contains(rest.lowercased()) }
        for length in [digits.count, digits.count - 1] where length > 0 {
            let start = text.prefix(length)
            if let number = Double(start), isUnit(Substring(text.dropFirst(length))) { return number }
        }
        return nil
    }

    /// Units; those that librsvg lacks are named by themselves.
    private static let knownUnits: Set = [
        "px", "pt", "pc", "mm", "cm", "in", "em", "ex", "%", "rem", "ch", "q", "vw", "vh", "vmin", "vmax", "deg",
        "grad", "rad", "turn",
    ]

    /// How many numbers the functions of a transform have.
    private static let functions: [String: ClosedRange<Int>] = [
        "translate": 1...2, "scale": 1...2, "rotate": 1...3, "skewX": 1...1, "skewY": 1...1, "matrix": 6...6,
    ]

    private static func isTransform(_ text: String) -> Bool {
        if text.isEmpty || text == "none" { return true }
        guard text.hasSuffix(")") else { return false }
        return text.split(separator: ")").allSatisfy { function in
            let parts = function.split(separator: "(", maxSplits: 1, omittingEmptySubsequences: false)
            let name = String(parts[0].filter { !", \n\t\r".contains($0) })
            guard parts.count == 2, let count = functions[name] else { return parts.count == 1 && name.isEmpty }
            // Of numbers without anything between, like `0-5`, each is one more.
            let numbers = Self.parts(String(parts[1]))
            return numbers.count <= count.upperBound
                && numbers.allSatisfy { $0.allSatisfy("0123456789+-.eE".contains) || number($0, units: true) != nil }
        }
    }
}
