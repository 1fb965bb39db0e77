import Glibc

/// An open file descriptor, closed once.
package struct Descriptor: ~Copyable, Sendable {
    /// The number of the descriptor.
    package let number: Int32

    /// `O_PATH` of Linux, which Swift does not import: a place in the file system, without reading or writing.
    static let pathOnly: Int32 = 0o10_000_000

    /// Opens the file at `path`; nil, with `errno` set, where that fails.
    package init?(opening path: Path, _ flags: Int32, mode: mode_t = 0) {
        var number: Int32
        repeat { number = path.withCString { open($0, flags | O_CLOEXEC, mode) } } while number < 0 && errno == EINTR
        guard number >= 0 else { return nil }
        self.number = number
    }

    /// Takes over a descriptor that is open.
    init(owning number: Int32) { self.number = number }

    deinit {
        Glibc.close(number)
    }

    /// Closes it and returns `errno`, or 0 for success: some file systems report a full disk only here.
    consuming func close() -> Int32 {
        let number = number
        discard self
        return Glibc.close(number) == 0 ? 0 : errno
    }

    /// Gives up ownership: the caller closes the returned descriptor.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Writes all bytes, waits for a slow reader, and returns `errno`, or 0 for success.
    package static func write(_ bytes: UnsafeRawBufferPointer, to number: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(number, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                awaitEvent(POLLOUT, on: number)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    /// Waits until the descriptor is ready, its other end is closed, or the time is up.
    fileprivate static func awaitEvent(_ event: Int32, on number: Int32, milliseconds: Int32 = -1) {
        var ready = pollfd(fd: number, events: Int16(event), revents: 0)
        poll(&ready, 1, milliseconds)
    }
}

/// A file that is open for reading. Several sources, on any threads, can read a regular file at once.
package final class OpenFile: Sendable {
    /// The path under which it was opened; empty for standard input.
    package let path: Path
    /// The path for messages.
    package let name: String
    /// Where the file must lie.
    package let confinement: PathConfinement
    /// Its size in bytes when it was opened, where that is known: not for a pipe. What is appended later is not read.
    package let length: Int?
    /// Whether it is a regular file, which can be read again from its start.
    package let isRegular: Bool
    private let descriptor: Descriptor

    /// Opens the file at `path`.
    ///
    /// The first writer to a FIFO is waited for some seconds. Once there is one, its bytes are waited for without a limit.
    /// - Parameter confinement: where the file must lie.
    /// - Throws: `unreadable` where the file is missing, a directory or not readable.
    package init(_ path: Path, in confinement: PathConfinement = .none) throws(FileError) {
        // Without O_NONBLOCK, opening a FIFO without a writer would block for ever.
        guard let descriptor = confinement.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else {
            let leadsOut = errno == EXDEV
            throw .unreadable(
                path: path.description, reason: leadsOut ? PathConfinement.problem : FileError.text(of: errno))
        }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            throw .unreadable(path: path.description, reason: FileError.text(of: errno))
        }
        let kind = status.st_mode & S_IFMT
        if kind == S_IFDIR { throw .unreadable(path: path.description, reason: "it is a directory; name a file in it") }
        // After this wait a read returns 0 for a FIFO without a writer and fails with EAGAIN for a slow writer.
        if kind == S_IFIFO {
            Descriptor.awaitEvent(POLLIN, on: descriptor.number, milliseconds: 5000)
        }
        isRegular = kind == S_IFREG
        // Files in /proc have a size of 0 and still hold bytes.
        length = isRegular && status.st_size > 0 ? Int(status.st_size) : nil
        (self.path, name, self.confinement) = (path, path.description, confinement)
        self.descriptor = descriptor
    }

    /// Standard input, from where it is.
    fileprivate init(standardInput: Void) throws(FileError) {
        (path, name, confinement, isRegular) = ("", "standard input", .none, false)
        // A second descriptor, which this value closes.
        let number = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
        if number < 0 { throw .unreadable(path: name, reason: FileError.text(of: errno)) }
        let descriptor = Descriptor(owning: number)
        var status = stat()
        let offset = lseek(descriptor.number, 0, SEEK_CUR)
        let isFile = fstat(descriptor.number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        length = isFile && offset >= 0 && status.st_size > offset ? Int(status.st_size - offset) : nil
        self.descriptor = descriptor
    }

    /// Reads some bytes, waiting for a slow writer: 0 at the end, negative with `errno` set after an error.
    /// - Parameter offset: how many bytes were read before; others than regular files only continue.
    fileprivate func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) -> Int {
        let most = min(buffer.count, (length ?? .max) - offset)
        if most <= 0 { return 0 }
        while true {
            let count =
                isRegular
                ? pread(descriptor.number, buffer.baseAddress, most, off_t(offset))
                : Glibc.read(descriptor.number, buffer.baseAddress, most)
            if count >= 0 || (errno != EINTR && errno != EAGAIN) { return count }
            if errno == EAGAIN { Descriptor.awaitEvent(POLLIN, on: descriptor.number) }
        }
    }
}

/// Bytes in order, with a look ahead: from memory, or piece by piece from a file.
///
/// A file that is read piece by piece is not held in memory. It is not mapped either: truncating a mapped file would
/// end the program.
package final class ByteSource {
    /// How many bytes there are in all, where that is known: not for a pipe.
    package let length: Int?
    /// The error that ended the bytes early; nil if there was none.
    package private(set) var failure: FileError?

    /// The file; nil for a source in memory.
    package let file: OpenFile?
    /// The bytes of a source in memory.
    private let bytes: [UInt8]
    /// How many bytes of the file, or of those in memory, have been read.
    private var offset = 0
    /// Holds what was read and not yet taken.
    private let window: UnsafeMutableRawBufferPointer
    private var unread: UnsafeRawBufferPointer

    private init(file: OpenFile?, bytes: [UInt8], length: Int?) {
        (self.file, self.bytes, self.length) = (file, bytes, length)
        window = .allocate(byteCount: 1 << 16, alignment: 16)
        unread = UnsafeRawBufferPointer(rebasing: window[..<0])
    }

    /// A source of bytes in memory.
    package convenience init(_ bytes: [UInt8]) { self.init(file: nil, bytes: bytes, length: bytes.count) }

    /// Reads a regular file from its start; any other file from where it is.
    package convenience init(_ file: OpenFile) { self.init(file: file, bytes: [], length: file.length) }

    /// Opens and reads the file at `path`. Throws as `OpenFile`.
    package convenience init(opening path: Path, in confinement: PathConfinement = .none) throws(FileError) {
        self.init(try OpenFile(path, in: confinement))
    }

    /// Reads standard input, from where it is.
    package static func standardInput() throws(FileError) -> ByteSource {
        ByteSource(try OpenFile(standardInput: ()))
    }

    deinit {
        window.deallocate()
    }

    /// The next bytes without taking them: `count`, at most 64 KiB, or fewer where the source ends sooner.
    package func peek(_ count: Int) -> UnsafeRawBufferPointer {
        while unread.count < count, refill() {}
        return UnsafeRawBufferPointer(rebasing: unread.prefix(count))
    }

    /// The bytes from an offset on, without taking any: of memory or a regular file; fewer than `count` at its end.
    package func bytes(at offset: Int, count: Int) -> [UInt8] {
        guard let file else { return Array(bytes.dropFirst(offset).prefix(count)) }
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = max(0, file.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset))
        }
    }

    /// Takes the next bytes into `buffer` and returns how many: fewer than it holds only where the source ends.
    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        var filled = 0
        while filled < buffer.count {
            if unread.isEmpty, !refill() { break }
            let piece = unread.prefix(buffer.count - filled)
            UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]).copyMemory(
                from: UnsafeRawBufferPointer(rebasing: piece))
            filled += piece.count
            unread = UnsafeRawBufferPointer(rebasing: unread.dropFirst(piece.count))
        }
        return filled
    }

    /// Takes the bytes up to the next newline, which is taken too and left out; nil at the end of the source.
    /// - Parameter most: the most bytes of a line.
    /// - Throws: `unreadable`, also where a line is longer.
    package func line(most: Int) throws(FileError) -> [UInt8]? {
        var line: [UInt8] = []
        var isAtEnd = true
        while !unread.isEmpty || refill() {
            isAtEnd = false
            let end = unread.firstIndex(of: UInt8(ascii: "\n"))
            line += unread[..<(end ?? unread.endIndex)]
            guard line.count <= most else {
                throw .unreadable(path: file?.name ?? "", reason: "it has a line of more than \(most >> 20) MiB")
            }
            unread = UnsafeRawBufferPointer(rebasing: unread[(end.map { $0 + 1 } ?? unread.endIndex)...])
            if end != nil { return line }
        }
        if let failure { throw failure }
        return isAtEnd ? nil : line
    }

    /// Takes up to `count` of the next bytes, as many as are at hand, and returns them where they lie, until the next
    /// call. None only where the source ends.
    package func take(_ count: Int) -> UnsafeRawBufferPointer {
        if unread.isEmpty { _ = refill() }
        let piece = UnsafeRawBufferPointer(rebasing: unread.prefix(count))
        unread = UnsafeRawBufferPointer(rebasing: unread.dropFirst(count))
        return piece
    }

    /// Moves what is unread to the window's start and reads more after it; false where nothing more comes.
    private func refill() -> Bool {
        guard failure == nil else { return false }
        if unread.baseAddress != UnsafeRawPointer(window.baseAddress) { window.copyMemory(from: unread) }
        let room = UnsafeMutableRawBufferPointer(rebasing: window[unread.count...])
        let count = file?.read(into: room, at: offset) ?? copy(into: room)
        offset += max(0, count)
        unread = UnsafeRawBufferPointer(rebasing: window[..<(unread.count + max(0, count))])
        if count < 0 { failure = .unreadable(path: file?.name ?? "", reason: FileError.text(of: errno)) }
        return count > 0
    }

    /// Copies some of the bytes in memory.
    private func copy(into room: UnsafeMutableRawBufferPointer) -> Int {
        let part = bytes[offset..<min(bytes.count, offset + room.count)]
        room.copyBytes(from: part)
        return part.count
    }

    /// Takes everything that is left.
    /// - Parameter most: how many bytes are read of a source whose length is unknown, which may have no end.
    /// - Throws: `unreadable`, also where there are more bytes than `most`, or no memory for them.
    package func rest(most: Int = ByteSource.mostOfUnknownLength) throws(FileError) -> [UInt8] {
        if file == nil, offset == unread.count {
            // Nothing has been taken of the bytes in memory.
            (offset, unread) = (bytes.count, UnsafeRawBufferPointer(rebasing: window[..<0]))
            return bytes
        }
        if let length, !Memory.hasRoom(for: length) { throw tooLong("\(length) bytes") }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length ?? 0)
        while case let piece = take(.max), !piece.isEmpty {
            if length == nil, bytes.count + piece.count > most {
                let reason = "it has more than \(most >> 20) MiB, the most that is read where the length is not known"
                throw .unreadable(path: file?.name ?? "", reason: "\(reason); name a file")
            }
            // A full array grows to twice its size.
            if bytes.count + piece.count > bytes.capacity, !Memory.hasRoom(for: 2 * bytes.count) {
                throw tooLong("more than \(bytes.count) bytes")
            }
            bytes += piece
        }
        if let failure { throw failure }
        return bytes
    }

    /// The most bytes that are read of a source of unknown length: a pipe, a terminal, `/dev/zero`.
    static let mostOfUnknownLength = 1 << 30

    private func tooLong(_ bytes: String) -> FileError {
        .unreadable(path: file?.name ?? "", reason: "there is no memory for its \(bytes); \(Memory.advice)")
    }
}

/// The format that a document is written in, which its first bytes have to agree with.
package enum DocumentKind: Sendable {
    /// JSON, or a JSON value on each line.
    case json
    /// Any text.
    case text

    /// Whether a document may begin so.
    fileprivate func allows(_ start: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .json: start.first { !" \t\r\n".utf8.contains($0) }.map { "{[".utf8.contains($0) } ?? true
        case .text: !start.contains(0)
        }
    }
}

extension ByteSource {
    /// The most bytes of a document that are read of a source of unknown length.
    private static let mostOfDocument = 1 << 28
    /// How many first bytes are checked before the others are read.
    private static let checkedStart = 1 << 12
    /// Documents up to so many bytes take little memory, whatever they hold.
    private static let smallDocument = 1 << 20
    /// The most memory that one value of a document takes once it is decoded, in bytes.
    private static let bytesPerValue = 160

    /// Takes a whole document.
    ///
    /// Where the first bytes can't begin a document of its kind, only they are returned. The parser then finds what is
    /// wrong with them, and a source without an end is not read on.
    /// - Throws: `unreadable`, also where there are more bytes than are read, or no memory for what they decode to.
    package func document(_ kind: DocumentKind) throws(FileError) -> [UInt8] {
        let start = peek(Self.checkedStart)
        if let failure { throw failure }
        guard kind.allows(start) else { return Array(start) }
        let bytes = try rest(most: Self.mostOfDocument)
        if bytes.count > Self.smallDocument, !Memory.hasRoom(for: Self.valueCount(in: bytes) * Self.bytesPerValue) {
            throw tooLong("values")
        }
        return bytes
    }

    /// How many values the text has, about: each value of JSON or of CSV has a separator or a bracket.
    private static func valueCount(in bytes: [UInt8]) -> Int {
        bytes.count { $0 == 0x2c || $0 == 0x3a || $0 == 0x5b || $0 == 0x7b || $0 == 0x0a }
    }
}

/// All bytes of a file or of standard input.
package enum InputBytes {
    /// Reads a document.
    /// - Parameters:
    ///   - path: of the file.
    ///   - confinement: where the file must lie.
    ///   - kind: what it is written in. Where its first bytes say that it is not, only they are returned.
    /// - Throws: `unreadable`, with the system's reason, where the file is missing, a directory or not readable, and
    ///   where there is no memory for it.
    package static func read(
        path: Path, in confinement: PathConfinement = .none, as kind: DocumentKind
    ) throws(FileError) -> [UInt8] {
        try ByteSource(opening: path, in: confinement).document(kind)
    }

    /// Reads a document in a file, or from standard input for `-`, as ``read(path:in:as:)`` does.
    package static func read(input name: Path, as kind: DocumentKind) throws(FileError) -> [UInt8] {
        try name.isDash ? ByteSource.standardInput().document(kind) : read(path: name, as: kind)
    }
}
