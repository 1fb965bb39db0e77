import LoupeSystem

/// A text stored in a PNG (PNG specification, third edition, 11.3.3).
public struct PNGText: Hashable, Sendable {
    /// The chunk that holds a text.
    public enum Form: Hashable, Sendable {
        /// tEXt, which old programs show too: ASCII only.
        case plain
        /// iTXt: any characters, compressed where that is shorter.
        case international
    }

    /// 1…79 printable ASCII characters.
    public let keyword: String
    /// The text itself.
    public let text: String
    /// The chunk that holds it.
    public let form: Form

    /// A text under a keyword.
    public init(_ keyword: String, _ text: String, form: Form) {
        self.keyword = keyword
        self.text = text
        self.form = form
    }

    /// The whole chunk.
    var chunk: [UInt8] {
        let name = Array(keyword.utf8) + [0]
        switch form {
        case .plain: return PNG.chunk("tEXt", name + text.utf8)
        case .international:
            // A null would end the text.
            let bytes = text.utf8.map { $0 == 0 ? UInt8(ascii: " ") : $0 }
            // A short text stays readable in the file.
            var packed = bytes.count < 2048 ? nil : PNGCompressor.zlib(bytes, level: 6)
            if let size = packed?.count, size == 0 || size > bytes.count { packed = nil }
            // Whether it is compressed, the method (0, deflate), no language, no translated keyword.
            return PNG.chunk("iTXt", name + [packed == nil ? 0 : 1, 0, 0, 0] + (packed ?? bytes))
        }
    }
}

extension PNG {
    /// The text of ``ImageFile/text(_:)`` in a source of which nothing has been taken.
    static func text(_ keyword: String, _ source: ByteSource, name: String) throws(ImageError) -> String? {
        let start = Array(keyword.utf8) + [0]
        let chunks = try chunks(["iTXt"], beforeImageIn: source, name: name) { content, _ in
            content.starts(with: start)
        }
        guard let found = chunks["iTXt"] else { return nil }
        guard found.isSound, let text = decoded(found.content.dropFirst(start.count)) else {
            throw .corrupt(name: name, reason: "its text '\(keyword)' is damaged")
        }
        return text
    }

    /// The text after two bytes about compression, the language and the translated keyword.
    private static func decoded(_ content: ArraySlice<UInt8>) -> String? {
        let names = content.dropFirst(2)
        guard content.count >= 4, let language = names.firstIndex(of: 0),
            let translated = names[(language + 1)...].firstIndex(of: 0)
        else { return nil }
        let text = names[(translated + 1)...]
        guard let isPacked = content.first, isPacked != 0 else { return String(validating: text, as: UTF8.self) }
        return PNGInflater.inflated(text).flatMap { String(validating: $0, as: UTF8.self) }
    }
}
