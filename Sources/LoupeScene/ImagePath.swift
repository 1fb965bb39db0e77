import LoupeBase

/// The path of an image as a scene names it, which leads from the scene's file.
///
/// It is compared by its bytes. As text two names would be equal that Unicode calls canonically equivalent, such as `é`
/// as one scalar and as two, although they name two files. A name from a document is UTF-8; one from a command line may
/// be any bytes.
public struct ImagePath: Hashable, Sendable {
    /// As the file system has it.
    public let bytes: [UInt8]

    /// A path of these bytes.
    public init(bytes: [UInt8]) { self.bytes = bytes }

    /// The path that a text spells in UTF-8.
    public init(_ text: String) { bytes = Array(text.utf8) }

    /// The path as text; nil where it is not UTF-8, so that no document can name it.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// Up to and including the last slash; empty for a file of the scene's own folder.
    package var folder: ImagePath {
        ImagePath(bytes: Array(bytes[..<(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)]))
    }

    /// The same from where a folder is relative to; an absolute path is returned as it is.
    /// - Parameter folder: with its slash, or empty.
    package func relative(to folder: ImagePath) -> ImagePath {
        bytes.first == Self.slash ? self : ImagePath(bytes: folder.bytes + bytes)
    }

    private static let slash = UInt8(ascii: "/")
}

extension ImagePath: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self.init(text) }
}

extension ImagePath: CustomStringConvertible {
    /// The path for a sentence, and for JSON: bytes that are not UTF-8 are written as `\xff`.
    public var description: String { String(readable: bytes) }
}

extension ImagePath: Comparable {
    /// The order of the bytes.
    public static func < (a: ImagePath, b: ImagePath) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}
