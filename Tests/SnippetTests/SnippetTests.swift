// The examples of the libraries' DocC pages, compiled and run. `tools/check/docs` checks that each page has the lines of one.
import Foundation
import LoupeBase
import LoupeCompare
import LoupeFigure
import LoupeImaging
import LoupeMotion
import LoupeOracle
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem
import LoupeTesting
import Testing

@Suite struct SnippetTests {
    /// A page with a rounded corner under a loupe.
    private let scene = Scene(
        canvas: .init(width: 96, height: 64),
        layers: [
            Layer(
                content: .fill(Color(red: 255, green: 255, blue: 255)), rect: Rect(x: 8, y: 8, width: 80, height: 48),
                corner: Corner(radius: 12))
        ],
        loupes: [Loupe(center: Point(x: 10, y: 10), radius: 14, zoom: 4)])

    @Test func geometry() {
        let page = Outline(rect: Rect(x: 0, y: 0, width: 300, height: 200), radius: 40, exponent: 4)
        let distance = page.signedDistance(to: Point(x: 10, y: 100))  // 10: inside, 10 from the left edge
        let coverage = page.coverage(at: Point(x: 0, y: 100), magnification: 8)  // 0.5: on the edge
        #expect(distance == 10 && coverage == 0.5)
    }

    @Test func json() throws {
        do {
            _ = try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(Array("{\"layer\": []}".utf8))
        } catch let error as DocumentError {
            print(error)  // layer: unknown key; allowed are …
        }
    }

    @Test func sceneAsJSON() throws {
        let page = Layer(
            content: .image(path: "page.png"), rect: Rect(x: 20, y: 20, width: 600, height: 440),
            corner: CornerShape.style(.squircle).corner(
                of: CornerRadii(40), in: Rect(x: 20, y: 20, width: 600, height: 440)))
        let loupe = Loupe(
            center: Point(x: 80, y: 80), radius: 60, zoom: 4, rim: .init(width: 4, color: .defaultRim))
        let scene = Scene(canvas: .init(width: 640, height: 480), layers: [page], loupes: [loupe])
        let json = SceneEncoder().encode(scene)
        #expect(try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(Array(json.utf8)) == scene)
    }

    @Test func composing() throws {
        var options = GivenOptions()
        options.add("callout", Array("70%,40%".utf8))
        let facts = PageFacts(size: ImageSize(width: 800, height: 600))
        let scene = try compose(Request(options), page: "plot.png", facts: facts) { _ in facts.size }.scene
        #expect(scene.loupes.count == 1)
    }

    @Test func plan() {
        let plan = DrawPlan(scene, images: [:])
        for layer in plan.views[1].layers {
            print(layer.state, layer.pixelCount(.corner), layer.pixelCount(.noEdge))
        }
        #expect(plan.views[1].layers[0].state == .corner)
    }

    @Test func motion() {
        let spring = SpringMotion(Spring(frequency: 12.6, dampingRatio: 0.8), from: 0, to: 100)
        let positions = (0...30).map { spring.value(at: Double($0) / 60) }  // half a second, 60 frames a second
        #expect(positions[0] == 0 && spring.isSettled(at: 10))
    }

    @Test func files() throws {
        let path = NSTemporaryDirectory() + "/loupe-snippet-\(ProcessInfo.processInfo.processIdentifier).txt"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try AtomicFile.write(Array("whole or not at all\n".utf8), to: Path(path))
        let bytes = try InputBytes.read(path: Path(path), as: .text)
        #expect(bytes.count == 20)
    }

    @Test func imaging() throws {
        let red = Image(width: 1, height: 1, pixels: [255, 0, 0, 255])
        let bytes = try PNG.encode(red)
        let same = try PNG.decode(bytes, name: "red.png")
        #expect(same == red)
    }

    @Test func oracle() throws {
        let image = try Oracle().render(scene)
        #expect(image.width == 96)
    }

    @Test func diff() throws {
        let image = try Oracle().render(scene)
        let (reference, actual) = (image, image)
        let comparison = Comparison(metric: .channel(Tolerance(2)), scene: scene)
        let difference = try comparison.compare(reference: reference, actual: actual)
        print(difference.isSame, difference.differingPixels, difference.maxDelta, difference.boxes)
        #expect(difference.isSame)
    }

    @Test func vector() throws {
        let drawing = try VectorDrawing(scene, images: [:], resolution: 2)
        print(drawing.size, drawing.operations.count, drawing.images.count)
        #expect(drawing.images.isEmpty && !drawing.operations.isEmpty)
    }

    @Test func verify() {
        let limits = CaseLimits(for: scene)
        print(limits.tolerance?.base ?? 0)  // 2.0: of a premultiplied channel, in 1/255
        #expect(limits.tolerance?.base == 2)
    }

    @Test func renderer() throws {
        let renderer = try Renderer(device: .auto)
        let image = try renderer.render(DrawPlan(scene, images: [:]))
        #expect(image.height == 64)
    }

    @Test func pipeline() throws {
        let folder = NSTemporaryDirectory() + "/loupe-snippet-\(ProcessInfo.processInfo.processIdentifier)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try AtomicFile.write(Array(SceneEncoder().encode(self.scene).utf8), to: Path(folder + "/page.json"))
        try drawScene(in: folder)
        #expect(try PNG.read(path: Path(folder + "/page-loupe.png")).width == 96)
    }

    /// The example, in whichever folder.
    private func drawScene(in folder: String) throws {
        let scene = try SceneFile.read("\(folder)/page.json")
        let picture = try Pipeline().render(scene)
        try picture.write(to: "\(folder)/page-loupe.png")
    }

    @Test func testing() {
        expectRendersLikeOracle(scene, as: "corner-under-a-loupe")
    }
}
