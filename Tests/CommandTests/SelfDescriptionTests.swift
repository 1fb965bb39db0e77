import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import TestSupport
import Testing

/// What a picture tells about itself, and drawing it again.
@Suite struct SelfDescriptionTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    /// What the program of that name says of a file.
    private func sha256sum(_ name: String) throws -> String {
        let output = try #require(popen("sha256sum \(place.folder.file(name))", "r"))
        defer { pclose(output) }
        var line = [UInt8](repeating: 0, count: 64)
        #expect(fread(&line, 1, 64, output) == 64)
        return String(decoding: line, as: UTF8.self)
    }

    private func text(_ keyword: String, _ file: String) throws -> String {
        let bytes = try #require(place.bytes(file))
        let text = try ImageFile(bytes, name: file).text(keyword)
        return try #require(text)
    }

    @Test func pictureIsDrawnAgainByteForByte() throws {
        place.run("page.png", "-o", "a.png", "--at", "9,7", "--margin", "4", "--corner", "5")
        place.run("a.png", "-o", "b.png")
        #expect(place.bytes("a.png") == place.bytes("b.png"))
        #expect(place.command.run("a.png", "--print-scene").output.count > 100)
        place.run("-", "-o", "c.png", input: try #require(place.bytes("a.png")))
        #expect(place.bytes("a.png") == place.bytes("c.png"))
    }

    @Test func textsTellSceneProgramAndDevice() throws {
        mkdir(place.folder.file("out"), 0o700)
        place.run("page.png", "-o", "out/a.png", "--at", "9,7")
        let record = try SceneRecord(parsing: Array(try text("loupe-scene", "out/a.png").utf8))
        #expect(record.scene.imagePaths == ["../page.png"])
        #expect(record.scene.loupes.count == 1)
        #expect(try record.digests == ["../page.png": sha256sum("page.png")])
        let device = try JSONValue(parsing: Array(try text("loupe-device", "out/a.png").utf8))
        #expect(device.keys == ["vendor", "renderer", "version", "software"])
        let bytes = try #require(place.bytes("out/a.png"))
        #expect(String(decoding: bytes, as: UTF8.self).contains("tEXtSoftware\0loupe-render "))
        place.run("out/a.png", "-o", "b.png", "--allow-outside")
        #expect(try place.image("b.png") == place.image("out/a.png"), "paths count from the picture's folder")
    }

    @Test func pictureWithoutMetadataCarriesNone() throws {
        place.run("page.png", "-o", "a.png", "--at", "9,7")
        place.run("page.png", "-o", "b.png", "--at", "9,7", "--no-metadata")
        #expect(try place.image("a.png") == place.image("b.png"))
        let bytes = try #require(place.bytes("b.png"))
        #expect(try bytes == PNG.encode(place.image("b.png")))
    }

    @Test func changedImageIsToldAndDrawn() throws {
        place.run("page.png", "-o", "a.png", "--at", "9,7", "--plain")
        let white = Image(width: 40, height: 30, pixels: [UInt8](repeating: 255, count: 4800))
        try place.put(white, "page.png")
        for flags in [[], ["--no-metadata"]] {
            let outcome = place.command.run(["a.png", "-o", "b.png"] + flags)
            #expect(outcome.code == 0)
            #expect(outcome.errors.hasPrefix("loupe-render: warning: "))
            let lines = outcome.errors.split(separator: "\n")
            #expect(lines.count == 2)
            #expect(lines.first?.contains("page.png: it has changed") == true)
            #expect(lines.last?.contains("one colour alone") == true)
            #expect(try place.image("b.png") == white)
        }
        place.put(#"{"input": "a.png", "output": "c.png"}"#, "jobs.jsonl")
        let batch = place.command.run("batch", "jobs.jsonl")
        #expect(batch.code == 0)
        #expect(batch.errors.hasPrefix("loupe-render: warning: jobs.jsonl: line 1: "))
        #expect(place.bytes("c.png") != nil)
    }

    @Test func missingImageIsTold() throws {
        place.run("page.png", "-o", "a.png")
        unlink(place.folder.file("page.png"))
        place.expectFailure(["a.png", "-o", "b.png"], 66, naming: "page.png", "a.png")
        place.run("a.png", "-o", "b.png", "--margin", "0")
        #expect(try place.image("b.png") == Workplace.page, "the picture itself is the page")
    }

    @Test func pictureFromStandardInputCanNotBeDrawnAgain() throws {
        let page = try #require(place.bytes("page.png"))
        place.run("-", "-o", "a.png", input: page)
        place.expectFailure(["a.png", "-o", "b.png"], 66, naming: "standard input")
    }

    @Test func pictureIsAPageWhereAnOptionOfAPageIsGivenAndInAScene() throws {
        place.run("page.png", "-o", "a.png", "--margin", "4")
        place.run("a.png", "-o", "b.png", "--margin", "2")
        #expect(try place.image("b.png").width == 40 + 8 + 4)
        let record = try SceneRecord(parsing: Array(try text("loupe-scene", "b.png").utf8))
        #expect(record.scene.imagePaths == ["a.png"])
        place.run("-", "-o", "c.png", input: Array(#"{"layers": [{"image": "a.png"}]}"#.utf8))
        #expect(try place.image("c.png") == place.image("a.png"))
    }

    @Test func damagedSceneIsRefused() throws {
        func write(_ text: String) throws {
            let texts = [PNGText("loupe-scene", text, form: .international)]
            _ = place.folder.put(try PNG.encode(Workplace.page, options: PNGOptions(texts: texts)), "a.png")
        }
        for text in ["", "{", #"{"format": "loupe-scene/9", "images": [], "scene": {}}"#] {
            try write(text)
            place.expectFailure(["a.png", "-o", "b.png"], 65, naming: "loupe-scene")
        }
        try write(#"{"format": "loupe-scene/1", "images": [], "scene": {"layers": []}}"#)
        place.expectFailure(["a.png", "-o", "b.png"], 65, naming: "scene.canvas.width: missing")
        var bytes = try #require(place.bytes("a.png"))
        bytes[60] ^= 1
        _ = place.folder.put(bytes, "a.png")
        place.expectFailure(["a.png", "-o", "b.png"], 65, naming: "damaged")
    }

    // MARK: - --map

    @Test func mapLeadsEachOutputPixelToItsPointOnThePage() throws {
        let outcome = place.run(
            "page.png", "-o", "a.png", "--canvas", "100x80", "--margin", "10", "--at", "30,20", "--focus", "60,50",
            "--radius", "12", "--zoom", "4", "--filter", "nearest", "--page-filter", "nearest", "--map", "-")
        let map = try JSONValue(parsing: outcome.output)
        #expect(map["canvas"] == ["width": 100, "height": 80])
        let views = map["views"].elements
        #expect(views.map { $0["view"] } == ["base", "loupe 0"])
        #expect(views[1]["disc"] == ["center": [30, 20], "radius": 12])
        let picture = try place.image("a.png")
        for (view, pixels) in [(views[0], [(70, 20), (20, 60)]), (views[1], [(30, 20), (36, 24), (24, 17)])] {
            let layer = try #require(view["layers"].elements.first)
            #expect(layer["size"] == [40, 30])
            let matrix = layer["toImage"].numbers
            for (x, y) in pixels {
                let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
                let (u, v) = (matrix[0] * px + matrix[2] * py + matrix[4], matrix[1] * px + matrix[3] * py + matrix[5])
                #expect(
                    picture.part(x: x, y: y, width: 1, height: 1)
                        == Workplace.page.part(x: Int(u), y: Int(v), width: 1, height: 1), "\(x), \(y) shows \(u), \(v)"
                )
            }
        }
    }

    @Test func mapTellsTheShapeAndBothHalvesOfALoupe() throws {
        try place.put(Image(width: 20, height: 30, pixels: [UInt8](repeating: 9, count: 2400)), "b.png")
        let outcome = place.run(
            "page.png", "-o", "a.png", "--at", "20,15", "--zoom", "2", "--shape", "16x8:3/2:5",
            "--scale", "1",
            "--versus", "b.png", "--map", "-")
        let views = try JSONValue(parsing: outcome.output)["views"].elements
        try #require(views.count == 2)
        let (shape, versus) = (views[1]["shape"], views[1]["versus"])
        #expect(views[1].keys == ["view", "shape", "versus", "toCanvas", "layers"])
        #expect(shape["rect"] == [12, 11, 16, 8] && shape["exponent"] == 5)
        #expect(shape["radii"] == [[3, 2], [3, 2], [3, 2], [3, 2]])
        #expect(versus["center"] == [20, 15] && versus["across"] == [1, 0])
        #expect(versus["layer"]["layer"] == 0 && versus["layer"]["image"] == "b.png")
        // Half as many texels across as the page has, stretched to the same rect.
        #expect(versus["layer"]["toImage"] == [0.25, 0, 0, 0.5, 5, 7.5])
    }

    /// It is not among what it shows.
    @Test func aPictureThatIsDrawnAgainMayBeReplaced() {
        place.run("page.png", "-o", "a.png", "--at", "9,9")
        place.run("a.png", "-o", "a.png")
    }
}
