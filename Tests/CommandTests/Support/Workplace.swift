import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

/// A working directory with a page in it, `page.png`, 40×30.
struct Workplace {
    let folder = TemporaryFolder()
    let command: Command

    init() throws {
        command = Command(folder: folder)
        _ = folder.put(try PNG.encode(Self.page), "page.png")
    }

    /// Every pixel differs from its neighbours.
    static let page: Image = {
        let pixels = (0..<40 * 30).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % 40, pixel / 40)
            return [UInt8(x * 6), UInt8(y * 8), UInt8((x * 37 + y * 91) % 256), 255]
        }
        return Image(width: 40, height: 30, pixels: pixels)
    }()

    func bytes(_ name: String) -> [UInt8]? { TemporaryFolder.bytes(at: folder.file(name)) }

    func text(_ name: String) throws -> String { String(decoding: try #require(bytes(name)), as: UTF8.self) }

    func json(_ name: String) throws -> JSONValue { try JSONValue(parsing: try #require(bytes(name))) }

    func image(_ name: String) throws -> Image { try PNG.read(path: Path(folder.file(name))) }

    func put(_ text: String, _ name: String) { _ = folder.put(Array(text.utf8), name) }

    func put(_ image: Image, _ name: String) throws { _ = folder.put(try PNG.encode(image), name) }

    // MARK: - Runs

    /// Runs the command, which has to end well and to say nothing on standard error.
    @discardableResult func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Command.Outcome {
        let outcome = command.run(arguments, input: input, environment: environment)
        expectSuccess(outcome, sourceLocation: sourceLocation)
        return outcome
    }

    @discardableResult func run(
        _ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:],
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Command.Outcome {
        run(arguments, input: input, environment: environment, sourceLocation: sourceLocation)
    }

    /// The scene that the command prints for these arguments. Each image counts as one of 40×30.
    func scene(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Scene {
        let printed = run(arguments + ["--print-scene"], sourceLocation: sourceLocation)
        return try SceneDecoder { _ in ImageSize(width: 40, height: 30) }.decode(printed.output)
    }

    /// Runs the command, which has to end with this code and one sentence that holds these words, and to write no file.
    func expectFailure(
        _ arguments: [String], _ code: Int32, naming words: String..., input: [UInt8] = [],
        environment: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let files = folder.names
        let outcome = command.run(arguments, input: input, environment: environment)
        expectFailure(outcome, code, naming: words, files: files, sourceLocation: sourceLocation)
    }

    /// That a run ended with this code and one sentence that holds these words, and wrote nothing else.
    func expectFailure(
        _ outcome: Command.Outcome, _ code: Int32, naming words: String..., files: [String] = ["page.png"],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        expectFailure(outcome, code, naming: words, files: files, sourceLocation: sourceLocation)
    }

    func expectFailure(
        _ outcome: Command.Outcome, _ code: Int32, naming words: [String], files: [String],
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(outcome.code == code, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.hasPrefix("loupe-render: error: "), sourceLocation: sourceLocation)
        let lines = outcome.errors.split(separator: "\n")
        #expect(lines.count == 1 || code == 69, "\(outcome.errors)", sourceLocation: sourceLocation)
        for word in words {
            #expect(lines.first?.contains(word) == true, "\(word) in \(outcome.errors)", sourceLocation: sourceLocation)
        }
        #expect(outcome.output.isEmpty, sourceLocation: sourceLocation)
        #expect(folder.names == files.sorted(), sourceLocation: sourceLocation)
    }

    /// That a run ended well and said nothing on standard error.
    func expectSuccess(_ outcome: Command.Outcome, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(outcome.code == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
        #expect(outcome.errors.isEmpty, "\(outcome.errors)", sourceLocation: sourceLocation)
    }
}
