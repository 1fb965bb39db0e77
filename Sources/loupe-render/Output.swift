import Glibc
import LoupeFiles
import LoupeJSON

/// Where the command writes to: a file that appears whole or not at all, or standard output.
enum Output {
    case standard
    case file(String)

    /// `-` is standard output.
    init(_ argument: String) {
        self = argument == "-" ? .standard : .file(argument)
    }

    /// A broken pipe is no error: a reader that closes it has what it wanted.
    /// - Throws: `Failure`, 73.
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

/// Checks that no output replaces another one or an input.
enum OwnFiles {
    /// - Parameters:
    ///   - outputs: each with its flag. `-` and devices may be named twice.
    ///   - inputs: paths of the files that are read.
    /// - Throws: `Failure`, 64, for the first output that replaces something.
    static func check(outputs: [(flag: String, path: String?)], inputs: [String]) throws {
        var flags: [String: String] = [:]
        let read = Set(inputs.compactMap(Paths.real))
        for case (let flag, let path?) in outputs {
            guard let place = place(of: path) else { continue }
            if read.contains(place) {
                throw Failure(.usage, "\(flag) \(path.quotable): it would replace what is drawn; give it another name")
            }
            if let other = flags.updateValue(flag, forKey: place) {
                throw Failure(
                    .usage, "\(other) and \(flag) would both write \(path.quotable); give one of them another name")
            }
        }
    }

    /// The path of an output without links; nil for standard output and for what is not a regular file.
    static func place(of path: String) -> String? {
        var status = stat()
        let isOther = stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
        return path == "-" || isOther ? nil : Paths.realOfNew(path)
    }
}
