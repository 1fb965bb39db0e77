import Glibc

/// Bytes in order, from memory or piece by piece from a file, with a look ahead.
///
/// Reading a file this way, rather than whole, keeps its bytes out of memory; mapping it would end the program if
/// another one cut the file short meanwhile.
package final class ByteSource {
    /// How many bytes there are in all, where that is known: not for a pipe.
    package let length: Int?
    /// What went wrong while reading. The bytes end there.
    package private(set) var failure: FileError?

    let path: String
    private let file: Descriptor
    /// Holds what was read from the file and not yet taken; empty for a source in memory.
    private var window: UnsafeMutableRawBufferPointer
    private var unread: UnsafeRawBufferPointer

    /// Lends `bytes`, which must outlive the source.
    package init(_ bytes: UnsafeRawBufferPointer) {
        length = bytes.count
        path = ""
        file = Descriptor()
        window = .allocate(byteCount: 0, alignment: 1)
        unread = bytes
    }

    /// Opens the file at `path`.
    /// - Parameter patience: how long to wait for someone to write to a FIFO that nobody has open, in seconds. Once a
    ///   writer is there its bytes are waited for, however slow it is.
    package init(opening path: String, patience: Double = 5) throws(FileError) {
        // Without O_NONBLOCK a FIFO that nobody writes to would hold the program here for ever.
        guard let file = Descriptor(opening: path, O_RDONLY | O_NONBLOCK | O_NOCTTY) else {
            throw .unreadable(path: path, reason: FileError.text(of: errno))
        }
        var status = stat()
        guard fstat(file.number, &status) == 0 else {
            throw .unreadable(path: path, reason: FileError.text(of: errno))
        }
        if status.st_mode & S_IFMT == S_IFDIR {
            throw .unreadable(path: path, reason: "it is a directory; name a file in it")
        }
        if status.st_mode & S_IFMT == S_IFIFO { Self.awaitWriter(of: file.number, seconds: patience) }
        // Files that the kernel makes up say 0.
        length = status.st_mode & S_IFMT == S_IFREG && status.st_size > 0 ? Int(status.st_size) : nil
        self.path = path
        self.file = consume file
        window = .allocate(byteCount: 1 << 16, alignment: 16)
        unread = UnsafeRawBufferPointer(rebasing: window[..<0])
    }

    deinit {
        window.deallocate()
    }

    /// The next bytes without taking them: `count` of them, at most 64 KiB, or fewer where the source ends sooner.
    package func peek(_ count: Int) -> UnsafeRawBufferPointer {
        while unread.count < count, refill() {}
        return UnsafeRawBufferPointer(rebasing: unread.prefix(count))
    }

    /// All bytes without taking them, where their number is known and no more than `most`.
    package func peekAll(most: Int) -> UnsafeRawBufferPointer? {
        guard let length, length <= most else { return nil }
        if file.isOpen, window.count < length { widenWindow(to: length) }
        while unread.count < length, refill() {}
        return failure == nil ? unread : nil
    }

    /// As `peek`, of any number of bytes: those of a file are held in memory until they are taken.
    package func peekWidely(_ count: Int) -> UnsafeRawBufferPointer {
        // At least twice as wide, so that a look that goes further and further copies little.
        if file.isOpen, window.count < count { widenWindow(to: max(count, 2 * window.count)) }
        return peek(count)
    }

    private func widenWindow(to count: Int) {
        let wider = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
        wider.copyMemory(from: unread)
        unread = UnsafeRawBufferPointer(rebasing: wider[..<unread.count])
        window.deallocate()
        window = wider
    }

    /// Takes the next bytes into `buffer` and returns how many; fewer than it holds only where the source ends.
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

    /// Moves what is unread to the window's start and reads more behind it; false where nothing more comes.
    private func refill() -> Bool {
        guard file.isOpen, failure == nil else { return false }
        if unread.baseAddress != UnsafeRawPointer(window.baseAddress) { window.copyMemory(from: unread) }
        let count = readSome(from: file.number, into: UnsafeMutableRawBufferPointer(rebasing: window[unread.count...]))
        unread = UnsafeRawBufferPointer(rebasing: window[..<(unread.count + max(0, count))])
        if count < 0 { failure = .unreadable(path: path, reason: FileError.text(of: errno)) }
        return count > 0
    }

    private func readSome(from number: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Descriptor.read(number, into: buffer)
            guard count < 0, errno == EAGAIN else { return count }
            var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
            poll(&ready, 1, -1)
        }
    }

    /// Returns once there is something to read, the writer has gone, or the time is up. Afterwards a read tells a FIFO
    /// that has no writer (its end) from one whose writer is slow (EAGAIN).
    private static func awaitWriter(of number: Int32, seconds: Double) {
        var ready = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        poll(&ready, 1, Int32(seconds * 1000))
    }
}
