import LoupeBase
import LoupePlan
import LoupeScene
import Testing

@testable import LoupePipeline

/// Drawings of scenes, without cairo.
@Suite struct VectorDrawingTests {
    private func scene(zoom: Double = 3) -> Scene {
        let page = Layer(
            content: .image(path: "page.png"), rect: Rect(x: 0, y: 0, width: 80, height: 60),
            corner: Corner(radius: 9), filter: .lanczos, opacity: 0.5,
            strokes: [Stroke(points: [Point(x: 4, y: 4), Point(x: 40, y: 30)], width: 3)],
            shadow: Loupe.Shadow(offset: .zero, blur: 6, color: .defaultShadow))
        let callout = Callout(
            ring: .init(casing: Casing()), connector: Connector(.lines(width: 2), casing: Casing(color: .transparent)))
        let loupe = Loupe(
            center: Point(x: 70, y: 50), radius: 14, zoom: zoom, focus: Point(x: 20, y: 20), filter: .nearest,
            rim: .init(width: 2, color: .defaultRim, casing: Casing()),
            shadow: Loupe.Shadow(offset: Vector(dx: 0, dy: 2), blur: 8, color: .defaultShadow), callout: callout,
            grid: TexelGrid(), mark: TexelMark())
        let label = Label(
            "a\nb", at: .point(Point(x: 9, y: 9), align: Vector(dx: 0, dy: 1)), style: TextStyle(halo: Casing()))
        return Scene(
            canvas: .init(
                width: 100, height: 80,
                background: .gradient(.init(from: .defaultRim, to: .transparent, angle: 20))), layers: [page],
            loupes: [loupe], labels: [label])
    }

    private let images: [ImagePath: ImageTraits] = [
        "page.png": ImageTraits(size: ImageSize(width: 8, height: 6), isOpaque: true)
    ]

    @Test("An image is listed once, and one view with squares keeps all from interpolating") func imageList() throws {
        var scene = scene()
        scene.loupes.append(Loupe(center: Point(x: 20, y: 60), radius: 10, zoom: 8, filter: .cubic))
        let drawing = try VectorDrawing(scene, images: images, resolution: 1)
        #expect(drawing.images.count == 1 && !drawing.images[0].isSmooth && drawing.images[0].magnification == 80)
        scene.loupes[0].filter = .linear
        let smooth = try VectorDrawing(scene, images: images, resolution: 1)
        #expect(smooth.images[0].isSmooth)
    }

    /// A crop that shows little of a large image, as a figure of crops has many.
    @Test("Of a cropped image only what is shown is stored") func croppedImages() throws {
        let large: [ImagePath: ImageTraits] = [
            "page.png": ImageTraits(size: ImageSize(width: 400, height: 300), isOpaque: true)
        ]
        var scene = scene()
        scene.loupes = []
        scene.layers = [
            Layer(content: .image(path: "page.png"), rect: Rect(x: 0, y: 0, width: 40, height: 30)),
            Layer(
                content: .image(path: "page.png"), rect: Rect(x: -1560, y: -360, width: 1600, height: 1200),
                crop: Rect(x: 0, y: 40, width: 40, height: 20), filter: .nearest),
        ]
        let drawing = try VectorDrawing(scene, images: large, resolution: 1)
        #expect(drawing.images.map(\.isSmooth) == [true, false])
        #expect(drawing.images.map(\.part) == [nil, PixelRect(minX: 387, minY: 97, maxX: 400, maxY: 108)])
        let rects = drawing.operations.compactMap { if case .image(_, let rect) = $0 { rect } else { nil } }
        try #require(rects.count == 2)
        #expect(rects[1] == Rect(x: -12, y: 28, width: 52, height: 44))
    }

    @Test("Transforms, clips and groups are balanced") func balance() throws {
        var depth = 0
        var groups = 0
        for operation in try VectorDrawing(scene(), images: images, resolution: 1).operations {
            switch operation {
            case .save: depth += 1
            case .restore: depth -= 1
            case .beginGroup: groups += 1
            case .endGroup: groups -= 1
            default: break
            }
            #expect(depth >= 0 && groups >= 0)
        }
        #expect(depth == 0 && groups == 0)
    }

    /// In an SVG each group that shows a page stores it once more, until that is taken out again.
    @Test("What a loupe shows is a group only where no opaque rim hides its edge") func loupeGroups() throws {
        func groups(_ rim: Loupe.Rim?) throws -> Int {
            var scene = scene()
            (scene.layers[0].opacity, scene.loupes[0].rim) = (1, rim)
            return try VectorDrawing(scene, images: images, resolution: 1).operations.count { $0 == .beginGroup }
        }
        #expect(try groups(Loupe.Rim(width: 2, color: .defaultRim)) == 0)
        #expect(try groups(Loupe.Rim(width: 2, color: Color(red: 0, green: 0, blue: 0, alpha: 128))) == 1)
        #expect(try groups(Loupe.Rim(width: 0.5, color: .defaultRim)) == 1)
        #expect(try groups(Loupe.Rim(width: 20, color: .defaultRim)) == 1)
        #expect(try groups(nil) == 1)
    }

    @Test("A shadow has as many pixels as its blur needs, or as it is asked to have") func shadows() throws {
        var scene = scene()
        scene.loupes[0].shadow?.blur = 32
        scene.layers[0].shadow = nil
        let few = try #require(try VectorDrawing(scene, images: images, resolution: 3).bitmaps.first)
        let all = try #require(try VectorDrawing(scene, images: images, resolution: 3, isExact: true).bitmaps.first)
        #expect(abs(Double(few.size.width) / few.rect.width - 0.5) < 0.01)
        #expect(abs(Double(all.size.width) / all.rect.width - 3) < 0.01)
    }

    @Test("What vectors can't say is refused by name") func refusals() throws {
        var linear = scene()
        linear.blending = .linear
        #expect(throws: VectorRefusal.linearLight) { try VectorDrawing(linear, images: images, resolution: 1) }
        var cropped = scene()
        cropped.layers[0].crop = Rect(x: -5, y: 0, width: 20, height: 20)
        #expect(throws: VectorRefusal.cropBeyondPicture(layer: 0)) {
            try VectorDrawing(cropped, images: images, resolution: 1)
        }
    }
}
