import Glibc

/// An open file descriptor, closed once.
package struct Descriptor: ~Copyable {
    /// -1 where there is none.
    package let number: Int32

    var isOpen: Bool { number >= 0 }

    /// Nothing open.
    package init() {
        number = -1
    }

    /// Nil, with `errno` set, where the file can't be opened.
    package init?(opening path: String, _ flags: Int32, mode: mode_t = 0) {
        var number: Int32
        repeat { number = open(path, flags | O_CLOEXEC, mode) } while number < 0 && errno == EINTR
        guard number >= 0 else { return nil }
        self.number = number
    }

    deinit {
        if isOpen { Glibc.close(number) }
    }

    /// Closes it and returns `errno`, 0 where all went well: some file systems report a full disk only now.
    consuming func close() -> Int32 {
        let number = number
        discard self
        return Glibc.close(number) == 0 ? 0 : errno
    }

    /// Hands over what is open, to be closed by somebody else.
    consuming func release() -> Int32 {
        let number = number
        discard self
        return number
    }

    /// Reads some bytes, as many as are there: 0 at the end, negative with `errno` set after a failure.
    package static func read(_ number: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Writes all bytes, waiting where the other end is slow, and returns `errno`, 0 where all went well.
    package static func write(_ bytes: UnsafeRawBufferPointer, to number: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(number, piece.baseAddress, piece.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN {
                var ready = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
                poll(&ready, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
