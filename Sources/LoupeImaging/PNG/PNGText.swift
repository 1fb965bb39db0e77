import CDeflate
import LoupeFiles

/// A text that a PNG carries beside its pixels: section 11.3.3 of the PNG specification, third edition.
public struct PNGText: Hashable, Sendable {
    /// Which chunk holds it.
    public enum Form: Hashable, Sendable {
        /// tEXt, which old programs show too: ASCII alone.
        case plain
        /// iTXt: any characters, packed where that is shorter.
        case international
    }

    /// 1…79 printable ASCII characters.
    public let keyword: String
    public let text: String
    public let form: Form

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
            let bytes = Array(text.utf8)
            let packed = Self.packed(bytes)
            // Whether it is packed, how (by deflate), no language, no keyword in it.
            return PNG.chunk("iTXt", name + [packed == nil ? 0 : 1, 0, 0, 0] + (packed ?? bytes))
        }
    }

    /// Shorter than this a text is rather kept readable in the file.
    private static let packedLength = 2048

    private static func packed(_ bytes: [UInt8]) -> [UInt8]? {
        guard bytes.count >= packedLength, let compressor = libdeflate_alloc_compressor(6) else { return nil }
        defer { libdeflate_free_compressor(compressor) }
        var output = [UInt8](repeating: 0, count: bytes.count)
        let count = libdeflate_zlib_compress(compressor, bytes, bytes.count, &output, output.count)
        return count == 0 ? nil : Array(output.prefix(count))
    }
}

extension PNG {
    /// The first iTXt text under a keyword before the image data; nil where there is none. The rest of the file may be
    /// broken.
    /// - Throws: ``ImageError/corrupt(name:reason:)`` where the text itself is, and ``ImageError/overChunkLimit(name:limit:)``.
    public static func text(_ keyword: String, in bytes: [UInt8], name: String) throws(ImageError) -> String? {
        try withSource(of: bytes) { source throws(ImageError) in try text(keyword, source, name: name) }
    }

    /// The same of a file.
    public static func text(_ keyword: String, path: String) throws(ImageError) -> String? {
        try text(keyword, ByteSource(picture: path), name: path)
    }

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

    /// The text after the two bytes about packing, the language and the keyword in it.
    private static func decoded(_ content: ArraySlice<UInt8>) -> String? {
        let names = content.dropFirst(2)
        guard content.count >= 4, let language = names.firstIndex(of: 0),
            let translated = names[(language + 1)...].firstIndex(of: 0)
        else { return nil }
        let text = names[(translated + 1)...]
        guard let isPacked = content.first, isPacked != 0 else { return String(validating: text, as: UTF8.self) }
        return unpacked(text).flatMap { String(validating: $0, as: UTF8.self) }
    }

    /// The most that a packed text may hold, in bytes.
    private static let mostText = 64 << 20

    static func unpacked(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        guard let decompressor = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(decompressor) }
        var room = max(1 << 16, bytes.count * 8)
        while room <= mostText {
            var output = [UInt8](repeating: 0, count: room)
            var count = 0
            let result = bytes.withUnsafeBytes {
                libdeflate_zlib_decompress(decompressor, $0.baseAddress, $0.count, &output, room, &count)
            }
            if result == LIBDEFLATE_SUCCESS { return Array(output.prefix(count)) }
            guard result == LIBDEFLATE_INSUFFICIENT_SPACE else { return nil }
            room *= 4
        }
        return nil
    }
}
