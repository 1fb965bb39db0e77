/// Tells an SVG by its first bytes.
enum SVGSignature {
    /// How many bytes are looked at: comments may stand before the root element.
    static let reach = 4096

    /// Whether text begins with an `svg` element, perhaps behind a byte order mark, blanks, an XML declaration, comments
    /// and a document type. UTF-8 and what agrees with it on ASCII.
    static func matches(_ start: some Collection<UInt8>) -> Bool {
        var text = Array(start.prefix(reach))[...]
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        while true {
            text = text.drop { " \t\r\n".utf8.contains($0) }
            if text.starts(with: "<?".utf8) {
                text = text.after("?>")
            } else if text.starts(with: "<!--".utf8) {
                text = text.after("-->")
            } else if text.starts(with: "<!DOCTYPE".utf8) {
                return text.dropFirst(9).drop { " \t\r\n".utf8.contains($0) }.starts(with: "svg".utf8)
            } else {
                return isRoot(text)
            }
        }
    }

    /// `<svg` or `<prefix:svg`, and then what ends a name.
    private static func isRoot(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "<") else { return false }
        let name = text.dropFirst().prefix { !" \t\r\n/>".utf8.contains($0) }
        return (name.split(separator: UInt8(ascii: ":")).last ?? []).elementsEqual("svg".utf8)
    }
}

extension ArraySlice<UInt8> {
    /// What follows the first place of some words; nothing where they are not there.
    fileprivate func after(_ words: String) -> ArraySlice<UInt8> {
        let words = Array(words.utf8)
        guard let place = indices.first(where: { self[$0...].starts(with: words) }) else { return [] }
        return self[(place + words.count)...]
    }
}
