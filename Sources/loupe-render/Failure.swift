import ArgumentParser
import Glibc
import LoupeBase
import LoupeBench
import LoupeCompare
import LoupeFigure
import LoupeImaging
import LoupeOracle
import LoupePipeline
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// An error that ends the command: an exit code and one sentence.
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
        /// The codes that a shell gives a program that SIGINT (Ctrl-C) or SIGTERM ended.
        case interrupted = 130
        case terminated = 143

        /// To be thrown where the command has said already what is wrong.
        var alone: ExitCode { ExitCode(rawValue) }
    }

    let code: Code
    /// One sentence: what is wrong, where, and what to do.
    let sentence: String
    /// Further lines, such as the table of devices.
    let details: [String]

    init(_ code: Code, _ sentence: String, details: [String] = []) {
        self.code = code
        self.sentence = sentence.quotingBriefly
        self.details = details.map(\.quotingBriefly)
    }

    /// Writes the sentence to standard error and ends the process.
    func exit() -> Never {
        let lines = ["loupe-render: error: \(sentence.forTerminal)"] + details.map { "  \($0.forTerminal)" }
        StandardError.write(lines.joined(separator: "\n") + "\n")
        Glibc.exit(code.rawValue)
    }
}

extension Failure {
    /// Any error as a failure of the command. An error of an unknown type is a defect of the program.
    init(_ error: any Error) {
        switch error {
        case let failure as Failure: self = failure
        case let error as PipelineError: self.init(error)
        case let error as EGLError:
            self.init(
                .noDevice, "\(error.description); loupe-render devices says what is wrong and how to fix it",
                details: error.candidates.map(\.description))
        case let error as BenchError: self.init(error)
        case let error as CostError: self.init(error)
        case let error as ShaderFailure: self.init(.badInput, error.sentence, details: error.log)
        default: self.init(Self.code(of: error), "\(error)")
        }
    }

    private static func code(of error: any Error) -> Code {
        switch error {
        case is DocumentError, is JobListError, is StrictError, is UnwritablePixels, is ShaderFolderError, is DiffError,
            is MergeError:
            .badInput
        case is CropsFigure.TooLarge: .badInput
        case is FileCollision, is VectorRefusal, is ReplayError: .usage
        case let error as ComposeError: error.kind == .usage ? .usage : .badInput
        case FileError.unreadable: .noInput
        case is FileError: .cannotWrite
        case let error as ImageError:
            switch error.kind {
            case .unreadable: .noInput
            case .unavailable: .noDevice
            case .invalid: .badInput
            case .unwritable: .cannotWrite
            }
        case RenderError.tooCoarse: .noDevice
        case RenderError.imageTooLarge, RenderError.canvasTooLarge, RenderError.outOfMemory: .badInput
        case OracleError.outOfMemory: .badInput
        case TextError.noHelper, VideoError.missingEncoder, VectorError.noHelper: .noDevice
        case is VideoError, TextError.unwritable, VectorError.unwritable: .cannotWrite
        case is TextError, is VectorError: .badInput
        default: .defect
        }
    }

    private init(_ error: PipelineError) {
        let usePicture = "; or name an option of a page, such as --margin 0, to use the picture itself"
        switch error {
        case .document, .unknownContent, .pictureInPlaceOfDocument:
            self.init(.badInput, error.description)
        case .storedScene: self.init(.badInput, error.description + usePicture)
        case .missingImage: self.init(.noInput, error.description + usePicture)
        case .tooManyPixels(_, let pixels):
            self.init(.badInput, "\(error.description), or raise the limit with --max-pixels \(pixels)")
        }
    }
}

extension String {
    /// The sentence with each long value cut: what stands between quotes, and each word. Most errors have cut their values
    /// already.
    fileprivate var quotingBriefly: String {
        guard unicodeScalars.count > 200 else { return self }
        // The apostrophe of a "can't" opens no quotation.
        let text = replacing("n't", with: "n\u{2019}t")
        return text.split(separator: "'", omittingEmptySubsequences: false).enumerated().map { index, part in
            if index % 2 == 1 { return String(part).quotable }
            return part.split(separator: " ", omittingEmptySubsequences: false).map { String($0).quotable }
                .joined(separator: " ")
        }.joined(separator: "'").replacing("n\u{2019}t", with: "n't")
    }
}
