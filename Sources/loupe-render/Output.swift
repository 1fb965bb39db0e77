import LoupeFiles
import LoupeImaging
import LoupeScene

/// Where the command writes to: a file that appears whole or not at all, or standard output.
enum Output {
    case standard
    case file(String)

    /// `-` is standard output.
    init(_ argument: String) {
        self = argument == "-" ? .standard : .file(argument)
    }

    /// A reader who has closed the pipe has what it wanted: nobody is told, and the exit code is that of the work.
    func write(_ bytes: [UInt8]) throws {
        do {
            switch self {
            case .standard: try StandardOutput.write(bytes)
            case .file(let path): try AtomicFile.write(bytes, to: path)
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
