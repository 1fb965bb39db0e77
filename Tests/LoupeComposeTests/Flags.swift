import LoupeBase
import LoupeScene
import Testing

@testable import LoupeCompose

/// A page of 40×30 pixels, each of which differs from its neighbours, as flags put loupes over it.
enum FlaggedPage {
    static let size = ImageSize(width: 40, height: 30)

    /// What decoding it answers.
    static let facts: PageFacts = {
        func color(_ x: Int, _ y: Int) -> Color {
            Color(red: UInt8(x * 6), green: UInt8(y * 8), blue: UInt8((x * 37 + y * 91) % 256))
        }
        let colors = (0..<40 * 30).map { color($0 % 40, $0 / 40) }
        let pixels = colors.flatMap { color -> [UInt8] in [color.red, color.green, color.blue, 255] }
        return PageFacts(
            size: size, tone: PageTone(of: size, color: color),
            contrast: ContrastGrid(width: 40, height: 30, pixels: pixels))
    }()

    /// The scene that these flags mean, as on the command line.
    static func scene(_ flags: [String], _ facts: PageFacts = facts) throws -> Scene {
        try compose(Request(options(flags: flags)), page: "page.png", facts: facts) { name in
            name == "small.png" ? ImageSize(width: 39, height: 30) : size
        }.scene
    }

    static func loupe(_ flags: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Loupe {
        try #require(try scene(flags).loupes.first, sourceLocation: sourceLocation)
    }

    /// That flags are refused as wrong usage, in a sentence with these words.
    static func expectRefusal(
        _ flags: [String], _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = #expect(throws: ComposeError.self, "\(flags)", sourceLocation: sourceLocation) { try scene(flags) }
        #expect(error?.kind == .usage, sourceLocation: sourceLocation)
        for words in words {
            #expect(
                error?.description.contains(words) == true, "\(words) in \(error?.description ?? "")",
                sourceLocation: sourceLocation)
        }
    }
}
