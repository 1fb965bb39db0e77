import Glibc

/// Everything that a file or standard input holds.
public enum InputBytes {
    /// - Throws: `unreadable`, with the system's reason, where the file is missing, a directory or not readable.
    public static func read(path: String) throws(FileError) -> [UInt8] { try ByteSource(opening: path).rest() }

    /// Lends what the file at `path` holds piece by piece, so that it need not fit into memory.
    /// - Throws: as `read`.
    public static func forEachPiece(path: String, _ body: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
        try ByteSource(opening: path).forEachPiece(body)
    }

    public static func readStandardInput() throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = Glibc.read(STDIN_FILENO, &buffer, buffer.count)
            if count == 0 { return bytes }
            if count > 0 {
                // It grows to twice its size.
                guard bytes.count + count <= bytes.capacity || Memory.hasRoom(for: 2 * bytes.count) else {
                    throw .unreadable(
                        path: "standard input", reason: "there is no memory for more than \(bytes.count) bytes")
                }
                bytes += buffer[..<count]
            } else if errno != EINTR {
                throw .unreadable(path: "standard input", reason: FileError.text(of: errno))
            }
        }
    }
}

extension ByteSource {
    /// Everything not yet taken.
    package func rest() throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        if let length, !Memory.hasRoom(for: length) {
            throw .unreadable(path: path, reason: "there is no memory for its \(length) bytes")
        }
        bytes.reserveCapacity(length ?? 0)
        try forEachPiece { bytes += $0 }
        return bytes
    }

    /// Lends everything not yet taken.
    func forEachPiece(_ body: (UnsafeRawBufferPointer) -> Void) throws(FileError) {
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(into: $0) }
            if let failure { throw failure }
            if count == 0 { return }
            buffer.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
