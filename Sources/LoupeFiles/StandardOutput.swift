import Glibc

/// Standard output as a place for whole files.
public enum StandardOutput {
    /// Writes all of `bytes`, however small the pieces the other end takes.
    ///
    /// Throws ``FileError/unwritable(path:reason:)``, also where the reader has gone, provided that the program ignores
    /// SIGPIPE, which would end it otherwise.
    public static func write(_ bytes: [UInt8]) throws(FileError) {
        let code = bytes.withUnsafeBytes { Descriptor.write($0, to: STDOUT_FILENO) }
        guard code != 0 else { return }
        throw .unwritable(path: "standard output", reason: FileError.text(of: code))
    }
}
