import LoupeFiles

/// Where the command writes to: a file that appears whole or not at all, or standard output.
enum Output {
    case standard
    case file(Path, PathConfinement)

    /// `-` is standard output.
    /// - Parameter confinement: where a file must lie.
    init(_ argument: OutputPath, in confinement: PathConfinement = .none) {
        self = argument.isStandardOutput ? .standard : .file(argument.path, confinement)
    }

    /// A broken pipe is no error: a reader that closes it has what it wanted.
    /// - Throws: `Failure`, 73.
    func write(_ bytes: [UInt8]) throws {
        do {
            switch self {
            case .standard: try StandardOutput.write(bytes)
            case .file(let path, let confinement): try AtomicFile.write(bytes, to: path, in: confinement)
            }
        } catch  where error.isBrokenPipe {
            return
        } catch {
            throw Failure(.cannotWrite, error.description)
        }
    }

    func write(_ text: String) throws {
        try write(Array(text.utf8))
    }
}
