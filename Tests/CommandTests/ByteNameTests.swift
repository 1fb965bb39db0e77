import Glibc
import LoupeBase
import LoupeImaging
import LoupeSystem
import TestSupport
import Testing

/// Each use of a name reads or writes the file of exactly these bytes, or refuses. Every page has a width of its own,
/// which says which file was read.
@Suite struct ByteNameTests {
    private let place: Workplace
    private let root: Path

    init() throws {
        place = try Workplace()
        root = Path(place.folder.path)
        for folder in ["n", "o", "v"] { mkdir(place.folder.file(folder), 0o755) }
        for (index, name) in HostileNames.all.enumerated() {
            try PNG.write(Self.page(index), to: root.child("n").child(Path(bytes: name)))
        }
    }

    private static func page(_ index: Int) -> Image {
        let color: [UInt8] = [UInt8(index), UInt8(255 - index), 7, 255]
        return Image(
            width: 10 + index, height: 2, pixels: Array(repeatElement(color, count: 2 * (10 + index)).joined()))
    }

    private static let indices = Array(HostileNames.all.indices)
    private static let texts = indices.filter { String(validating: HostileNames.all[$0], as: UTF8.self) != nil }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private func json(_ index: Int) -> String {
        JSONValue.string(String(decoding: HostileNames.all[index], as: UTF8.self)).line
    }

    private func put(_ text: String, _ name: String) { _ = place.folder.put(bytes(text), name) }

    // MARK: - The command line

    @Test func anArgumentIsTheFileOfItsBytes() throws {
        for index in Sample.of(Self.indices, every: 12) {
            let name = HostileNames.all[index]
            let flags: [[UInt8]] = ["--reference", "--no-metadata", "-o"].map(bytes)
            let outcome = place.command.run(bytes: [bytes("n/") + name] + flags + [bytes("o/") + name])
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            let written = root.child("o").entries()
            #expect(written?.map(\.bytes) == [name])
            #expect(try PNG.read(path: root.child("o").child(Path(bytes: name))).width == 10 + index)
            #expect(root.child("o").child(Path(bytes: name)).withCString { unlink($0) } == 0)
        }
    }

    @Test func sentencesAreOneLineOfReadableText() throws {
        for index in Sample.of(Self.indices, every: 9) {
            let outcome = place.command.run(
                bytes: [bytes("gone/") + HostileNames.all[index]] + ["-o", "x.png"].map(bytes))
            #expect(outcome.code == 66, "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1 && !outcome.errors.contains("\u{10fe80}"))
            #expect(!outcome.errors.unicodeScalars.dropLast().contains { $0 < " " || "\u{7f}"..."\u{9f}" ~= $0 })
            #expect(!outcome.errors.contains("\u{fffd}") || HostileNames.all[index] == bytes("\u{fffd}"))
        }
        let outcome = place.command.run(
            bytes: ["page.png", "-o", "x.png"].map(bytes) + [bytes("--zo") + [0xff], bytes("3")])
        #expect(outcome.code == 64 && outcome.errors.contains("--zo\\xff"), "\(outcome.errors)")
    }

    @Test func whatJSONCanNotNameIsSaid() throws {
        let name: [UInt8] = [0x62, 0xff] + bytes(".png")
        try PNG.write(Self.page(3), to: root.child(Path(bytes: name)))
        for arguments in [
            ["--print-scene"], ["-o", "x.png", "--stats", "s.json"], ["-o", "x.png", "--map", "m.json"],
        ] {
            let outcome = place.command.run(bytes: [name] + arguments.map(bytes))
            #expect(outcome.code == 65 && outcome.errors.contains("b\\xff.png"), "\(outcome.errors)")
            #expect(outcome.errors.contains("UTF-8") && place.bytes("x.png") == nil)
        }
        let drawn = place.command.run(bytes: [name] + ["-o", "x.png", "--reference"].map(bytes))
        #expect(drawn.code == 0 && drawn.errors.contains("warning: ") && drawn.errors.contains("b\\xff.png"))
        #expect(try ImageFile(path: root.child("x.png")).text("loupe-scene") == nil)
    }

    // MARK: - Documents

    @Test func aLayersImageIsTheFileOfItsBytes() throws {
        for index in Sample.of(Self.texts, every: 9) {
            put(#"{"layers": [{"image": \#(json(index))}]}"#, "n/scene.json")
            let outcome = place.command.run("n/scene.json", "--reference", "--no-metadata", "-o", "-")
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try PNG.decode(outcome.output, name: "out").width == 10 + index)
            put(
                #"{"layers": [{"image": \#(JSONValue.string("../n/" + String(decoding: HostileNames.all[index], as: UTF8.self)).line)}]}"#,
                "o/scene.json")
            let refused = place.command.run("o/scene.json", "--reference", "-o", "x.png")
            #expect(refused.code == 65 && refused.errors.contains("leads out"), "\(refused.errors)")
        }
    }

    @Test func namesThatTextTakesForEqualAreTwoImagesOfOneScene() throws {
        let (a, b) = ("e\u{301}.png", "\u{e9}.png")
        for (name, level) in [(a, 10), (b, 200)] as [(String, UInt8)] {
            let image = Image(width: 1, height: 1, pixels: [level, level, level, 255])
            try PNG.write(image, to: root.child(Path(name)))
        }
        put(
            """
            {"canvas": {"width": 2, "height": 1}, "layers": [
             {"image": "\(a)", "rect": [0, 0, 1, 1], "filter": "nearest"},
             {"image": "\(b)", "rect": [1, 0, 1, 1], "filter": "nearest"}]}
            """, "scene.json")
        for flags in [["--reference"], []] {
            let outcome = place.command.run(["scene.json", "-o", "out.png"] + flags)
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(try place.image("out.png").pixels == [10, 10, 10, 255, 200, 200, 200, 255])
            // And drawn again from what the picture stores.
            #expect(place.command.run(["out.png", "-o", "again.png"] + flags).code == 0)
            #expect(try place.image("again.png").pixels == place.image("out.png").pixels)
        }
    }

    @Test func jobsReadAndWriteTheFilesOfTheirBytes() throws {
        let lines = Self.texts.map { index in
            let name = String(decoding: HostileNames.all[index], as: UTF8.self)
            return
                #"{"input": \#(JSONValue.string("n/" + name).line), "output": \#(JSONValue.string("o/" + name).line), "reference": true}"#
        }
        put(lines.joined(separator: "\n"), "jobs.jsonl")
        place.run("batch", "jobs.jsonl", "--quiet")
        let expected = Self.texts.map { HostileNames.all[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
        #expect(root.child("o").entries()?.map(\.bytes) == expected)
        for index in Self.texts {
            #expect(try PNG.read(path: root.child("o").child(Path(bytes: HostileNames.all[index]))).width == 10 + index)
        }
    }
}
