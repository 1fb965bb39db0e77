import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupePipeline
import LoupeRenderer
import LoupeScene
import LoupeSystem
import Synchronization
import TestSupport
import Testing

@Suite struct PipelineTests {
    private let folder = TemporaryFolder()

    /// Every pixel differs from its neighbours.
    private static let page: Image = {
        let pixels = (0..<40 * 30).flatMap { pixel -> [UInt8] in
            let (x, y) = (pixel % 40, pixel / 40)
            return [UInt8(x * 6), UInt8(y * 8), UInt8(pixel * 37 % 256), 255]
        }
        return Image(width: 40, height: 30, pixels: pixels)
    }()

    private static let document = """
        {"canvas": {"width": 60, "height": 50}, "layers": [{"image": "page.png", "rect": [10, 10, 40, 30]}],
         "loupes": [{"center": [30, 25], "radius": 15, "zoom": 3}]}
        """

    init() throws {
        _ = folder.put(try PNG.encode(Self.page), "page.png")
        _ = folder.put(Array(Self.document.utf8), "page.json")
    }

    private func expectNear(_ picture: Image, _ reference: Image, sourceLocation: SourceLocation = #_sourceLocation) {
        let differences = zip(picture.pixels, reference.pixels).map { abs(Int($0) - Int($1)) }
        #expect(picture.pixels.count == reference.pixels.count, sourceLocation: sourceLocation)
        #expect(differences.max() ?? 0 <= 2, sourceLocation: sourceLocation)
    }

    /// The lines of ``Pipeline``, but for the folder.
    @Test func aSceneFileBecomesAPNGThatCanBeDrawnAgain() throws {
        let scene = try SceneFile.read(Path(folder.file("page.json")))
        let picture = try Pipeline().render(scene)
        try picture.write(to: Path(folder.file("out.png")))

        let out = folder.file("out.png")
        let reference = try Oracle().render(scene.scene, images: ["page.png": Self.page])
        expectNear(picture.image, reference)
        let written = try ImageFile.read(path: Path(out))
        #expect(written.pixels == picture.image.pixels)
        let stored = try #require(try SceneFile(storedIn: ImageFile(path: Path(out)), at: Path(out)))
        let again = try Pipeline().render(stored)
        #expect(again.image.pixels == picture.image.pixels)
        #expect(try again.png(for: Path(out)) == picture.png(for: Path(out)))
    }

    @Test func onePipelineDrawsScenesOfFilesAndOfImagesInMemory() throws {
        let pipeline = Pipeline()
        let file = try SceneFile.read(Path(folder.file("page.json")))
        let first = try pipeline.render(file)
        let dark = Image(width: 40, height: 30, pixels: Self.page.pixels.map { $0 / 2 + 127 })
        let second = try pipeline.render(file.scene, images: ["page.png": dark])
        expectNear(second.image, try Oracle().render(file.scene, images: ["page.png": dark]))
        #expect(try pipeline.render(file.scene, images: ["page.png": dark]).image.pixels == second.image.pixels)
        #expect(try pipeline.render(file).image.pixels == first.image.pixels)
        var options = RenderOptions()
        options.usesOracle = true
        #expect(
            try pipeline.render(file, options: options).image.pixels
                == Oracle().render(file.scene, images: ["page.png": Self.page]).pixels)
    }

    @Test func errorsNameTheDocumentAndTheImage() throws {
        _ = folder.put(Array("{\"canvas\": 3}".utf8), "bad.json")
        #expect(throws: PipelineError.self) { try SceneFile.read(Path(folder.file("bad.json"))) }
        #expect(throws: PipelineError.self) { try SceneFile.read(Path(folder.file("page.png"))) }
        let error = thrown(RenderError.self) {
            try Pipeline().render(SceneFile.read(Path(folder.file("page.json"))).scene, images: [:])
        }
        #expect(error?.description.contains("page.png") == true)
        _ = folder.put(
            Array(Self.document.replacing("page.png", with: "../elsewhere.png").utf8), "outside.json")
        #expect(throws: PipelineError.self) { try SceneFile.read(Path(folder.file("outside.json"))) }
    }

    @Test func aBatchDrawsEachJobAndReportsFailuresAlone() throws {
        let file = try SceneFile.read(Path(folder.file("page.json")))
        var batch = BatchPipeline(Pipeline(), width: 2)
        let events = Mutex<[String]>([])
        let names = ["a.png", "broken", "skipped", "b.png"]
        try batch.run(names) { [folder] name in
            if name == "broken" { throw RenderError.missingImage(path: ImagePath(name)) }
            if name == "skipped" { return nil }
            return BatchJob(file, options: RenderOptions()) { try $0.write(to: Path(folder.file(name))) }
        } note: { name, event in
            events.withLock { $0.append("\(name) \("\(event)".prefix(while: \.isLetter))") }
        }
        #expect(
            events.withLock { $0.sorted() } == [
                "a.png drawn", "a.png rendered", "b.png drawn", "b.png rendered", "broken failed", "skipped skipped",
            ])
        #expect(TemporaryFolder.bytes(at: folder.file("a.png")) == TemporaryFolder.bytes(at: folder.file("b.png")))
    }
}
