import Glibc

/// Files that appear whole or not at all.
///
/// The bytes go to a `TemporaryFile`, which then takes its place; a failure leaves an existing file as it was. Nothing
/// waits for the disk: a machine that loses its power may lose what it wrote last. Special cases:
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
    package static func write(to path: String, _ body: (Int32) -> Int32) throws(FileError) {
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
        guard let file = TemporaryFile(for: place) else {
            let code = errno
            throw .unwritable(path: path, reason: "\(FileError.text(of: code)) (making a file in '\(place.folder)')")
        }
        var code = permissions.map { fchmod(file.descriptor, $0) == 0 ? 0 : errno } ?? 0
        if code == 0 { code = body(file.descriptor) }
        if code == 0 { code = file.moveIntoPlace() }
        try check(code, path)
    }

    private static func check(_ code: Int32, _ path: String) throws(FileError) {
        if code != 0 { throw .unwritable(path: path, reason: FileError.text(of: code)) }
    }
}
