import Glibc

/// A place for bytes that come piece by piece: a file that will appear whole, or standard output.
public struct ByteSink {
    /// For a program that writes into the same place.
    package let descriptor: Int32
    private let path: String

    /// F_SETPIPE_SZ of Linux.
    private static let setPipeSize: Int32 = 1031

    /// Lends a sink for the file at `path`, which appears when `body` returns and not at all if it throws;
    /// `-` is standard output.
    public static func open(_ path: String, _ body: (ByteSink) throws -> Void) throws {
        if path == "-" {
            // A pipe of a MiB changes hands sixteen times less often than one of 64 KiB. Anything else says no.
            _ = fcntl(STDOUT_FILENO, setPipeSize, 1 << 20)
            return try body(ByteSink(descriptor: STDOUT_FILENO, path: "standard output"))
        }
        var failure: (any Error)?
        do throws(FileError) {
            try AtomicFile.write(to: path) { descriptor in
                do {
                    try body(ByteSink(descriptor: descriptor, path: path))
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

    /// Appends all of `bytes`, however small the pieces the other end takes.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        let code = bytes.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
        if code != 0 { throw .unwritable(path: path, reason: FileError.text(of: code)) }
    }

    /// Refuses a place where `overwrite` can't work: a pipe, a terminal, or a file that was not empty.
    package func requireRewriting(_ what: String) throws(FileError) {
        let appends = fcntl(descriptor, F_GETFL) & O_APPEND != 0
        guard lseek(descriptor, 0, SEEK_CUR) == 0, !appends else {
            throw .unwritable(path: path, reason: "\(what), so it needs a file of its own; name one")
        }
    }

    /// Writes over bytes that were written before; only in a file.
    package func overwrite(_ bytes: [UInt8], at offset: Int) throws(FileError) {
        guard pwrite(descriptor, bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw .unwritable(path: path, reason: FileError.text(of: errno))
        }
    }
}

extension FileError {
    /// Whether a reader has closed its end: nobody wants the rest.
    public var isBrokenPipe: Bool {
        if case .unwritable(_, FileError.text(of: EPIPE)) = self { true } else { false }
    }
}
