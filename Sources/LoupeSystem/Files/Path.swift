import Glibc
import LoupeBase

/// A path as the system has it: bytes, of which only 0 and `/` have a meaning.
///
/// Paths are equal where their bytes are. Nothing is decoded, so `é` has as many spellings as Unicode gives it, and each
/// is another file; a mark that combines with a slash in text does not hide it. Bytes that are not UTF-8 are kept. A
/// path that contains a 0 leads nowhere: opening it fails.
public struct Path: Hashable, Sendable {
    /// Without a closing 0.
    public let bytes: [UInt8]

    fileprivate static let slash = UInt8(ascii: "/")

    /// A path of these bytes.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

    /// The path that a text spells in UTF-8.
    public init(_ text: String) { self.init(bytes: text.utf8) }

    /// A path from a string of C.
    package init(cString: UnsafePointer<CChar>) {
        self.init(bytes: UnsafeRawBufferPointer(start: cString, count: strlen(cString)))
    }

    /// The path as text; nil where it is not UTF-8, so that no document can name it.
    public var text: String? { String(validating: bytes, as: UTF8.self) }

    /// Whether it has no bytes.
    public var isEmpty: Bool { bytes.isEmpty }

    /// Whether it starts at the root.
    public var isAbsolute: Bool { bytes.first == Self.slash }

    /// Whether it is `-`, which commands take for standard input or output.
    public var isDash: Bool { bytes == [UInt8(ascii: "-")] }

    /// Whether it ends as this text does, such as `.json`.
    public func hasEnding(_ ending: String) -> Bool { bytes.suffix(ending.utf8.count).elementsEqual(ending.utf8) }
}

extension Path: ExpressibleByStringInterpolation {
    public init(stringLiteral text: String) { self.init(text) }
}

extension Path: CustomStringConvertible {
    /// The path for a sentence: ``readable``, with the middle of a long one left out.
    public var description: String { readable.quotable }

    /// The whole path for data: bytes that are not UTF-8 are written as `\xff`.
    public var readable: String { String(readable: bytes) }
}

extension Path: Comparable {
    /// The order of the bytes.
    public static func < (a: Path, b: Path) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }
}

// MARK: - Parts

extension Path {
    /// The folder part: up to and including the last slash; empty for a file of the working directory.
    public var folder: Path { Path(bytes: bytes[..<(bytes.lastIndex(of: Self.slash).map { $0 + 1 } ?? 0)]) }

    /// The part after the last slash.
    public var name: Path { Path(bytes: bytes[((bytes.lastIndex(of: Self.slash) ?? -1) + 1)...]) }

    /// Up to the last slash and without it; nil for the root and for a path of one part.
    public var parent: Path? {
        guard let slash = bytes.lastIndex(of: Self.slash), slash > 0 else { return nil }
        return Path(bytes: bytes[..<slash])
    }

    /// What lies between the slashes, without empty parts.
    public var parts: [Path] { bytes.split(separator: Self.slash).map { Path(bytes: $0) } }

    /// The path with more bytes at its end, such as an extension.
    public func appending(_ end: Path) -> Path { Path(bytes: bytes + end.bytes) }

    /// The path of something in this folder.
    public func child(_ name: Path) -> Path {
        bytes.last == Self.slash ? appending(name) : Path(bytes: bytes + [Self.slash] + name.bytes)
    }

    /// The path without its last bytes, such as an extension.
    public func dropping(_ count: Int) -> Path { Path(bytes: bytes.dropLast(count)) }

    /// The same from where a folder is relative to; an absolute path is returned as it is.
    /// - Parameter folder: with its slash, or empty for the working directory.
    public func relative(to folder: Path) -> Path { isAbsolute ? self : folder.appending(self) }

    /// The path without `.`, doubled slashes and `name/..`, so that paths of one file are equal unless links differ.
    /// Reads no file.
    public var simplified: Path {
        var parts: [Path] = []
        for part in self.parts {
            if part == "..", let last = parts.last, last != ".." {
                parts.removeLast()
            } else if part != "." {
                parts.append(part)
            }
        }
        return Path(isAbsolute: isAbsolute, parts)
    }

    /// The way to this path from a folder, both absolute and without links; a relative path is returned as it is.
    public func way(from folder: Path) -> Path {
        guard isAbsolute else { return self }
        let (there, here) = (parts, folder.parts)
        let common = zip(there, here).prefix { $0 == $1 }.count
        return Path(isAbsolute: false, [Path](repeating: "..", count: here.count - common) + there[common...])
    }

    /// The way to this path from a folder above it, both absolute and without links; nil where it does not lie below.
    func way(below folder: Path) -> Path? {
        let start = folder.bytes.last == Self.slash ? folder.bytes : folder.bytes + [Self.slash]
        return bytes.starts(with: start) && bytes.count > start.count ? Path(bytes: bytes[start.count...]) : nil
    }

    private init(isAbsolute: Bool, _ parts: some Sequence<Path>) {
        self.init(bytes: (isAbsolute ? [Self.slash] : []) + parts.map(\.bytes).joined(separator: [Self.slash]))
    }
}

// MARK: - What the system says

extension Path {
    /// Calls `body` with a string of C; without one, and with `errno` set, where the path contains a 0.
    /// - Returns: what `body` returns, or -1.
    package func withCString(_ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
        guard !bytes.contains(0) else {
            errno = EINVAL
            return -1
        }
        return (bytes + [0]).withUnsafeBytes { body($0.assumingMemoryBound(to: CChar.self).baseAddress!) }
    }

    /// What the system says about the file; nil, with `errno` set, where there is none.
    package func status(followingLinks: Bool = true) -> stat? {
        var status = stat()
        let code = withCString { followingLinks ? stat($0, &status) : lstat($0, &status) }
        return code == 0 ? status : nil
    }

    /// Whether there is something, and not a link to nothing.
    public var exists: Bool { withCString { access($0, F_OK) } == 0 }

    /// The absolute path of what exists, without links, dots and doubled slashes; nil where there is nothing.
    public var real: Path? {
        var real: UnsafeMutablePointer<CChar>?
        _ = withCString { path in
            real = realpath(path, nil)
            return 0
        }
        guard let real else { return nil }
        defer { free(real) }
        return Path(cString: real)
    }

    /// As ``real`` for a path at which there may be nothing yet; nil where it goes up from a folder that is not there.
    public var realOfNew: Path? {
        if let real { return real }
        if bytes.contains(0) { return nil }
        let parts = self.parts
        for count in parts.indices.reversed() {
            let start = Path(isAbsolute: isAbsolute, parts[..<count])
            guard let folder = (start.isEmpty ? "." : start).real else { continue }
            let rest = parts[count...]
            if rest.contains("..") { return nil }
            return rest.reduce(folder) { $0.child($1) }
        }
        return nil
    }

    /// The names in a folder that do not begin with a dot, in the order of their bytes.
    package var listed: [Path] {
        get throws(FileError) {
            guard let names = entries() else {
                throw .unreadable(path: description, reason: FileError.text(of: errno))
            }
            return names.filter { $0.bytes.first != UInt8(ascii: ".") }
        }
    }

    /// The names in a folder that begin with some bytes, without `.` and `..`, in the order of their bytes; nil, with
    /// `errno` set, where it can't be read.
    public func entries(startingWith start: Path = "") -> [Path]? {
        var stream: OpaquePointer?
        _ = withCString { path in
            stream = opendir(path)
            return 0
        }
        guard let stream else { return nil }
        defer { closedir(stream) }
        var names: [Path] = []
        while let entry = readdir(stream) {
            withUnsafeBytes(of: &entry.pointee.d_name) { field in
                let bytes = field.prefix { $0 != 0 }
                guard bytes.starts(with: start.bytes), !bytes.elementsEqual(".".utf8), !bytes.elementsEqual("..".utf8)
                else { return }
                names.append(Path(bytes: bytes))
            }
        }
        return names.sorted()
    }
}
