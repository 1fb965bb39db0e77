import Glibc

/// An output for bytes that come piece by piece: a file that appears only when it is whole, or standard output.
package struct ByteSink: Sendable {
    /// For a child process that writes to the same output.
    package let descriptor: Int32
    /// The output for messages.
    fileprivate let path: String

    /// F_SETPIPE_SZ of Linux.
    private static let setPipeSize: Int32 = 1031

    /// Calls `body` with a sink for the file at `path`, or for standard output where that is `-`. The file appears when
    /// `body` returns, and not at all if it throws.
    /// - Throws: what `body` throws, or ``FileError/unwritable(path:reason:)``.
    package static func open(_ path: Path, _ body: (ByteSink) throws -> Void) throws {
        if path.isDash {
            // A pipe of 1 MiB needs 16 times fewer switches between the processes than one of 64 KiB. The call fails
            // for anything but a pipe, which does no harm.
            _ = fcntl(STDOUT_FILENO, setPipeSize, 1 << 20)
            return try body(ByteSink(descriptor: STDOUT_FILENO, path: "standard output"))
        }
        var failure: (any Error)?
        do throws(FileError) {
            try AtomicFile.write(to: path) { descriptor in
                do {
                    try body(ByteSink(descriptor: descriptor, path: path.description))
                    return 0
                } catch {
                    failure = error
                    return ECANCELED
                }
            }
        } catch {
            throw failure ?? error
        }
    }

    /// Appends all of `bytes`; waits for a slow reader.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        let code = bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
        if code != 0 { throw .unwritable(path: path, reason: FileError.text(of: code)) }
    }

    /// Throws where ``overwrite(_:at:)`` can't work: for a pipe, a terminal, or a file that was not empty.
    /// - Parameter what: why bytes are to be overwritten, as the start of the message.
    package func requireRewriting(_ what: String) throws(FileError) {
        let appends = fcntl(descriptor, F_GETFL) & O_APPEND != 0
        guard lseek(descriptor, 0, SEEK_CUR) == 0, !appends else {
            throw .unwritable(path: path, reason: "\(what), so it needs a file of its own; name one")
        }
    }

    /// Replaces bytes that were written before, at an offset from the file's start.
    package func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw .unwritable(path: path, reason: FileError.text(of: errno))
        }
    }
}

/// Standard output for whole files.
package enum StandardOutput {
    /// Writes all of `bytes`; waits for a slow reader.
    ///
    /// Throws ``FileError/unwritable(path:reason:)``, also where the reader has closed the pipe. The program must ignore
    /// SIGPIPE, which ends it otherwise.
    package static func write(_ bytes: [UInt8]) throws(FileError) {
        try ByteSink(descriptor: STDOUT_FILENO, path: "standard output").write(bytes)
    }
}
