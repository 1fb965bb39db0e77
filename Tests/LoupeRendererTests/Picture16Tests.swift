import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeTesting
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// Pictures of 16 bits a channel, from a page of 16 bits to the last step, against the double-precision renderer.
@Suite struct Picture16Tests {
    /// The tolerance of a premultiplied channel, in steps of 16 bits. On llvmpipe pictures are off by 1.
    private static let tolerance = 3.0
    /// In a corner's pixels: its tangents are made to 0.0002 px, which is 13 steps of an edge from black to white. A
    /// shadow's share is about as fine.
    private static let adornedTolerance = 16.0

    /// Slow ramps, which 8 bits would turn into steps of 257; every fourth row is translucent.
    private static let page: Image = {
        let samples = (0..<64 * 48).flatMap { pixel -> [UInt16] in
            let (x, y) = (pixel % 64, pixel / 64)
            let alpha = y % 4 == 3 ? 40_000 + x * 301 : 65_535
            return [UInt16(20_000 + x * 7 + y * 3), UInt16(x * 1021), UInt16(65_535 - y * 1301), UInt16(alpha)]
        }
        return Image(width: 64, height: 48, pixels16: samples)
    }()

    private static func scene(_ filter: Filter, _ blending: Blending, isAdorned: Bool = false) -> Scene {
        Scene(
            canvas: .init(width: 150, height: 120, background: Color(red: 30, green: 90, blue: 200, alpha: 200)),
            blending: blending,
            layers: [
                Layer(
                    content: .image(path: "page"),
                    // Without corners in sight.
                    rect: isAdorned
                        ? Rect(x: 7.3, y: 5.1, width: 131, height: 97)
                        : Rect(x: -20.3, y: 5.1, width: 191, height: 97),
                    corner: Corner(radius: isAdorned ? 20 : 0, exponent: 4), filter: filter, opacity: 0.9)
            ],
            loupes: [
                Loupe(
                    center: Point(x: 60, y: 50), radius: 40, zoom: 3.3, filter: LoupeFilter(filter),
                    rim: .init(width: 4, color: Color(red: 255, green: 250, blue: 240)),
                    shadow: isAdorned
                        ? .init(offset: Vector(dx: 2, dy: 6), blur: 12, color: .defaultShadow) : nil),
                Loupe(center: Point(x: 130, y: 100), radius: 25, zoom: 1.5, filter: LoupeFilter(filter)),
            ])
    }

    private func draw(_ scene: Scene, _ image: Image) throws -> Image {
        let renderer = try Renderer(device: Settings.current.get().device)
        try renderer.load(["page": image])
        return try renderer.render(DrawPlan(scene, images: ["page": image.traits], depth: .sixteen))
    }

    private func premultiplied(_ image: Image) throws -> [Double] {
        let samples = try #require(image.pixels16)
        return samples.indices.map { index in
            let alpha = Double(samples[index | 3])
            return index % 4 == 3 ? alpha : Double(samples[index]) * alpha / 65535
        }
    }

    private func worst(_ scene: Scene) throws -> Double {
        let actual = try premultiplied(draw(scene, Self.page))
        let expected = try premultiplied(Oracle().render(scene, images: ["page": Self.page], depth: .sixteen))
        return zip(actual, expected).map { abs($0 - $1) }.max() ?? .infinity
    }

    @Test(arguments: Filter.allCases, Blending.allCases)
    func pictureIsTheOraclesTo16Bits(filter: Filter, blending: Blending) throws {
        #expect(try worst(Self.scene(filter, blending)) <= Self.tolerance)
    }

    @Test(arguments: Blending.allCases)
    func cornersAndShadowsAreAsFineAsTheyAreComputed(blending: Blending) throws {
        #expect(try worst(Self.scene(.linear, blending, isAdorned: true)) <= Self.adornedTolerance)
    }

    @Test func opaquePageThatIsNotScaledIsCopiedSampleForSample() throws {
        var samples = try #require(Self.page.pixels16)
        for alpha in stride(from: 3, to: samples.count, by: 4) { samples[alpha] = 65535 }
        let page = Image(width: 64, height: 48, pixels16: samples)
        let scene = Scene(
            canvas: .init(width: 64, height: 48),
            layers: [Layer(content: .image(path: "page"), rect: Rect(x: 0, y: 0, width: 64, height: 48))])
        #expect(try draw(scene, page) == page)
        #expect(try Oracle().render(scene, images: ["page": page], depth: .sixteen) == page)
    }

    @Test func pageOf8BitsMayBeDrawnIn16() throws {
        let page = Image(width: 64, height: 48, pixels: Self.page.pixels)
        let scene = Self.scene(.linear, .srgb)
        let actual = try premultiplied(draw(scene, page))
        let expected = try premultiplied(Oracle().render(scene, images: ["page": page], depth: .sixteen))
        #expect(zip(actual, expected).allSatisfy { abs($0 - $1) <= Self.tolerance })
    }
}
