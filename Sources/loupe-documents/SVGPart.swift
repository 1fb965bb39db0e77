import LoupeSystem

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
    func document(for place: DrawingPlace, size: (width: Double, height: Double)) -> [UInt8]? {
        // A style may give the root another size.
        guard let attributes = SVGTag.attributes(of: root), !attributes.contains(where: { $0.name == "style" }) else {
            return nil
        }
        let (across, down) = (size.width / place.width, size.height / place.height)
        let part = [
            (Double(place.columns.lowerBound) - place.x) * across, (Double(place.rows.lowerBound) - place.y) * down,
            Double(place.columns.count) * across, Double(place.rows.count) * down,
        ].map { "\($0)" }.joined(separator: " ")
        // With a prefix of its own, as elements without one may not be SVG's in the document.
        var text = Array(start)
        text +=
            """
            <loupe:svg xmlns:loupe="http://www.w3.org/2000/svg" width="\(place.columns.count)" height="\(place.rows.count)" viewBox="\(part)" \
            preserveAspectRatio="none"><
            """.utf8
        text += root.prefix { !SVGTag.isSpace($0) }
        for attribute in attributes where !["x", "y", "width", "height", "overflow"].contains(attribute.name) {
            text.append(UInt8(ascii: " "))
            text += attribute.text
        }
        text += " x=\"0\" y=\"0\" width=\"\(size.width)\" height=\"\(size.height)\" overflow=\"visible\"".utf8
        return text + rest + "</loupe:svg>".utf8
    }

    // MARK: - The document's text

    /// Whether it names a property that needs a surface.
    private static func needsSurfaces(_ document: [UInt8]) -> Bool {
        if ["filter", "mask", "blend-mode"].contains(where: { document[...].firstIndex(of: $0) != nil }) {
            return true
        }
        var rest = document[...]
        while let found = rest.firstIndex(of: "opacity") {
            // Not `fill-opacity` and its like.
            if found > 0, document[found - 1] != UInt8(ascii: "-") { return true }
            rest = document[(found + 1)...]
        }
        return false
    }

    /// Whether a style sheet may name the root, or give an `svg` element another size.
    private static func dependsOnRoot(_ document: [UInt8]) -> Bool {
        [":root", "svg{", "svg {", "svg,"].contains { document[...].firstIndex(of: $0) != nil }
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
                guard let end = SVGTag.end(of: text) else { return nil }
                // Its entities may hold anything.
                if text[..<end].contains(UInt8(ascii: "[")) { return nil }
                text = text[end...]
            } else {
                return SVGTag.end(of: text).map { open + 1..<$0 }
            }
        }
        return nil
    }
}
