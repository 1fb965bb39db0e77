import Glibc
import LoupeBench
import LoupeDiff
import LoupeFiles
import LoupeImaging
import LoupeOracle
import LoupeRenderer
import LoupeScene
import LoupeVerify

/// What ends the command before it is done: an exit code and one sentence.
struct Failure: Error {
    /// The codes of sysexits.h that the manual names.
    enum Code: Int32 {
        case checkFailed = 1
        case usage = 64
        case badInput = 65
        case noInput = 66
        case noDevice = 69
        case defect = 70
        case cannotWrite = 73
        /// As a shell tells of a program that SIGINT, which Ctrl-C sends, or SIGTERM ended.
        case interrupted = 130
        case terminated = 143
    }

    let code: Code
    /// One sentence with the file, the value and the mend.
    let sentence: String
    /// Lines that say more, such as the table of devices.
    let details: [String]

    init(_ code: Code, _ sentence: String, details: [String] = []) {
        self.code = code
        self.sentence = sentence
        self.details = details
    }

    /// Says the sentence on standard error and ends the process.
    func exit() -> Never {
        let lines = ["loupe-render: error: \(sentence.forTerminal)"] + details.map { "  \($0.forTerminal)" }
        StandardError.write(lines.joined(separator: "\n") + "\n")
        Glibc.exit(code.rawValue)
    }
}

extension Failure {
    init(_ error: ImageError) {
        let code: Code =
            switch error.kind {
            case .unreadable: .noInput
            case .invalid: .badInput
            case .unwritable: .cannotWrite
            }
        self.init(code, error.description)
    }

    init(_ error: OracleError) {
        switch error {
        case .picture(let error): self.init(error)
        case .outOfMemory: self.init(.badInput, error.description)
        case .missingImage: self.init(.defect, error.description)
        }
    }

    init(_ error: FileError) {
        switch error {
        case .unreadable: self.init(.noInput, error.description)
        case .unwritable: self.init(.cannotWrite, error.description)
        }
    }

    init(_ error: RenderError) {
        switch error {
        case .tooCoarse: self.init(.noDevice, error.description)
        case .egl(let error):
            self.init(
                .noDevice, "\(error.description); loupe-render devices tells what is wrong and how to mend it",
                details: error.candidates.map(\.description))
        case .imageTooLarge, .canvasTooLarge, .outOfMemory:
            self.init(.badInput, error.description)
        case .picture(let error): self.init(error)
        case .missingImage, .gl, .noMemoryForDriver, .noMemoryBesideDriver:
            self.init(.defect, error.description)
        }
    }

    /// Whatever was thrown, as a failure of the command; errors without a home of their own are defects.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as ImageError: self.init(error)
        case let error as FileError: self.init(error)
        case let error as RenderError: self.init(error)
        case let error as DiffError: self.init(.badInput, error.description)
        case let error as MergeError: self.init(.badInput, error.description)
        case let error as BenchError: self.init(error)
        case let error as OracleError: self.init(error)
        default: self.init(.defect, "\(error)")
        }
    }
}

enum StandardError {
    /// Nobody can be told where even this fails.
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }
}
