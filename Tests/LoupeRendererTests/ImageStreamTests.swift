import LoupeGeometry
import LoupeImaging
import LoupeScene
import LoupeTesting
import TestSupport
import Testing

@testable import LoupeRenderer

/// A picture is the same whether its images are held whole or read row by row.
@MainActor @Suite(.leavesNoGLObjects) struct ImageStreamTests {
    /// Feeds an image in bands of this many rows.
    private func stream(_ path: String, for plan: DrawPlan, rows count: Int) throws -> ImageStream {
        let image = try #require(Pages.images[path])
        let stream = ImageStream(path, size: image.traits.size, for: plan)
        image.pixels.withUnsafeBytes { pixels in
            for start in stride(from: 0, to: image.height, by: count) {
                let rows = start..<min(image.height, start + count)
                let bytes = pixels[rows.lowerBound * image.width * 4..<rows.upperBound * image.width * 4]
                stream.take(UnsafeRawBufferPointer(rebasing: bytes), rows: rows)
            }
        }
        return stream
    }

    /// A renderer without any image.
    private let bare = Result { try Renderer(device: Settings.current.get().device) }

    private func streamed(_ scene: Scene, rows count: Int) throws -> Image {
        let paths = Set(scene.imagePaths).sorted()
        let guess = Pages.traits.mapValues { ImageTraits(size: $0.size, isOpaque: true) }
        let streams = try paths.map { try stream($0, for: DrawPlan(scene, images: guess), rows: count) }
        let traits = Dictionary(uniqueKeysWithValues: streams.map { ($0.path, $0.traits) })
        for path in paths { #expect(traits[path] == Pages.traits[path]) }
        return try bare.get().render(DrawPlan(scene, images: traits), streams: streams)
    }

    @Test func randomScenesEqualThoseOfImagesHeldWhole() throws {
        var generator = SceneGenerator(seed: 2024)
        for index in 0..<400 {
            let scene = generator.scene()
            #expect(try streamed(scene, rows: 1 + index % 40) == GPU.draw(scene), "scene \(index)")
        }
    }

    /// Split loupes among them, whose halves show two images in the place of one layer.
    @Test func randomShapesEqualThoseOfImagesHeldWhole() throws {
        var generator = SceneGenerator(seed: 2025)
        for index in 0..<100 {
            let scene = generator.scene(hasShapes: true)
            #expect(try streamed(scene, rows: 1 + index % 40) == GPU.draw(scene), "scene \(index)")
        }
    }

    /// Every filter, from strongly minified to magnified, in both kinds of light, opaque and not.
    @Test(arguments: Filter.allCases, [Blending.srgb, .linear])
    func everyScaleEqualsThatOfImagesHeldWhole(filter: Filter, blending: Blending) throws {
        for path in Pages.small {
            for scale in [0.03, 0.2, 0.77, 1, 1.3, 3] {
                let size = try Pages.size(of: path)
                let rect = Rect(
                    x: 7.3, y: -4.6, width: Double(size.width) * scale, height: Double(size.height) * scale * 1.1)
                let loupe = Loupe(center: Point(x: 60, y: 50), radius: 30, zoom: 2.5, filter: LoupeFilter(filter))
                let scene = Scene(
                    canvas: .init(width: 140, height: 120, background: .defaultBackground), blending: blending,
                    layers: [Layer(content: .image(path: path), rect: rect, filter: filter)], loupes: [loupe])
                #expect(try streamed(scene, rows: 16) == GPU.draw(scene), "\(path) at \(scale)")
            }
        }
    }

    @Test func anImageThatNobodyBroughtIsStillAnError() throws {
        let scene = Scene(
            canvas: .init(width: 10, height: 10, background: .defaultBackground),
            layers: [Layer(content: .image(path: Pages.small[0]), rect: Rect(x: 0, y: 0, width: 10, height: 10))])
        #expect(throws: RenderError.self) { try bare.get().render(DrawPlan(scene, images: Pages.traits), streams: []) }
    }
}
