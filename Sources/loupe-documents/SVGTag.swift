import LoupeSystem

/// Reads the tags of XML, without entities and namespaces.
enum SVGTag {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 9...13 ~= byte }

    /// The `>` of a tag.
    static func end(of text: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for index in text.indices {
            let byte = text[index]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }

    /// The attributes of a tag, each with its value and its whole text; nil where they can't be read.
    static func attributes(
        of tag: ArraySlice<UInt8>
    ) -> [(name: String, value: ArraySlice<UInt8>, text: ArraySlice<UInt8>)]? {
        var found: [(name: String, value: ArraySlice<UInt8>, text: ArraySlice<UInt8>)] = []
        var text = tag.drop { !isSpace($0) }.drop(while: isSpace)
        while let first = text.first, first != UInt8(ascii: "/") {
            let name = text.prefix { $0 != UInt8(ascii: "=") && !isSpace($0) }
            let value = text[name.endIndex...].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
            guard let quote = value.first, let end = value.dropFirst().firstIndex(of: quote) else { return nil }
            found.append(
                (String(decoding: name, as: UTF8.self), value[..<end].dropFirst(), text[text.startIndex...end]))
            text = text[(end + 1)...].drop(while: isSpace)
        }
        return found
    }
}

/// Writes the points of polygons so that librsvg reads all that the grammar allows: `0-5` has two numbers, a space may stand before
/// a comma, and of an odd number of coordinates the last means nothing.
enum SVGPoints {
    static func spelled(in document: [UInt8]) -> [UInt8] {
        var (result, kept, position) = ([UInt8](), 0, 0)
        while let mark = document[position...].firstIndex(of: "points=") {
            position = mark + "points=".utf8.count
            guard let quote = document[position...].first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'"),
                let end = document[(position + 1)...].firstIndex(of: quote)
            else { continue }
            let numbers = numbers(in: document[(position + 1)..<end])
            guard let numbers, numbers.isOdd || !numbers.areApart else { continue }
            let all = numbers.all.dropLast(numbers.isOdd ? 1 : 0)
            result += document[kept...position] + all.joined(separator: [0x20])
            (kept, position) = (end, end)
        }
        return kept == 0 ? document : result + document[kept...]
    }

    /// The numbers of a list, and whether they are an odd number and are parted as librsvg needs it; nil where there is something
    /// else.
    private static func numbers(
        in list: ArraySlice<UInt8>
    ) -> (all: [ArraySlice<UInt8>], isOdd: Bool, areApart: Bool)? {
        var (all, start, areApart, hasPoint) = ([ArraySlice<UInt8>](), list.startIndex, true, false)
        func isBreak(_ byte: UInt8) -> Bool { SVGTag.isSpace(byte) || byte == UInt8(ascii: ",") }
        for index in list.indices {
            let (byte, before) = (list[index], index > list.startIndex ? list[index - 1] : 0x20)
            if isBreak(byte) {
                if start < index { all.append(list[start..<index]) }
                if byte == UInt8(ascii: ","), isBreak(before) { areApart = false }
                (start, hasPoint) = (index + 1, false)
                continue
            }
            guard "0123456789+-.eE".utf8.contains(byte) else { return nil }
            let isSign = "+-".utf8.contains(byte) && !"eE".utf8.contains(before)
            if start < index, isSign || byte == UInt8(ascii: ".") && hasPoint {
                all.append(list[start..<index])
                (start, hasPoint, areApart) = (index, false, false)
            }
            if ".eE".utf8.contains(byte) { hasPoint = true }
        }
        if start < list.endIndex { all.append(list[start...]) }
        if list.last == UInt8(ascii: ",") { areApart = false }
        return (all, all.count % 2 == 1, areApart)
    }
}

/// Finds what an SVG refers to outside itself.
///
/// librsvg gets no folder, and this process can open no such file, so nothing outside is ever read. This search makes a
/// document that needs it an error instead of a picture that lacks something. It need not find what an entity or an
/// embedded document hides, and it does not look for `url()` and `@import`, in style sheets or attributes: many programs name
/// fonts of the web there, for which librsvg takes another font.
struct OutsideReferences {
    /// The elements whose `href` librsvg draws or reads.
    private static let elements: Set = [
        "image", "feImage", "use", "linearGradient", "radialGradient", "pattern", "filter", "tref", "include",
    ]

    /// The first of them, as "'photo.png' in <image>"; nil where there is none.
    static func first(in document: [UInt8]) -> String? {
        var rest = document[...]
        while let open = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[open...].dropFirst()
            switch rest.first {
            case UInt8(ascii: "!") where rest.starts(with: "!--".utf8):
                guard let end = rest.firstRange(of: "-->".utf8) else { return nil }
                rest = rest[end.upperBound...]
            case UInt8(ascii: "!"), UInt8(ascii: "/"): continue
            default:
                guard let end = SVGTag.end(of: rest) else { return nil }
                let tag = rest[..<end]
                rest = rest[end...]
                if let found = reference(inTag: tag) { return found }
            }
        }
        return nil
    }

    private static func localName(_ name: some Collection<UInt8>) -> String {
        String(decoding: name.split(separator: UInt8(ascii: ":")).last ?? [], as: UTF8.self)
    }

    private static func reference(inTag tag: ArraySlice<UInt8>) -> String? {
        let isSheet = tag.starts(with: "?xml-stylesheet".utf8)
        if !isSheet && tag.first == UInt8(ascii: "?") { return nil }
        let name = tag.prefix { !SVGTag.isSpace($0) && $0 != UInt8(ascii: "/") }
        let element = localName(name)
        for attribute in SVGTag.attributes(of: isSheet ? tag.dropLast() : tag) ?? [] {
            guard attribute.name == "href" || attribute.name == "xlink:href", isSheet || elements.contains(element),
                isOutside(attribute.value)
            else { continue }
            return sentence(
                attribute.value, isSheet ? "<?xml-stylesheet?>" : "<\(String(decoding: name, as: UTF8.self))>")
        }
        return nil
    }

    /// A part of this document (`#name`), embedded data and an entity are inside.
    private static func isOutside(_ address: ArraySlice<UInt8>) -> Bool {
        let text = address.drop(while: SVGTag.isSpace)
        guard let first = text.first, first != UInt8(ascii: "#"), first != UInt8(ascii: "&") else { return false }
        return String(decoding: text.prefix(5), as: UTF8.self).lowercased() != "data:"
    }

    private static func sentence(_ address: ArraySlice<UInt8>, _ place: String) -> String {
        let reference = String(decoding: address, as: UTF8.self)
        return "'\(reference.count > 60 ? reference.prefix(57) + "…" : reference[...])' in \(place)"
    }
}
