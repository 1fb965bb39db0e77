import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// EXRs, which OpenEXR's own package for Python has written, and PFMs, which these tests write.
struct LinearImageTests {
    private static let fixtures = Repository.path + "/Tests/LoupeImagingTests/Fixtures/"
    private let folder = TemporaryFolder()

    /// The number of a channel in each fixture, and in each PFM here.
    private static func value(_ x: Int, _ y: Int, _ channel: Int) -> Float {
        Float(x - 4 + 21 * y) * [0.125, 0.25, 0.5][channel]
    }

    private static func values(isGrey: Bool) -> [Float] {
        (0..<14).flatMap { y in (0..<21).flatMap { x in (0..<3).map { value(x, y, isGrey ? 0 : $0) } } }
    }

    private func read(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) throws -> LinearImage? {
        try LinearImage.read(path: Path(folder.put(bytes, "picture")), limits: limits)
    }

    /// The error of a file, or how many numbers it has.
    private func sentence(_ bytes: [UInt8], limits: ImageLimits = ImageLimits()) -> String {
        do {
            return "\(String(describing: try read(bytes, limits: limits)?.values.count)) numbers"
        } catch let error as ImageError {
            #expect(error.kind == .invalid)
            return error.description
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: ["half-zip", "float-tiles", "mixed-piz", "grey-tiles"])
    func numbersAreThoseOfTheFile(name: String) throws {
        let image = try #require(try LinearImage.read(path: Path(Self.fixtures + name + ".exr")))
        #expect((image.width, image.height) == (21, 14))
        #expect(image.values == Self.values(isGrey: name.hasPrefix("grey")))
        let part = image.cropped(x: 3, y: 2, width: 4, height: 5)
        #expect(part.values[0] == Self.value(3, 2, 0))
        #expect(part.values[59] == Self.value(6, 6, name == "grey-tiles" ? 0 : 2))
    }

    @Test func whatIsNotReadIsNamed() throws {
        for (name, words) in [
            "b44": "its compression is B44", "whole-numbers": "its channel B has not a half or a float",
            "layers": "its first one is light.B",
        ] {
            let bytes = try #require(TemporaryFolder.bytes(at: Self.fixtures + name + ".exr"))
            #expect(sentence(bytes).contains(words))
        }
        let png = try #require(TemporaryFolder.bytes(at: Self.fixtures + "rgb.png"))
        #expect(try read(png) == nil, "another format is not its matter")
    }

    // MARK: - Damage

    /// The file with another data window, which begins at 0,0.
    private static func exr(_ width: Int32, _ height: Int32) throws -> [UInt8] {
        var bytes = try #require(TemporaryFolder.bytes(at: fixtures + "half-zip.exr"))
        let name = Array("dataWindow\0box2i\0".utf8)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + name.count + 4
        for (index, number) in [0, 0, width - 1, height - 1].enumerated() {
            withUnsafeBytes(of: number.littleEndian) {
                bytes.replaceSubrange(start + 4 * index..<start + 4 * index + 4, with: $0)
            }
        }
        return bytes
    }

    @Test func aHeaderThatAsksForGigabytesIsRefused() throws {
        for (width, height) in [(60000, 60000), (2_000_000_000, 2_000_000_000), (16000, 16000), (-5, 7)] {
            #expect(!sentence(try Self.exr(Int32(width), Int32(height))).hasSuffix("numbers"))
            #expect(!sentence(Self.pfm(width, height, "-1", [0, 0, 0, 0])).hasSuffix("numbers"))
        }
        #expect(sentence(try Self.exr(21, 14), limits: ImageLimits(maxPixels: 200)).contains("limit of 200 pixels"))
        let limits = ImageLimits(maxPixels: 200)
        #expect(sentence(Self.pfm(21, 14, "-1", []), limits: limits).contains("limit of 200 pixels"))
    }

    @Test func aDamagedFileIsReadOrEndsInOneSentence() throws {
        let whole = try #require(TemporaryFolder.bytes(at: Self.fixtures + "half-zip.exr"))
        for count in stride(from: 4, to: whole.count, by: 9) {
            #expect(!sentence(Array(whole.prefix(count))).hasSuffix("numbers"), "cut after \(count) bytes")
        }
        var random = SplitMix64(seed: 51)
        for name in ["half-zip", "float-tiles", "mixed-piz"] {
            let whole = try #require(TemporaryFolder.bytes(at: Self.fixtures + name + ".exr"))
            for _ in 0..<Sample.count(100, whole: 3000) {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    bytes[.random(in: 4..<min(bytes.count, 700), using: &random)] = .random(in: 0...255, using: &random)
                }
                #expect(!sentence(bytes).contains("\n"))
            }
        }
    }

    // MARK: - PFM

    private static func pfm(
        _ width: Int, _ height: Int, _ scale: String, _ values: [Float], isGrey: Bool = false
    ) -> [UInt8] {
        let isBigEndian = !scale.hasPrefix("-")
        let data = values.flatMap { value in
            let bits = isBigEndian ? value.bitPattern.bigEndian : value.bitPattern.littleEndian
            return withUnsafeBytes(of: bits) { Array($0) }
        }
        return Array("\(isGrey ? "Pf" : "PF")\n\(width) \(height)\n\(scale)\n".utf8) + data
    }

    @Test(arguments: [("-1.0", false), ("1", false), ("-1", true), ("0.5", true)])
    func rowsOfAFloatMapAreFromTheBottom(scale: String, isGrey: Bool) throws {
        let values = (0..<14).reversed().flatMap { y in
            (0..<21).flatMap { x in (0..<(isGrey ? 1 : 3)).map { Self.value(x, y, $0) } }
        }
        let image = try read(Self.pfm(21, 14, scale, values, isGrey: isGrey))
        #expect(image?.values == Self.values(isGrey: isGrey))
    }

    @Test func aBrokenFloatMapEndsInOneSentence() {
        #expect(sentence(Self.pfm(2, 2, "-1", [1, 2, 3])).contains("12 bytes are too few for 2×2 pixels"))
        #expect(sentence(Self.pfm(1, 2, "-1", [1, 2, 3, 4, .nan, 6])).contains("the pixel at 0,0 is infinite or not"))
        #expect(sentence(Self.pfm(1, 1, "-1", [1, 2, -.infinity])).contains("the pixel at 0,0 is infinite or not"))
        for text in [
            "PF", "PF\n", "PF 1", "PF\n1 1\n", "PF\n1 1\n0\n", "PF\n1 1\nx\n", "PF\n1 1\n-1", "Pf\n1e3 1\n-1\n",
        ] {
            #expect(!sentence(Array(text.utf8)).hasSuffix("numbers"), "\(text)")
        }
    }
}
