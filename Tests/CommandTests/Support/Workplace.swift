import LoupeFiles
import LoupeImaging
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

    func image(_ name: String) throws -> Image { try PNG.read(path: Path(folder.file(name))) }

    /// That a run ended with this code and one sentence that holds these words, and wrote nothing else.
    func expectFailure(
        _ outcome: Command.Outcome, _ code: Int32, naming words: String..., files: [String] = ["page.png"],
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
