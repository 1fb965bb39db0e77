import LoupeBench
import LoupeImaging
import LoupeVerify
import Testing

@testable import LoupeJSON
@testable import LoupeReport

/// Pictures are stored as changes of others and come out as they went in.
@Suite struct PagePicturesTests {
    private static let (width, height) = (60, 40)

    /// A picture of noise, which does not get smaller by compression alone.
    private static func noise(_ seed: UInt64, isOpaque: Bool = true) -> Image {
        var random = SplitMix64(seed: seed)
        var pixels = (0..<width * height * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
        for index in stride(from: 3, to: pixels.count, by: 4) where isOpaque { pixels[index] = 255 }
        return Image(width: width, height: height, pixels: pixels)
    }

    private static func text(_ image: Image) throws -> String { Base64.encode(try PNG.encode(image)) }

    private static func pictures(_ reference: Image, _ actual: Image) throws -> CasePictures {
        let json: JSONValue = ["reference": .string(try text(reference)), "actual": .string(try text(actual))]
        return try CasePictures(JSONReader(json, path: .document))
    }

    /// Does what the page's script does.
    private static func composed(_ number: Int, _ stored: PagePictures) throws -> Image {
        let png = try PNG.decode(#require(Base64.decode(stored.pictures[number].base64)), name: "stored")
        guard let change = stored.changes[number] else { return png }
        var image = try composed(change.base, stored)
        for row in 0..<change.height {
            for column in 0..<change.width {
                let target = ((change.y + row) * image.width + change.x + column) * 4
                let source = (row * png.width + column) * 4
                let alpha = png.pixels[source + 3]
                for channel in 0..<4 {
                    let new = png.pixels[source + channel]
                    switch change.kind {
                    case .replace: image.pixels[target + channel] = new
                    case .over where alpha == 255: image.pixels[target + channel] = new
                    case .over: #expect(alpha == 0)
                    case .add where channel < 3:
                        let less = png.pixels[source + channel + change.width * change.height * 4]
                        // Neither stops at an end of the range.
                        image.pixels[target + channel] += new
                        image.pixels[target + channel] -= less
                    case .add: break
                    }
                }
            }
        }
        return image
    }

    /// A picture with a block of another one.
    private static func mixed(_ image: Image, _ other: Image, columns: Range<Int>, rows: Range<Int>) -> Image {
        var result = image
        for row in rows {
            let range = (row * width + columns.lowerBound) * 4..<(row * width + columns.upperBound) * 4
            result.pixels.replaceSubrange(range, with: other.pixels[range])
        }
        return result
    }

    /// A picture that differs by little in a block.
    private static func shifted(_ image: Image) -> Image {
        var result = image
        for row in 5..<35 {
            for index in (row * width + 7) * 4..<(row * width + 50) * 4 where index % 4 != 3 {
                let value = image.pixels[index]
                result.pixels[index] = index % 5 == 0 ? (value > 3 ? value - 3 : 0) : (value < 250 ? value + 2 : 255)
            }
        }
        return result
    }

    @Test func everyPictureComesOutAsItWentIn() throws {
        let (base, other, clear) = (Self.noise(1), Self.noise(2), Self.noise(3, isOpaque: false))
        let pairs = [
            (base, Self.shifted(base)), (Self.mixed(base, other, columns: 3..<30, rows: 2..<20), base),
            (base, Self.mixed(base, other, columns: 40..<60, rows: 0..<40)), (other, other),
            (clear, Self.mixed(clear, other, columns: 0..<9, rows: 30..<40)),
            (base, Self.mixed(base, clear, columns: 10..<20, rows: 10..<20)), (other, clear),
        ]
        var stored = PagePictures()
        var kinds = Set<PagePictures.Change.Kind?>()
        for (reference, actual) in pairs {
            let numbers = stored.add(try Self.pictures(reference, actual))
            #expect(numbers.map(\.kind) == ["reference", "actual"])
            #expect(try Self.composed(numbers[0].number, stored) == reference)
            #expect(try Self.composed(numbers[1].number, stored) == actual)
            kinds.formUnion(numbers.map { stored.changes[$0.number]?.kind })
        }
        #expect(kinds == [nil, .add, .over, .replace])
    }

    @Test func aCaseLikeAnotherCostsLittle() throws {
        let base = Self.noise(1)
        var stored = PagePictures()
        _ = stored.add(try Self.pictures(base, Self.shifted(base)))
        let first = stored.pictures.map(\.base64.utf8.count).reduce(0, +)
        for number in 0..<10 {
            let reference = Self.mixed(base, Self.noise(9), columns: number..<number + 8, rows: 3..<9)
            _ = stored.add(try Self.pictures(reference, Self.shifted(reference)))
        }
        let all = stored.pictures.map(\.base64.utf8.count).reduce(0, +)
        #expect(all < first * 7, "\(all) bytes for eleven cases, \(first) for the first")
        _ = stored.add(try Self.pictures(base, Self.shifted(base)))
        #expect(stored.pictures.map(\.base64.utf8.count).reduce(0, +) == all, "the same pictures again")
    }

    @Test func marksAreTakenOutOfTheDifference() throws {
        var difference = Image(width: 2, height: 1, pixels: [240, 240, 240, 255, 230, 0, 38, 255])
        var stored = PagePictures()
        let text = try Self.text(difference)
        let json: JSONValue = ["reference": .string(text), "difference": .string(text)]
        let numbers = stored.add(try CasePictures(JSONReader(json, path: .document)))
        #expect(numbers.map(\.kind) == ["reference", "marks"])
        difference.pixels.replaceSubrange(0..<4, with: [0, 0, 0, 0])
        #expect(try Self.composed(numbers[1].number, stored) == difference)
    }

    @Test func textThatIsNoPictureIsKept() throws {
        var stored = PagePictures()
        let json: JSONValue = ["reference": "iVBORw0KGgo=", "difference": "AAAA"]
        #expect(
            stored.add(try CasePictures(JSONReader(json, path: .document))).map(\.kind) == ["reference", "difference"])
        #expect(stored.pictures.map(\.base64) == ["iVBORw0KGgo=", "AAAA"])
        #expect(Base64.decode("AAE=") == [0, 1] && Base64.decode("A") == nil && Base64.decode("A-==") == nil)
    }
}
