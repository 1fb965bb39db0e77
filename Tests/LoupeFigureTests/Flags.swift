import LoupeBase
import LoupeScene
import TestSupport
import Testing

@testable import LoupeFigure

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

    /// The same page of which only the size is known.
    static let plain = PageFacts(size: size)

    /// Options as on the command line: `--zoom 4` or `--zoom=4`.
    static func options(_ flags: [String]) -> GivenOptions {
        var options = GivenOptions()
        for (index, flag) in flags.enumerated() where flag.hasPrefix("--") {
            let sides = flag.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let next = flags.dropFirst(index + 1).first
            let value = sides.count > 1 ? String(sides[1]) : next.flatMap { $0.hasPrefix("--") ? nil : $0 } ?? ""
            options.add(String(sides[0]), Array(value.utf8))
        }
        return options
    }

    /// The scene that these flags mean, as on the command line.
    static func scene(_ flags: [String], _ facts: PageFacts = facts) throws -> Scene {
        try compose(Request(options(flags)), page: "page.png", facts: facts) { name in
            name == "small.png" ? ImageSize(width: 39, height: 30) : facts.size
        }.scene
    }

    static func loupe(_ flags: [String], sourceLocation: SourceLocation = #_sourceLocation) throws -> Loupe {
        try #require(try scene(flags).loupes.first, sourceLocation: sourceLocation)
    }

    /// That flags are refused as wrong usage, in a sentence with these words.
    static func expectRefusal(
        _ flags: [String], _ words: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let error = thrown(ComposeError.self, "\(flags)", sourceLocation: sourceLocation) { try scene(flags) }
        #expect(error?.kind == .usage, sourceLocation: sourceLocation)
        for words in words {
            #expect(
                error?.description.contains(words) == true, "\(words) in \(error?.description ?? "")",
                sourceLocation: sourceLocation)
        }
    }
}
