import LoupeBase
import LoupeCompare
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging
@testable import LoupeTesting

/// Pictures that only seem to be their references.
@Suite struct SamePicturesTests {
    private let stage = Stage()

    private func deep(_ value: UInt16) -> Image {
        Image(width: 4, height: 3, pixels16: (0..<48).map { $0 % 4 == 3 ? 65535 : $0 < 4 ? value : 1000 })
    }

    private func putBytes(_ bytes: [UInt8]) { _ = stage.folder.put(bytes, "references/picture.png") }

    /// A PNG of the plain picture with a chunk before its pixels.
    private func plain(with type: String, _ content: [UInt8]) throws -> [UInt8] {
        let bytes = try PNG.encode(Stage.plain)
        return Array(bytes[..<33]) + PNG.chunk(type, content) + bytes[33...]
    }

    @Test func stepThat8BitsLoseIsSeen() throws {
        try stage.put(deep(1000))
        #expect(try stage.failure(of: deep(1000)) == nil)
        let failure = try #require(try stage.failure(of: deep(1100)))
        #expect(failure.lines[0].hasPrefix("differs: 1 of 12 pixels differs (8.33 %); largest difference 0.3891"))
        #expect(failure.lines[0].hasSuffix("compared in 16 bits, sRGB"))
        let limits = CaseLimits(Comparison(metric: .channel(Tolerance(0.4))))
        #expect(try stage.failure(of: deep(1100), limits: limits) == nil)
    }

    @Test func recordedReferenceKeepsItsDepth() throws {
        #expect(try stage.failure(of: deep(1100), "picture", .missing) != nil)
        #expect(try stage.failure(of: deep(1100)) == nil)
        #expect(try stage.failure(of: deep(1000)) != nil)
    }

    @Test func referenceOfSeveralFramesIsRefused() throws {
        putBytes(try plain(with: "acTL", [0, 0, 0, 2, 0, 0, 0, 0]))
        #expect(try #require(try stage.failure(of: Stage.plain)).message.contains("an animation"))
    }

    @Test func numbersThatMeanOtherColoursAreOthers() throws {
        // Linear light.
        putBytes(try plain(with: "gAMA", [0, 1, 0x86, 0xa0]))
        #expect(try stage.failure(of: Stage.plain) != nil)
    }

    @Test func pointerOfGitLFSIsNamed() throws {
        putBytes(Array("version https://git-lfs.github.com/spec/v1\n".utf8))
        #expect(try #require(try stage.failure(of: Stage.plain)).message.contains("run git lfs pull"))
    }

    @Test func otherSizePassesOnlyWhereItMay() throws {
        try stage.put(Stage.plain)
        let low = Image(width: 4, height: 2, pixels: [UInt8](repeating: 100, count: 32))
        var comparison = Comparison(allowance: Allowance(maxPixels: 4))
        #expect(try stage.failure(of: low, limits: CaseLimits(comparison)) != nil)
        comparison.allowsSize = true
        #expect(try stage.failure(of: low, limits: CaseLimits(comparison)) == nil)
        comparison.allowance = Allowance(maxPixels: 3)
        #expect(try stage.failure(of: low, limits: CaseLimits(comparison)) != nil)
    }
}
