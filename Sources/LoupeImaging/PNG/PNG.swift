import Glibc
import LoupeSystem

/// Reads and writes PNGs. A namespace; most functions are in extensions.
public enum PNG {
    /// The eight bytes that every PNG starts with.
    public static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
}

extension PNG {
    /// Whether the file at `path` starts as a PNG and ends with a PNG's last chunk. A file that was cut short does not.
    public static func isWhole(path: Path) -> Bool {
        guard let file = Descriptor(opening: path, O_RDONLY | O_NONBLOCK) else { return false }
        let end = chunk("IEND", [])
        let size = Int(lseek(file.number, 0, SEEK_END))
        guard size > signature.count + end.count else { return false }
        return bytes(of: file, at: 0, signature.count) == signature
            && bytes(of: file, at: size - end.count, end.count) == end
    }

    private static func bytes(of file: borrowing Descriptor, at offset: Int, _ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(file.number, &bytes, count, off_t(offset))
        return Array(bytes.prefix(max(0, read)))
    }
}
