import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeTesting
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeRenderer

/// A picture is the same whether its images are held whole or read row by row.
@Suite struct ImageStreamTests {
    /// Feeds an image in bands of this many rows.
    private func stream(_ path: ImagePath, for plan: DrawPlan, rows count: Int) throws -> ImageStream {
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

    private func streamed(_ scene: Scene, rows count: Int) throws -> Image {
        let paths = Set(scene.imagePaths).sorted()
        let guess = Pages.traits.mapValues { ImageTraits(size: $0.size, isOpaque: true) }
        let streams = try paths.map { try stream($0, for: DrawPlan(scene, images: guess), rows: count) }
        let traits = Dictionary(uniqueKeysWithValues: streams.map { ($0.path, $0.traits) })
        for path in paths { #expect(traits[path] == Pages.traits[path]) }
        return try GPU.drawStreams(DrawPlan(scene, images: traits), streams)
    }

    /// Split loupes among them, whose halves show two images in the place of one layer.
    @Test func randomScenesEqualThoseOfImagesHeldWhole() throws {
        var generator = SceneGenerator(seed: 2024)
        for index in 0..<Sample.count(24, whole: 500) {
            let scene = generator.scene(hasShapes: index % 3 == 0)
            #expect(try streamed(scene, rows: 1 + index % 40) == GPU.draw(scene), "scene \(index)")
        }
    }

    /// Every filter, from strongly minified to magnified, in both kinds of light, opaque and not.
    @Test(arguments: Filter.allCases, [Blending.srgb, .linear])
    func everyScaleEqualsThatOfImagesHeldWhole(filter: Filter, blending: Blending) throws {
        for (index, path) in Pages.small.enumerated() {
            // Each page is tried at other scales.
            for scale in Sample.of([0.03, 0.2, 0.77, 1, 1.3, 3], every: 3, from: index) {
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

    /// Pages that fill the canvas texel by texel, under loupes and other layers.
    @Test func imagesThatNeedNoTextureEqualThoseThatHaveOne() throws {
        let path = try #require(Pages.small.first { Pages.traits[$0]?.isOpaque == true })
        let image = try #require(Pages.images[path])
        let corner = Corner(radius: 9)
        func page(
            x: Double, y: Double, crop: Rect? = nil, corner: Corner = Corner(), opacity: Double = 1,
            strokes: [Stroke] = []
        ) -> Layer {
            let rect = Rect(x: x, y: y, width: Double(image.width), height: Double(image.height))
            return Layer(
                content: .image(path: path), rect: rect, crop: crop, corner: corner, opacity: opacity, strokes: strokes)
        }
        let line = Stroke(
            points: [.init(x: 3, y: 3), .init(x: 40, y: 30)], width: 3, color: Color(red: 200, green: 0, blue: 0))
        let moved: [[Layer]] = [
            [page(x: 0, y: 0)], [page(x: -9, y: -6)],
            [page(x: 0, y: 0), page(x: 13, y: 17)],
            [page(x: 0, y: 0), page(x: 13, y: 17, corner: corner)],
        ]
        let drawn: [[Layer]] = [
            [page(x: 1, y: 0)], [page(x: -0.5, y: -6)], [page(x: 0, y: 0, corner: corner)],
            [page(x: 0, y: 0, opacity: 0.5)], [page(x: 0, y: 0, strokes: [line])],
            // The picture's border goes on.
            [page(x: -15, y: 0, crop: Rect(x: 0, y: 0, width: 128, height: 96))],
            // Something is drawn before.
            [page(x: 7, y: 3, corner: corner), page(x: 0, y: 0, opacity: 0.5)],
        ]
        for (layers, isMoved) in moved.map({ ($0, true) }) + drawn.map({ ($0, false) }) {
            let loupe = Loupe(center: Point(x: 31, y: 28), radius: 20, zoom: 3)
            let scene = Scene(
                canvas: .init(width: image.width - 9, height: image.height - 6, background: .defaultBackground),
                layers: layers, loupes: [loupe])
            let plan = DrawPlan(scene, images: Pages.traits)
            let stream = ImageStream(path, moving: image, for: plan)
            #expect((stream != nil) == isMoved, "\(layers)")
            guard let stream else { continue }
            #expect(try GPU.drawStreams(plan, [stream]) == GPU.draw(scene), "\(layers)")
        }
    }

    /// Loupes, callouts and layers of all kinds, and none, over pages that fill the canvas texel by texel: the device has only
    /// a block of these to draw.
    @Test func anythingOverAnImageThatNeedsNoTextureIsAsOverOneThatHasOne() throws {
        let path = try #require(Pages.small.first { Pages.traits[$0]?.isOpaque == true })
        let image = try #require(Pages.images[path])
        let page = Layer(
            content: .image(path: path),
            rect: Rect(x: 0, y: 0, width: Double(image.width), height: Double(image.height)))
        var generator = SceneGenerator(seed: 77)
        var count = 0
        let trials = Sample.count(32, whole: 300)
        let renderer = try GPU.bareRenderer()
        for index in 0..<trials {
            var scene = generator.scene(hasShapes: index % 2 == 1)
            scene.canvas = .init(width: image.width, height: image.height, background: .defaultBackground)
            scene.layers = [page] + (index % 4 == 0 ? scene.layers : [])
            if index % 8 == 1 { scene.loupes = [] }
            let plan = DrawPlan(scene, images: Pages.traits)
            guard let stream = ImageStream(path, moving: image, for: plan) else { continue }
            let others = Pages.images.filter { $0.key != path && scene.imagePaths.contains($0.key) }
            try renderer.load(others)
            #expect(try renderer.render(plan, streams: [stream]) == GPU.draw(scene), "scene \(index)")
            count += 1
        }
        #expect(count > trials / 3)
    }

    /// The device or the CPU filters a block of the image, and gets the same picture as from all of it.
    @Test(arguments: Filter.allCases, [false, true])
    func aLoupeOverAnImageThatNeedsNoTextureIsDrawnTheSame(filter: Filter, onDevice: Bool) throws {
        let path = try #require(Pages.small.first { Pages.traits[$0]?.isOpaque == true })
        let image = try #require(Pages.images[path])
        let rect = Rect(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
        let loupe = Loupe(center: Point(x: 61.3, y: 48.6), radius: 20, zoom: 3, filter: LoupeFilter(filter))
        let scene = Scene(
            canvas: .init(width: image.width, height: image.height, background: .defaultBackground),
            layers: [Layer(content: .image(path: path), rect: rect)], loupes: [loupe])
        let plan = DrawPlan(scene, images: Pages.traits)
        let stream = try #require(ImageStream(path, moving: image, for: plan, filtersOnDevice: onDevice))
        #expect(try GPU.drawStreams(plan, [stream]) == GPU.draw(scene))
    }

    @Test func anImageThatNobodyBroughtIsStillAnError() throws {
        let scene = Scene(
            canvas: .init(width: 10, height: 10, background: .defaultBackground),
            layers: [Layer(content: .image(path: Pages.small[0]), rect: Rect(x: 0, y: 0, width: 10, height: 10))])
        #expect(throws: RenderError.self) { try GPU.drawStreams(DrawPlan(scene, images: Pages.traits), []) }
    }
}
