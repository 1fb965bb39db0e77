import Glibc

/// Files that appear whole or not at all.
///
/// The bytes go to a new file beside their place, which is then renamed over it; a failure removes the new file and
/// leaves an existing one as it was. Special cases:
/// - A symbolic link stays, and the file it leads to is replaced; a link that leads nowhere is refused.
/// - An existing file keeps its permissions, and one that may not be written is refused; a new file gets 0666 less
///   the umask.
/// - Devices and FIFOs are written to directly, and so are `/dev/stdout`, `/dev/stderr` and `/dev/fd/N`, through
///   the descriptor that is open already.
public enum AtomicFile {
    /// Puts `bytes` at `path`. Throws ``FileError/unwritable(path:reason:)``.
    public static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
        try write(to: path) { number in bytes.withUnsafeBytes { Descriptor.write($0, to: number) } }
    }

    /// Lends `body` a descriptor to write to; it returns `errno`, 0 where all went well.
    static func write(to path: String, _ body: (Int32) -> Int32) throws(FileError) {
        if let number = openDescriptor(namedBy: path) { return try check(body(number), path) }
        switch try Destination(path) {
        case .special: try writeDirectly(to: path, body)
        case .file(let place, let permissions): try replace(place, permissions, named: path, body)
        }
    }

    /// N for `/dev/fd/N`, and what the names `/dev/stdout` and `/dev/stderr` stand for.
    private static func openDescriptor(namedBy path: String) -> Int32? {
        switch path {
        case "/dev/stdout": STDOUT_FILENO
        case "/dev/stderr": STDERR_FILENO
        case _ where path.hasPrefix("/dev/fd/"): Int32(path.dropFirst("/dev/fd/".count))
        default: nil
        }
    }

    private static func writeDirectly(to path: String, _ body: (Int32) -> Int32) throws(FileError) {
        guard let device = Descriptor(opening: path, O_WRONLY | O_NOCTTY) else { return try check(errno, path) }
        let code = body(device.number)
        let closing = device.close()
        try check(code == 0 ? closing : code, path)
    }

    private static func replace(
        _ place: String, _ permissions: mode_t?, named path: String, _ body: (Int32) -> Int32
    ) throws(FileError) {
        let folder = folder(of: place)
        // With no more permissions than it will have, at no time. Unforeseeable, so that nobody can lie in wait with a link; independent of the name, which may be long.
        let temporary = folder + ".loupe-" + String(UInt64.random(in: .min ... .max), radix: 36) + ".tmp"
        guard let file = Descriptor(opening: temporary, O_WRONLY | O_CREAT | O_EXCL, mode: permissions ?? 0o666) else {
            let code = errno
            throw .unwritable(path: path, reason: "\(FileError.text(of: code)) (making a file in '\(folder)')")
        }
        var code = body(file.number)
        if code == 0, let permissions, fchmod(file.number, permissions) != 0 { code = errno }
        let closing = file.close()
        if code == 0 { code = closing }
        if code == 0, rename(temporary, place) != 0 { code = errno }
        if code != 0 { unlink(temporary) }
        try check(code, path)
    }

    /// Up to the last slash, or `./`.
    private static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "./"
    }

    private static func check(_ code: Int32, _ path: String) throws(FileError) {
        if code != 0 { throw .unwritable(path: path, reason: FileError.text(of: code)) }
    }
}
