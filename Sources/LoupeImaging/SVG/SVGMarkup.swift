import LoupeBase
import LoupeSystem

/// The tags and style sheets of an SVG in one form, so that constructs in them can be looked for as texts.
///
/// Tags have no prefix and small letters: `<rect width="20" style=";fill:red;">`. Each declaration of a style follows a semicolon.
/// Comments, texts, scripts, outlines and the data of pictures are left out; embedded SVGs follow at the end. The outermost element
/// is `<root>`.
struct SVGMarkup {
    private(set) var bytes: [UInt8] = []
    /// The names of its elements.
    private var elements: Set<String> = []
    /// How many texts lose a space between words: at the start of a part of a line, or where a line is broken.
    private(set) var lostSpaces = 0
    /// How many elements of text have a place for each of several letters, or turn them.
    private(set) var lists = 0
    /// How many elements that clip are clipped themselves.
    private(set) var clippedClips = 0
    /// How many texts have spaces that count only where they are kept: several, or at an end.
    private(set) var wideSpaces = 0
    /// How many elements and texts of HTML there are.
    private(set) var htmlParts = 0
    /// How many rules of style sheets stand in other rules.
    private(set) var nestedRules = 0
    /// How many embedded JPEGs are turned by their EXIF.
    private(set) var turnedPictures = 0
    /// How many declarations of elements are written in capitals.
    private(set) var capitals = 0
    /// How many elements but HTML are for programs that know an extension or a feature.
    private(set) var conditions = 0
    /// How many images have a width or a height alone.
    private(set) var halfSizedImages = 0
    /// How many parts of symbols without a viewBox have places or sizes in percent.
    private(set) var partsOfSymbols = 0
    /// How many uses have the size of their symbol.
    private(set) var usesOfSizes = 0
    /// The names of the symbols that have a size of their own so far.
    private var sizedSymbols: Set<String> = []
    /// How many turned elements have a filter.
    private(set) var turnedFilters = 0
    /// How many embedded pictures are of no format that a browser draws, or end too early.
    private(set) var brokenPictures = 0
    /// How many gradients have no length.
    private(set) var pointGradients = 0
    /// How many elements that blend stand in one that is clipped.
    private(set) var blendsInClips = 0
    /// How many paths with markers have several lines.
    private(set) var markedLines = 0
    /// How many values SVG does not allow, and the first of them for a sentence.
    private(set) var wrongValues: (count: Int, example: String)?
    /// The names of what filters have made so far.
    private var results: Set<String> = []
    /// How many CSS pixels the document's units are long, where it has a viewBox.
    var unit = 1.0
    /// The largest radius of a feMorphology, in its units.
    private(set) var largestRadius = 0.0

    init(_ document: [UInt8]) { read(document[...], depth: 0) }

    /// How often a mark stands there. `<use…href=` is a tag that begins and goes on so, `;fill:…%` such a declaration, `#rem` stands
    /// after a digit.
    func count(of mark: String) -> Int {
        if mark.utf8.first == UInt8(ascii: "#") {
            return places(of: String(mark.dropFirst())).count { $0 > 0 && 0x30...0x39 ~= bytes[$0 - 1] }
        }
        if mark.utf8.first == UInt8(ascii: "<") {
            let name = mark.dropFirst().prefix { $0.isLetter }
            guard elements.contains(where: { $0.hasPrefix(name) }) else { return 0 }
        }
        let parts = mark.split(separator: "…")
        guard parts.count > 1 else { return bytes[...].count(of: mark) }
        let ends = mark.first == ";" ? ";>" : ">"
        return places(of: String(parts[0])).count { place in
            var part = bytes[(place + parts[0].utf8.count)...].prefix { !ends.utf8.contains($0) }
            return parts.dropFirst().allSatisfy { rest in
                guard let found = part.firstIndex(of: String(rest)) else { return false }
                part = part[(found + rest.utf8.count)...]
                return true
            }
        }
    }

    private func places(of word: String) -> [Int] {
        var (found, rest) = ([Int](), bytes[...])
        while let place = rest.firstIndex(of: word) {
            found.append(place)
            rest = rest[(place + word.utf8.count)...]
        }
        return found
    }

    /// How many transforms of CSS have lengths or angles without a unit, so that they mean nothing.
    var unitlessTransforms: Int {
        places(of: ";transform:").count { place in
            let text = bytes[(place + ";transform:".utf8.count)...].prefix { !";>\"".utf8.contains($0) }
            return text.split(separator: UInt8(ascii: ")")).contains { function in
                let parts = String(decoding: function, as: UTF8.self).split(separator: "(")
                guard parts.count == 2, ["translate", "rotate", "skew"].contains(where: parts[0].contains) else {
                    return false
                }
                return parts[1].split { ", ".contains($0) }.contains { (Double($0) ?? 0) != 0 }
            }
        }
    }

    /// How many addresses of style sheets and attributes are no part of the document and no embedded data.
    var addressesOutside: Int {
        let inside = ["#", "data:", "&", ")", "http://www.w3.org/"]
        return ["url(", "@import '", "@import \""].reduce(0) { sum, mark in
            var (count, rest) = (sum, bytes[...])
            while let start = rest.firstIndex(of: mark) {
                rest = rest[(start + mark.utf8.count)...].drop { " '\"".utf8.contains($0) }
                if !inside.contains(where: { rest.starts(with: $0.utf8) }) { count += 1 }
            }
            return count
        }
    }

    // MARK: - Reading

    /// An element that is open: what matters for what stands in it.
    private struct Element {
        let name: String
        var keepsSpaces: Bool

        var isText: Bool { name == "text" || name == "tspan" }
        var isClip: Bool { name == "clippath" }
        var isHTML: Bool { name == "foreignobject" }
        /// Whether it is a symbol without a viewBox.
        var isOpenSymbol = false
        /// Whether an element clips it.
        var isClipped = false
        /// Whether it is turned, or stands in one that is.
        var isTurned = false
    }

    private mutating func read(_ document: ArraySlice<UInt8>, depth: Int) {
        var (rest, open, embedded) = (document, [Element](), [[UInt8]]())
        /// Whether a word has ended just before, without a space.
        var isInWord = false
        while !rest.isEmpty {
            let start = rest.firstIndex(of: UInt8(ascii: "<")) ?? rest.endIndex
            takeContent(rest[..<start], in: open, &isInWord)
            rest = rest[start...]
            if rest.starts(with: "<!--".utf8) {
                rest = Self.after("-->", in: rest)
            } else if rest.starts(with: "<![CDATA[".utf8) {
                let end = Self.after("]]>", in: rest)
                takeContent(rest[..<end.startIndex].dropFirst(9).dropLast(3), in: open, &isInWord)
                rest = end
            } else if rest.starts(with: "</".utf8) {
                if open.popLast()?.name != "tspan" { isInWord = false }
                rest = Self.after(">", in: rest)
            } else if rest.starts(with: "<!".utf8) || rest.starts(with: "<?".utf8) {
                rest = Self.after(">", in: rest)
            } else if !rest.isEmpty {
                rest = takeTag(rest.dropFirst(), &open, &embedded)
                if open.last?.isText != true { isInWord = false }
            }
        }
        // As deep as anybody nests them.
        if depth < 3 { for svg in embedded { read(svg[...], depth: depth + 1) } }
    }

    private static func after(_ end: String, in text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        text.firstIndex(of: end).map { text[($0 + end.utf8.count)...] } ?? []
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }

    private static func small(_ byte: UInt8) -> UInt8 { 0x41...0x5a ~= byte ? byte + 32 : byte }

    /// Style sheets are kept; of texts, it is seen whether a space is lost.
    private mutating func takeContent(_ text: ArraySlice<UInt8>, in open: [Element], _ isInWord: inout Bool) {
        guard let element = open.last, !text.isEmpty else { return }
        if element.name == "style" {
            nestedRules += Self.nestedRules(in: text)
            return takeStyle(text)
        }
        let isBlank = text.allSatisfy(Self.isSpace)
        if !isBlank, open.contains(where: \.isHTML) { htmlParts += 1 }
        guard element.isText, !element.keepsSpaces else { return }
        guard let first = text.first, let last = text.last else { return }
        let hasWide = zip(text, text.dropFirst()).contains { Self.isSpace($0) && Self.isSpace($1) }
        if !isBlank, hasWide || Self.isSpace(first) || Self.isSpace(last) { wideSpaces += 1 }
        let isBroken = zip(text.dropFirst(), zip(text, text.dropFirst(2))).contains { middle, sides in
            middle == 0x0a && !Self.isSpace(sides.0) && !Self.isSpace(sides.1)
        }
        if isBroken || element.name == "tspan" && isInWord && Self.isSpace(first) && !isBlank { lostSpaces += 1 }
        isInWord = !Self.isSpace(last)
    }

    private struct Attribute {
        /// Without a prefix, in small letters.
        let name: String
        let hasPrefix: Bool
        let value: ArraySlice<UInt8>
    }

    /// Takes a tag, without its `<`; returns what follows.
    private mutating func takeTag(
        _ text: ArraySlice<UInt8>, _ open: inout [Element], _ embedded: inout [[UInt8]]
    ) -> ArraySlice<UInt8> {
        let written = text.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let name = open.isEmpty ? "root" : Self.localName(written)
        bytes.append(UInt8(ascii: "<"))
        bytes += name.utf8
        elements.insert(name)
        let (attributes, rest) = Self.attributes(in: text[written.endIndex...])
        for attribute in attributes { takeAttribute(attribute.name, attribute.value, &embedded) }
        bytes.append(UInt8(ascii: ">"))
        let element = element(name, with: attributes, in: open)
        countValues(of: attributes, of: element)
        countParts(of: attributes, of: element, in: open)
        countPaint(of: attributes, of: element)
        // Figma writes such elements for a blurred background, which no image of a page has.
        let isBlur = text[..<rest.startIndex].firstIndex(of: "backdrop-filter") != nil
        if !isBlur, open.contains(where: \.isHTML) { htmlParts += 1 }
        let isEmpty = rest.startIndex > text.startIndex && text[rest.startIndex - 1] == UInt8(ascii: "/")
        if !isEmpty { open.append(element) }
        return rest.dropFirst()
    }

    private static func localName(_ name: ArraySlice<UInt8>) -> String {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
        return String(decoding: local.map(small), as: UTF8.self)
    }

    /// The attributes of a tag, and what follows them, from its `>`.
    private static func attributes(in text: ArraySlice<UInt8>) -> ([Attribute], ArraySlice<UInt8>) {
        var (found, rest) = ([Attribute](), text)
        while let next = rest.firstIndex(where: { !isSpace($0) }), rest[next] != UInt8(ascii: ">") {
            rest = rest[next...]
            if rest.first == UInt8(ascii: "/") {
                rest = rest.dropFirst()
                continue
            }
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && !isSpace($0) }
            let value = rest[key.endIndex...].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
            guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = value.dropFirst().firstIndex(of: quote)
            else {
                rest = key.isEmpty ? rest.dropFirst() : value
                continue
            }
            let hasPrefix = key.contains(UInt8(ascii: ":"))
            found.append(Attribute(name: localName(key), hasPrefix: hasPrefix, value: value[..<end].dropFirst()))
            rest = value[(end + 1)...]
        }
        return (found, rest.drop { $0 != UInt8(ascii: ">") })
    }

    private func element(_ name: String, with attributes: [Attribute], in open: [Element]) -> Element {
        var element = Element(name: name, keepsSpaces: open.last?.keepsSpaces ?? false)
        element.isTurned = open.last?.isTurned ?? false
        element.isOpenSymbol = name == "symbol" && !attributes.contains { $0.name == "viewbox" }
        for attribute in attributes {
            if attribute.name == "transform" || attribute.name == "style", !element.isTurned {
                element.isTurned = attribute.value.firstIndex(of: "rotate(") != nil
            }
            if attribute.name == "space" { element.keepsSpaces = attribute.value.elementsEqual("preserve".utf8) }
            let clip =
                attribute.name == "clip-path"
                ? attribute.value.startIndex
                : attribute.name == "style" ? attribute.value.firstIndex(of: "clip-path") : nil
            if let clip, attribute.value[clip...].firstIndex(of: "url(") != nil { element.isClipped = true }
        }
        return element
    }

    /// Counts what SVG does not allow as a value.
    private mutating func countValues(of attributes: [Attribute], of element: Element) {
        let name = element.name == "root" ? "svg" : element.name
        for attribute in attributes where !attribute.hasPrefix {
            let value = attribute.value
            switch attribute.name {
            case "result": results.insert(String(decoding: value, as: UTF8.self))
            case "in" where name.starts(with: "fe"), "in2" where name.starts(with: "fe"):
                let input = String(decoding: value, as: UTF8.self)
                if !results.contains(input), !["SourceGraphic", "SourceAlpha"].contains(input),
                    !input.starts(with: "Background")
                {
                    countWrong(attribute, of: name)
                }
            case "d":
                // Nothing is drawn from there on.
                if Self.hasCommaBeforeLetter(value) { countWrong(attribute, of: name) }
            default:
                // Most are plain numbers.
                let isNumber = Self.numbers.contains(attribute.name) && value.allSatisfy { 0x2e...0x39 ~= $0 }
                if isNumber, !value.isEmpty { continue }
                if !SVGValues.allow(value, for: attribute.name, of: name) { countWrong(attribute, of: name) }
            }
        }
    }

    private static func hasCommaBeforeLetter(_ outline: ArraySlice<UInt8>) -> Bool {
        var rest = outline
        while let comma = rest.firstIndex(of: UInt8(ascii: ",")) {
            rest = rest[(comma + 1)...]
            if let next = rest.first, (next | 32) >= 0x61 { return true }
        }
        return false
    }

    private mutating func countWrong(_ attribute: Attribute, of element: String) {
        let value = String(decoding: attribute.value.prefix(24), as: UTF8.self)
        let example = "\(attribute.name)=\"\(value)\" in <\(element)>"
        wrongValues = ((wrongValues?.count ?? 0) + 1, wrongValues?.example ?? example)
    }

    /// Counts what depends on several attributes, or on what an element stands in.
    private mutating func countParts(of attributes: [Attribute], of element: Element, in open: [Element]) {
        func value(_ name: String) -> ArraySlice<UInt8>? { attributes.first { $0.name == name }?.value }
        let style = value("style") ?? []
        if element.isText, attributes.contains(where: { Self.isList($0.name, $0.value) }) { lists += 1 }
        let isInClip = element.isClip || open.contains(where: \.isClip)
        if element.isClipped, isInClip { clippedClips += 1 }
        if open.contains(where: \.isClipped), !isInClip, style.firstIndex(of: "mix-blend-mode") != nil {
            blendsInClips += 1
        }
        func has(_ side: String) -> Bool { value(side) != nil || style.firstIndex(of: side + ":") != nil }
        switch element.name {
        case "image" where has("width") != has("height"): halfSizedImages += 1
        case "use" where !has("width") || !has("height"):
            if let name = value("href"), sizedSymbols.contains(String(decoding: name, as: UTF8.self)) {
                usesOfSizes += 1
            }
        case "symbol" where has("width") || has("height") || value("refx") != nil:
            sizedSymbols.insert("#" + String(decoding: value("id") ?? [], as: UTF8.self))
        case "lineargradient":
            let (start, end) = (["x1", "y1"].map(value), ["x2", "y2"].map(value))
            // Where nothing is said, it goes from left to right.
            let isFlat = end[0] != nil && (start[0] ?? [0x30]) == end[0]
            if isFlat, (start[1] ?? [0x30]) == (end[1] ?? [0x30]) { pointGradients += 1 }
        case "radialgradient": if let radius = value("r"), radius == value("fr") ?? [0x30] { pointGradients += 1 }
        case "foreignobject": break
        default:
            // draw.io asks so whether there is HTML, which its own texts stand for here.
            conditions += attributes.count { attribute in
                attribute.name == "requiredextensions"
                    || attribute.name == "requiredfeatures" && attribute.value.firstIndex(of: "#Extensibility") == nil
            }
        }
        let isOpen = open.contains(where: \.isOpenSymbol)
        if isOpen, attributes.contains(where: { $0.value.last == UInt8(ascii: "%") && Self.numbers.contains($0.name) })
        {
            partsOfSymbols += 1
        }
    }

    /// Counts what depends on how an element is painted.
    private mutating func countPaint(of attributes: [Attribute], of element: Element) {
        func value(_ name: String) -> ArraySlice<UInt8>? { attributes.first { $0.name == name }?.value }
        let style = value("style") ?? []
        if element.isTurned, value("filter") != nil || style.firstIndex(of: "filter:") != nil { turnedFilters += 1 }
        guard let outline = value("d") else { return }
        let declared =
            style.firstIndex(of: "marker") == nil
            ? []
            : style.split(separator: UInt8(ascii: ";")).filter {
                $0.drop(while: Self.isSpace).starts(with: "marker".utf8)
            }
        let markers = attributes.filter { $0.name.starts(with: "marker") }.map { $0.value } + declared
        let hasMarker = markers.contains { $0.firstIndex(of: "url(") != nil }
        if hasMarker, outline.count(where: { $0 | 32 == UInt8(ascii: "m") }) > 1 { markedLines += 1 }
    }

    /// Whether an attribute of a text places or turns single letters.
    private static func isList(_ name: String, _ value: ArraySlice<UInt8>) -> Bool {
        guard ["x", "y", "dx", "dy", "rotate"].contains(name) else { return false }
        let numbers = value.split { isSpace($0) || $0 == UInt8(ascii: ",") }
        let isZero = numbers.allSatisfy { $0.elementsEqual("0".utf8) }
        return !isZero && (numbers.count > 1 || name == "rotate")
    }

    /// Attributes that mean nothing here, and those that do so as long as they are numbers.
    private static let (names, numbers) = (
        Set(["id", "class"]),
        Set(["x", "y", "cx", "cy", "r", "rx", "ry", "x1", "y1", "x2", "y2", "width", "height"])
    )

    private mutating func takeAttribute(_ name: String, _ value: ArraySlice<UInt8>, _ embedded: inout [[UInt8]]) {
        if Self.names.contains(name) { return }
        if Self.numbers.contains(name), value.allSatisfy({ 0x2c...0x39 ~= $0 || $0 == 0x20 }) { return }
        bytes.append(UInt8(ascii: " "))
        bytes += name.utf8
        bytes += "=\"".utf8
        defer { bytes.append(UInt8(ascii: "\"")) }
        if name == "d" || name == "points" { return }
        if value.starts(with: "data:".utf8) {
            bytes += value.prefix(48).map(Self.small)
            if let svg = Self.embeddedSVG(value) { embedded.append(svg) }
            if Self.isTurnedPicture(value) { turnedPictures += 1 }
            if Self.isBrokenPicture(value) { brokenPictures += 1 }
        } else if name == "style" {
            takeStyle(value)
            capitals += value.split(separator: UInt8(ascii: ";")).count { declaration in
                let property = declaration.drop(while: Self.isSpace).prefix { $0 != UInt8(ascii: ":") }
                return !property.starts(with: "--".utf8) && property.contains { 0x41...0x5a ~= $0 }
            }
        } else {
            if name == "radius" {
                let number = String(decoding: value.prefix { !Self.isSpace($0) && $0 != 0x2c }, as: UTF8.self)
                largestRadius = max(largestRadius, Double(number) ?? 0)
            }
            bytes += Self.plain(value)
        }
    }

    /// Takes declarations, with what chooses elements before them.
    private mutating func takeStyle(_ text: ArraySlice<UInt8>) {
        var rest = text
        bytes.append(UInt8(ascii: ";"))
        while !rest.isEmpty {
            let start = rest.firstIndex(of: "/*") ?? rest.endIndex
            bytes += Self.plain(rest[..<start]).map {
                $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") ? UInt8(ascii: ";") : $0
            }
            rest = start == rest.endIndex ? [] : Self.after("*/", in: rest[start...])
        }
        bytes.append(UInt8(ascii: ";"))
    }

    /// In small letters, with no space after punctuation and one elsewhere.
    private static func plain(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        for byte in text {
            guard isSpace(byte) else {
                // Nor before a colon or a brace.
                if result.last == 0x20, ":{};".utf8.contains(byte) { result.removeLast() }
                result.append(small(byte))
                continue
            }
            guard let last = result.last, last != 0x20, !":;({},".utf8.contains(last) else { continue }
            result.append(0x20)
        }
        return result
    }

    private static func nestedRules(in sheet: ArraySlice<UInt8>) -> Int {
        // For each block, whether it is a rule and no `@media`.
        var (count, blocks, isAt) = (0, [Bool](), false)
        for byte in sheet {
            switch byte {
            case UInt8(ascii: "@"): isAt = true
            case UInt8(ascii: "{"):
                if blocks.last == true, !isAt { count += 1 }
                blocks.append(!isAt)
                isAt = false
            case UInt8(ascii: "}"):
                _ = blocks.popLast()
                isAt = false
            case UInt8(ascii: ";"): isAt = false
            default: break
            }
        }
        return count
    }

    /// Whether an embedded picture is a JPEG that its EXIF turns, which lies in its first blocks.
    private static func isTurnedPicture(_ address: ArraySlice<UInt8>) -> Bool {
        guard address.starts(with: "data:image/jp".utf8), let comma = address.firstIndex(of: UInt8(ascii: ",")) else {
            return false
        }
        let start = Base64.decode(address[(comma + 1)...].prefix(1 << 18))
        for (marker, content) in JPEGSegments(start) where marker == 0xe1 && content.starts(with: "Exif\0\0".utf8) {
            return Orientation(exif: content) != .upright
        }
        return false
    }

    /// Whether an embedded picture is of another format than browsers draw, or a PNG without its end.
    private static func isBrokenPicture(_ address: ArraySlice<UInt8>) -> Bool {
        guard address.starts(with: "data:image/".utf8), let comma = address.firstIndex(of: UInt8(ascii: ",")),
            !["svg", "avif"].contains(where: { address[..<comma].firstIndex(of: $0) != nil }),
            address[..<comma].firstIndex(of: "base64") != nil
        else { return false }
        let data = address[(comma + 1)...].drop(while: isSpace)
        if data.starts(with: "iVBORw0K".utf8) {
            // The three ways in which base64 can have the letters of a last chunk.
            let end = data.suffix(40).filter { !isSpace($0) }[...]
            return !["SUVORK5CY", "JRU5ErkJg", "lFTkSuQmC"].contains { end.firstIndex(of: $0) != nil }
        }
        return !["/9j/", "R0lGOD", "UklGR", "AAAA", "Qk"].contains { data.starts(with: $0.utf8) }
            || data.count < 32
    }

    /// The SVG in a `data:` address; nil for other contents.
    private static func embeddedSVG(_ address: ArraySlice<UInt8>) -> [UInt8]? {
        guard address.starts(with: "data:image/svg+xml".utf8), let comma = address.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let data = address[(comma + 1)...]
        if address[..<comma].firstIndex(of: ";base64") != nil { return Base64.decode(data) }
        return data.firstIndex(of: "%3") == nil ? Array(data) : decoded(percent: data)
    }

    private static func decoded(percent text: ArraySlice<UInt8>) -> [UInt8] {
        var (result, rest) = ([UInt8](), text)
        while let byte = rest.popFirst() {
            let code =
                byte == UInt8(ascii: "%") ? UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) : nil
            result.append(code ?? byte)
            if code != nil { rest = rest.dropFirst(2) }
        }
        return result
    }
}
