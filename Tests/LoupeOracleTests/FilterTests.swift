import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupePlan
import LoupeScene
import TestSupport
import Testing

@Suite("Sampling means what Pillow means")
struct FilterTests {
    /// The case as the base view of a layer, stretched so that the box fills the canvas.
    static func baseScene(_ data: PillowData.Case, zoom: Double = 1, focus: Point = .zero, at center: Point = .zero)
        throws
        -> Scene
    {
        let picture = try #require(PillowData.shared.pictures[data.picture])
        let texelWidth = Double(data.size[0]) / (data.box[2] - data.box[0]) / zoom
        let texelHeight = Double(data.size[1]) / (data.box[3] - data.box[1]) / zoom
        let rect = Rect(
            x: focus.x - center.x / zoom - data.box[0] * texelWidth,
            y: focus.y - center.y / zoom - data.box[1] * texelHeight,
            width: Double(picture.width) * texelWidth, height: Double(picture.height) * texelHeight)
        return Scene(
            canvas: .init(
                width: data.size[0], height: data.size[1], background: Color(red: 0, green: 0, blue: 0, alpha: 0)),
            blending: try #require(Blending(rawValue: data.blending)),
            layers: [
                Layer(
                    content: .image(path: ImagePath(data.picture)), rect: rect,
                    filter: try #require(Filter(rawValue: data.filter))
                )
            ])
    }

    /// The case as what a loupe that covers the whole canvas shows, the layer being small and elsewhere.
    static func loupeScene(_ data: PillowData.Case) throws -> Scene {
        let center = Point(x: Double(data.size[0]) / 2, y: Double(data.size[1]) / 2)
        let focus = Point(x: 101.5, y: -33.25)
        var scene = try baseScene(data, zoom: 2.5, focus: focus, at: center)
        scene.loupes = [
            Loupe(center: center, radius: 40, zoom: 2.5, focus: focus, filter: LoupeFilter(scene.layers[0].filter))
        ]
        scene.layers[0].filter = .nearest
        return scene
    }

    static func render(_ scene: Scene) throws -> Image {
        let pictures = PillowData.shared.pictures
        let images = Dictionary(
            uniqueKeysWithValues: pictures.map { name, picture in
                (ImagePath(name), Image(width: picture.width, height: picture.height, pixels: picture.pixels))
            })
        return try Oracle().render(scene, images: images)
    }

    @Test("A layer equals the unrounded resize", arguments: PillowData.shared.cases)
    func layer(data: PillowData.Case) throws {
        try expectExact(Self.render(Self.baseScene(data)), data)
    }

    @Test("A loupe's disc equals the unrounded resize", arguments: PillowData.shared.cases)
    func loupe(data: PillowData.Case) throws {
        try expectExact(Self.render(Self.loupeScene(data)), data)
    }

    /// Half a code is rounding; the rest is Pillow's 32-bit floats, which weigh most where a small
    /// alpha divides a colour.
    private func expectExact(_ image: Image, _ data: PillowData.Case) throws {
        for pixel in 0..<image.width * image.height {
            let alpha = data.exact[pixel * 4 + 3]
            for channel in pixel * 4..<pixel * 4 + 4 {
                let difference = abs(Double(image.pixels[channel]) - data.exact[channel])
                #expect(
                    difference < 0.502 || (alpha > 0.49 && alpha < 0.51),
                    "channel \(channel) of \(data.description)")
            }
        }
    }

    /// The cases in which Pillow clamps nothing between its passes: `nearest` and `linear` can't
    /// overshoot, and the gentle picture stays away from 0 and 255. (Beside the hard edges of the
    /// other pictures that clamp moves `cubic` by up to 24 codes and `lanczos` by up to 50; there the
    /// unrounded resize is the comparison.)
    static let unclamped = PillowData.shared.cases.filter {
        $0.bytes != nil && ($0.picture == "gentle" || $0.filter == "nearest" || $0.filter == "linear")
    }

    /// One code apart: Pillow rounds after each of its two passes, half a code each time, and the
    /// oracle once.
    @Test("A layer equals Pillow's 8-bit resize to one code", arguments: unclamped)
    func eightBit(data: PillowData.Case) throws {
        let image = try Self.render(Self.baseScene(data))
        for (channel, expected) in try #require(data.bytes).enumerated() {
            #expect(abs(premultiplied(image, channel) - Double(expected)) <= 1, "channel \(channel)")
        }
    }

    private func premultiplied(_ image: Image, _ channel: Int) -> Double {
        let value = Double(image.pixels[channel])
        return channel % 4 == 3 ? value : (value * Double(image.pixels[channel | 3]) / 255).rounded()
    }
}
