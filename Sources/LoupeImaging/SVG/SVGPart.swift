/// A document whose root shows a part of another one, in the part's own size.
///
/// librsvg draws opacity, masks, filters and blend modes on surfaces of the whole document's size, whatever part of it is
/// wanted: a plot with a translucent legend, shown 30 times larger, needs gigabytes, and cairo has no surface of more than
/// 32,767 pixels a side. So the document becomes an element within a root of the part's size.
struct SVGPart {
    /// Up to the root element, the root's name with its attributes, and what follows those.
    private let (start, root, rest): (ArraySlice<UInt8>, ArraySlice<UInt8>, ArraySlice<UInt8>)

    /// Drawings of fewer pixels in all need none of this.
    static let mostPixels = Double(1 << 26)

    /// Nil where the document needs no such surfaces, or where it might look otherwise within another root.
    init?(of document: [UInt8]) {
        guard Self.needsSurfaces(document), !Self.dependsOnRoot(document),
            let tag = Self.rootTag(of: document[...]), document[tag].last != UInt8(ascii: "/")
        else { return nil }
        (start, root, rest) = (document[..<(tag.lowerBound - 1)], document[tag], document[tag.upperBound...])
    }

    /// The document for a placement. It is drawn in pixels, at the origin.
    /// - Parameter size: of the whole document, in CSS pixels.
    func document(for placement: SVGPlacement, size: (width: Double, height: Double)) -> [UInt8]? {
        guard let attributes = Self.attributes(of: root) else { return nil }
        let (across, down) = (size.width / placement.width, size.height / placement.height)
        let (left, top) = (Double(placement.columns.lowerBound), Double(placement.rows.lowerBound))
        let (width, height) = (placement.columns.count, placement.rows.count)
        let part = [
            (left - placement.x) * across, (top - placement.y) * down, Double(width) * across, Double(height) * down,
        ].map { "\($0)" }.joined(separator: " ")
        // With a prefix of its own, as elements without one may not be SVG's in the document.
        var text = Array(start)
        text +=
            """
            <loupe:svg xmlns:loupe="http://www.w3.org/2000/svg" width="\(width)" height="\(height)" viewBox="\(part)" \
            preserveAspectRatio="none"><
            """.utf8
        text += root.prefix { !Self.isSpace($0) }
        for attribute in attributes where !["x", "y", "width", "height", "overflow"].contains(attribute.name) {
            text.append(UInt8(ascii: " "))
            text += attribute.text
        }
        text += " x=\"0\" y=\"0\" width=\"\(size.width)\" height=\"\(size.height)\" overflow=\"visible\"".utf8
        return text + rest + "</loupe:svg>".utf8
    }

    // MARK: - The document's text

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }

    /// Whether it names a property that needs a surface.
    private static func needsSurfaces(_ document: [UInt8]) -> Bool {
        if ["filter", "mask", "blend-mode"].contains(where: { !document.ranges(of: $0.utf8).isEmpty }) { return true }
        // Not `fill-opacity` and its like.
        return document.ranges(of: "opacity".utf8).contains {
            $0.lowerBound > 0 && document[$0.lowerBound - 1] != UInt8(ascii: "-")
        }
    }

    /// Whether a style sheet may name the root, or give an `svg` element another size.
    private static func dependsOnRoot(_ document: [UInt8]) -> Bool {
        [":root", "svg{", "svg {", "svg,"].contains { !document.ranges(of: $0.utf8).isEmpty }
    }

    /// The name and the attributes of the first element.
    private static func rootTag(of document: ArraySlice<UInt8>) -> Range<Int>? {
        var text = document
        while let open = text.firstIndex(of: UInt8(ascii: "<")) {
            text = text[open...]
            if text.starts(with: "<?".utf8) {
                guard let end = text.firstRange(of: "?>".utf8) else { return nil }
                text = text[end.upperBound...]
            } else if text.starts(with: "<!--".utf8) {
                guard let end = text.firstRange(of: "-->".utf8) else { return nil }
                text = text[end.upperBound...]
            } else if text.starts(with: "<!".utf8) {
                guard let end = endOfTag(text) else { return nil }
                // Its entities may hold anything.
                if text[..<end].contains(UInt8(ascii: "[")) { return nil }
                text = text[end...]
            } else {
                return endOfTag(text).map { open + 1..<$0 }
            }
        }
        return nil
    }

    /// The `>` of a tag.
    private static func endOfTag(_ text: ArraySlice<UInt8>) -> Int? {
        var quote: UInt8?
        for (index, byte) in zip(text.indices, text) {
            if let open = quote {
                if byte == open { quote = nil }
            } else if "'\"".utf8.contains(byte) {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return nil
    }

    /// The attributes of a tag, each with its text; nil where its style may give the root another size.
    private static func attributes(of tag: ArraySlice<UInt8>) -> [(name: String, text: ArraySlice<UInt8>)]? {
        var found: [(name: String, text: ArraySlice<UInt8>)] = []
        var text = tag.drop { !isSpace($0) }.drop(while: isSpace)
        while let first = text.indices.first {
            let name = text.prefix { $0 != UInt8(ascii: "=") && !isSpace($0) }
            let value = text[name.endIndex...].drop { isSpace($0) || $0 == UInt8(ascii: "=") }
            guard let quote = value.first, let end = value.dropFirst().firstIndex(of: quote) else { return nil }
            if name.elementsEqual("style".utf8) { return nil }
            found.append((String(decoding: name, as: UTF8.self), text[first...end]))
            text = text[(end + 1)...].drop(while: isSpace)
        }
        return found
    }
}
