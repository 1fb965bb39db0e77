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

    private static func opened(_ bytes: [UInt8]) throws -> Image {
        #expect(bytes.starts(with: "RIFF".utf8))
        return try ImageFile.decode(bytes, name: "stored")
    }

    /// Does what the page's script does.
    private static func composed(_ number: Int, _ stored: PagePictures) throws -> Image {
        guard let change = stored.changes[number] else { return try opened(stored.pictures[number]) }
        var image = try composed(change.base, stored)
        if change.kind == .same { return image }
        let png = try opened(stored.pictures[number])
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
                    case .add, .same: break
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
        let corner = Self.mixed(base, other, columns: 3..<9, rows: 2..<7)
        let pairs = [
            (base, Self.shifted(base)), (Self.mixed(base, other, columns: 3..<30, rows: 2..<20), base),
            (base, Self.mixed(base, other, columns: 40..<60, rows: 0..<40)), (other, other),
            (clear, Self.mixed(clear, other, columns: 0..<9, rows: 30..<40)),
            // Few pixels far from each other.
            (base, Self.mixed(corner, other, columns: 50..<57, rows: 30..<39)),
            (base, Self.mixed(base, clear, columns: 10..<20, rows: 10..<20)), (other, clear),
        ]
        let stored = PagePictures(try pairs.map { try Self.pictures($0, $1) })
        for ((reference, actual), numbers) in zip(pairs, stored.numbers) {
            #expect(numbers.map(\.kind) == ["reference", "actual"])
            #expect(try Self.composed(numbers[0].number, stored) == reference)
            #expect(try Self.composed(numbers[1].number, stored) == actual)
        }
        #expect(Set(stored.changes.map { $0?.kind }) == [nil, .add, .over, .replace, .same])
    }

    @Test func aCaseLikeAnotherCostsLittle() throws {
        let base = Self.noise(1)
        let cases = try (0..<10).map { number in
            let reference = Self.mixed(base, Self.noise(9), columns: number..<number + 8, rows: 3..<9)
            return try Self.pictures(reference, Self.shifted(reference))
        }
        let one = Self.size(PagePictures([cases[0]]))
        let all = Self.size(PagePictures(cases))
        #expect(all < one * 2, "\(all) bytes for ten cases, \(one) for one")
        #expect(Self.size(PagePictures(cases + cases)) == all, "the same pictures again")
    }

    private static func size(_ stored: PagePictures) -> Int { stored.pictures.reduce(0) { $0 + $1.count } }

    @Test("A page that a loupe hides in each picture in another place is stored once")
    func sharedPage() throws {
        let size = (width: 192, height: 128)
        var random = SplitMix64(seed: 4)
        func noise() -> Image {
            var pixels = (0..<size.width * size.height * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
            for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
            return Image(width: size.width, height: size.height, pixels: pixels)
        }
        let pages = [noise(), noise()]
        // Pictures of two pages in turn.
        let references = (0..<8).map { number in
            var image = pages[number % 2]
            for row in 20..<60 {
                let start = (row * size.width + number * 20) * 4
                image.pixels.replaceSubrange(start..<start + 160, with: [UInt8](repeating: 255, count: 160))
            }
            return image
        }
        let stored = PagePictures(try references.map { try Self.pictures($0, $0) })
        for (reference, numbers) in zip(references, stored.numbers) {
            #expect(try Self.composed(numbers[0].number, stored) == reference)
            #expect(numbers[0].number == numbers[1].number)
        }
        #expect(Self.size(stored) < 2 * size.width * size.height * 3 + 8 * 300)
    }

    /// A page of 480×360 pixels: colours that change along rows and columns, and discs and bars of other colours.
    private static func drawing(_ random: inout SplitMix64) -> Image {
        let (width, height) = (480, 360)
        let colors = (0..<40).map { _ in (0..<3).map { _ in UInt8.random(in: 0...255, using: &random) } }
        var words: [UInt32] = []
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (UInt32(column), UInt32(row))
                words.append(0xff00_0000 | (x / 4 + y / 4) << 16 | (y / 2 + 40) << 8 | (x / 3 + 60))
            }
        }
        for (index, color) in colors.enumerated() {
            let fill = 0xff00_0000 | UInt32(color[0]) << 16 | UInt32(color[1]) << 8 | UInt32(color[2])
            let radius = Int.random(in: 4...40, using: &random)
            let (x, y) = (Int.random(in: 50..<430, using: &random), Int.random(in: 50..<310, using: &random))
            for row in -radius..<radius {
                let half = index % 2 == 0 ? radius : Int(Double(radius * radius - row * row).squareRoot())
                for column in x - half..<x + half { words[(y + row) * width + column] = fill }
            }
        }
        return Image(width: width, height: height, pixels: words.withUnsafeBytes(Array.init))
    }

    @Test("Failed cases whose pages, loupes and colours differ take less than 50 kB each, so 500 take less than 25 MB")
    func differingCases() throws {
        var random = SplitMix64(seed: 5)
        let cases = try (0..<2).map { _ in
            let (reference, other) = (Self.drawing(&random), Self.drawing(&random))
            var actual = reference
            for row in 100..<220 {
                let range = (row * 480 + 100) * 4..<(row * 480 + 220) * 4
                actual.pixels.replaceSubrange(range, with: other.pixels[range])
            }
            return try Self.pictures(reference, actual)
        }
        let stored = PagePictures(cases)
        #expect(stored.pictures.reduce(0) { $0 + Base85.encode($1).utf8.count } < cases.count * 50_000)
    }

    // MARK: - With losses

    private static let large = (width: 192, height: 128)

    /// Waves with grain.
    private static func photograph(_ seed: UInt64) -> Image {
        var random = SplitMix64(seed: seed)
        var pixels = [UInt8](repeating: 255, count: large.width * large.height * 4)
        for index in pixels.indices where index % 4 != 3 {
            let (column, row) = (index / 4 % large.width, index / 4 / large.width)
            pixels[index] = UInt8((column + row / 2 + Int(seed)) / 2 + 40) + UInt8.random(in: 0...12, using: &random)
        }
        return Image(width: large.width, height: large.height, pixels: pixels)
    }

    /// The picture with a block of a grey, or transparent.
    private static func marked(_ image: Image, _ columns: Range<Int>, _ grey: UInt8?) -> Image {
        var image = image
        for row in 30..<50 {
            for index in (row * large.width + columns.lowerBound) * 4..<(row * large.width + columns.upperBound) * 4 {
                image.pixels[index] = grey.map { index % 4 == 3 ? 255 : $0 } ?? 0
            }
        }
        return image
    }

    private static func alone(_ image: Image) throws -> CasePictures {
        let json: JSONValue = ["actual": .string(try text(image))]
        return try CasePictures(JSONReader(json, path: .document))
    }

    /// Where the two of a pair differ, both are shown as they are; where they are equal, alike.
    private static func expectExactDifferences(_ pair: (Image, Image), _ shown: [Image], most: Int) {
        for pixel in 0..<pair.0.width * pair.0.height {
            let range = pixel * 4..<pixel * 4 + 4
            let differs = pair.0.pixels[range] != pair.1.pixels[range]
            let isNear = zip([pair.0, pair.1], shown).allSatisfy { image, shown in
                zip(image.pixels[range], shown.pixels[range]).allSatisfy {
                    abs(Int($0) - Int($1)) <= (differs ? 0 : most)
                }
            }
            #expect(isNear && (shown[0].pixels[range] != shown[1].pixels[range]) == differs, "pixel \(pixel)")
        }
    }

    @Test("Where the pictures would be too large, those of photographs have losses, but not near what differs")
    func approximate() throws {
        let shared = Self.photograph(30)
        let flat = Image(
            width: Self.large.width, height: Self.large.height,
            pixels: [UInt8](repeating: 255, count: shared.pixels.count))
        // With pages of their own, of which one becomes transparent in two places; two that share a page; one of one colour.
        let own = (1...6).map { Self.photograph($0) }
        var pairs = own.map { ($0, Self.marked($0, 40..<60, 9)) }
        pairs[1].1 = Self.marked(Self.marked(own[1], 20..<25, nil), 150..<155, nil)
        pairs += [20..<40, 90..<120].map { (Self.marked(shared, $0, 200), Self.marked(shared, $0, 90)) }
        pairs.append((flat, Self.marked(flat, 3..<9, 0)))
        let cases = try pairs.map { try Self.pictures($0, $1) }
        let exact = PagePictures(cases)
        #expect(!exact.isApproximate && exact.notes.isEmpty)
        let limit = Self.size(exact) / 2
        let stored = PagePictures(cases, limit: limit)
        #expect(stored.isApproximate && stored.notes.count == 1)
        #expect(Self.size(stored) < limit * 11 / 10, "\(Self.size(stored)) bytes of \(Self.size(exact))")
        for (pair, numbers) in zip(pairs, stored.numbers) {
            let shown = try numbers.map { try Self.composed($0.number, stored) }
            Self.expectExactDifferences(pair, shown, most: pair.0 == flat ? 0 : 60)
        }
    }

    @Test(
        "A picture that is compared with none of its size stays exact, and so do those that share a translucent one's page"
    )
    func exactInspiteOfTheLimit() throws {
        let shared = Self.photograph(30)
        let pairs = [90..<120, 20..<40, 60..<70].map { (Self.marked(shared, $0, 200), Self.marked(shared, $0, nil)) }
        let (new, small) = (Self.photograph(2), Self.noise(3))
        let cases =
            try pairs.map { try Self.pictures($1, $0) } + [Self.alone(new), Self.pictures(Self.photograph(3), small)]
        let stored = PagePictures(cases, limit: 1)
        #expect(!stored.isApproximate && stored.notes.isEmpty)
        for (pair, numbers) in zip(pairs, stored.numbers) {
            #expect(try numbers.map { try Self.composed($0.number, stored) } == [pair.1, pair.0])
        }
        #expect(try Self.composed(stored.numbers[3][0].number, stored) == new)
        #expect(try Self.composed(stored.numbers[4][0].number, stored) == Self.photograph(3))
        #expect(try Self.composed(stored.numbers[4][1].number, stored) == small)
    }

    @Test func marksAreTakenOutOfTheDifference() throws {
        var difference = Image(width: 2, height: 1, pixels: [240, 240, 240, 255, 230, 0, 38, 255])
        let text = try Self.text(difference)
        let json: JSONValue = ["reference": .string(text), "difference": .string(text)]
        let stored = PagePictures([try CasePictures(JSONReader(json, path: .document))])
        let numbers = stored.numbers[0]
        #expect(numbers.map(\.kind) == ["reference", "marks"])
        difference.pixels.replaceSubrange(0..<4, with: [0, 0, 0, 0])
        #expect(try Self.composed(numbers[1].number, stored) == difference)
    }

    @Test func textThatIsNoPictureIsKept() throws {
        let json: JSONValue = ["reference": "iVBORw0KGgo=", "difference": "AAAA"]
        let stored = PagePictures([try CasePictures(JSONReader(json, path: .document))])
        #expect(stored.numbers[0].map(\.kind) == ["reference", "difference"])
        #expect(stored.pictures == [[137, 80, 78, 71, 13, 10, 26, 10], [0, 0, 0]])
        #expect(Base64.decode("AAE=") == [0, 1] && Base64.decode("A") == nil && Base64.decode("A-==") == nil)
    }
}
