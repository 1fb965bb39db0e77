import LoupeSystem

/// The tags and style sheets of an SVG in one form, so that constructs in them can be looked for as texts.
///
/// Tags have no prefix and small letters: `<rect width="20" style=";fill:red;">`. Each declaration of a style follows a semicolon.
/// Comments, texts, scripts, outlines and the data of pictures are left out; embedded SVGs follow at the end. The outermost element
/// is `<root>`.
struct SVGMarkup {
    private(set) var bytes: [UInt8] = []
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
    /// How many elements are for programs that know an extension, and no choice of a `switch`.
    private(set) var conditions = 0
    /// How many images have a width or a height alone.
    private(set) var halfSizedImages = 0
    /// How many parts of symbols without a viewBox have places or sizes in percent.
    private(set) var partsOfSymbols = 0
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

    /// Takes a tag, without its `<`; returns what follows.
    private mutating func takeTag(
        _ text: ArraySlice<UInt8>, _ open: inout [Element], _ embedded: inout [[UInt8]]
    ) -> ArraySlice<UInt8> {
        func localName(_ name: ArraySlice<UInt8>) -> String {
            let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
            return String(decoding: local.map(Self.small), as: UTF8.self)
        }
        let written = text.prefix { !Self.isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        let name = open.isEmpty ? "root" : localName(written)
        bytes.append(UInt8(ascii: "<"))
        bytes += name.utf8
        var (rest, isClipped, isList) = (text[written.endIndex...], false, false)
        var (sides, hasBox, hasPercent) = (Set<String>(), false, false)
        var element = Element(name: name, keepsSpaces: open.last?.keepsSpaces ?? false)
        while let next = rest.firstIndex(where: { !Self.isSpace($0) }), rest[next] != UInt8(ascii: ">") {
            rest = rest[next...]
            if rest.first == UInt8(ascii: "/") {
                rest = rest.dropFirst()
                continue
            }
            let key = rest.prefix { $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">") && !Self.isSpace($0) }
            let value = rest[key.endIndex...].drop { Self.isSpace($0) || $0 == UInt8(ascii: "=") }
            guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = value.dropFirst().firstIndex(of: quote)
            else {
                rest = key.isEmpty ? rest.dropFirst() : value
                continue
            }
            let (attribute, inside) = (localName(key), value[..<end].dropFirst())
            rest = value[(end + 1)...]
            takeAttribute(attribute, inside, &embedded)
            let clip =
                attribute == "clip-path" ? inside.startIndex : inside.firstIndex(of: "clip-path")
            if let clip, inside[clip...].firstIndex(of: "url(") != nil { isClipped = true }
            if attribute == "space" { element.keepsSpaces = inside.elementsEqual("preserve".utf8) }
            isList = isList || element.isText && Self.isList(attribute, inside)
            for side in name == "image" ? ["width", "height"] : [] {
                let isGiven = attribute == side || attribute == "style" && inside.firstIndex(of: side + ":") != nil
                if isGiven { sides.insert(side) }
            }
            if attribute == "viewbox" { hasBox = true }
            if attribute == "requiredextensions", open.last?.name != "switch" { conditions += 1 }
            if inside.last == UInt8(ascii: "%"), Self.numbers.contains(attribute) { hasPercent = true }
        }
        bytes.append(UInt8(ascii: ">"))
        if isList { lists += 1 }
        if sides.count == 1 { halfSizedImages += 1 }
        element.isOpenSymbol = name == "symbol" && !hasBox
        if hasPercent, open.contains(where: \.isOpenSymbol) { partsOfSymbols += 1 }
        // Figma writes such elements for a blurred background, which no image of a page has.
        let isBlur = text[..<rest.startIndex].firstIndex(of: "backdrop-filter") != nil
        if !isBlur, open.contains(where: \.isHTML) { htmlParts += 1 }
        if isClipped, element.isClip || open.contains(where: \.isClip) { clippedClips += 1 }
        let isEmpty = rest.startIndex > text.startIndex && text[rest.startIndex - 1] == UInt8(ascii: "/")
        if !isEmpty { open.append(element) }
        return rest.dropFirst()
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
        let start = decoded(base64: address[(comma + 1)...].prefix(1 << 18))
        for (marker, content) in JPEGSegments(start) where marker == 0xe1 && content.starts(with: "Exif\0\0".utf8) {
            return Orientation(exif: content) != .upright
        }
        return false
    }

    /// The SVG in a `data:` address; nil for other contents.
    private static func embeddedSVG(_ address: ArraySlice<UInt8>) -> [UInt8]? {
        guard address.starts(with: "data:image/svg+xml".utf8), let comma = address.firstIndex(of: UInt8(ascii: ","))
        else { return nil }
        let data = address[(comma + 1)...]
        if address[..<comma].firstIndex(of: ";base64") != nil { return decoded(base64: data) }
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

    private static func decoded(base64 text: ArraySlice<UInt8>) -> [UInt8] {
        var (result, bits, count) = ([UInt8](), UInt32(0), 0)
        for byte in text {
            let digit: UInt8
            switch byte {
            case 0x41...0x5a: digit = byte - 0x41
            case 0x61...0x7a: digit = byte - 0x61 + 26
            case 0x30...0x39: digit = byte - 0x30 + 52
            case UInt8(ascii: "+"), UInt8(ascii: "-"): digit = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): digit = 63
            default: continue
            }
            (bits, count) = (bits << 6 | UInt32(digit), count + 6)
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return result
    }
}
