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
            let outcome = place.command.run(
                bytes: [bytes("n/") + name] + ["--reference", "--no-metadata", "-o"].map(bytes) + [bytes("o/") + name])
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

    @Test func noJobLeavesTheFolderOfItsList() throws {
        for name in Sample.of(HostileNames.inText, every: 16) {
            for way in ["../", "./../o/", "sub/../../o/"] {
                mkdir(place.folder.file("v/sub"), 0o755)
                put(
                    ##"{"input": {"layers": [{"fill": "#fff", "rect": [0, 0, 1, 1]}], "canvas": {"width": 1, "height": 1}}, "output": \##(JSONValue.string("v/" + way + name).line), "reference": true}"##,
                    "v/jobs.jsonl")
                let outcome = place.command.run(["batch", "v/jobs.jsonl", "--quiet"])
                #expect(outcome.code == 65 && outcome.errors.contains("leads out"), "\(way)\(name): \(outcome.errors)")
            }
        }
        #expect(place.folder.names == ["n", "o", "page.png", "v"] && place.folder.names(in: "o").isEmpty)
        put(#"{"input": "v/a\u0000b.png", "output": "v/c.png"}"#, "v/jobs.jsonl")
        #expect(place.command.run("batch", "v/jobs.jsonl", "--quiet").code == 65)
    }

    @Test func aSessionsPageIsTheFileOfItsBytes() throws {
        for index in Sample.of(Self.texts, every: 12) {
            put(
                #"{"model": "keyframes", "scene": {"layers": [{"image": \#(json(index))}]}, "keyframes": [{"t": 1, "layer": 0, "opacity": 0}]}"#,
                "n/session.json")
            let outcome = place.command.run("replay", "n/session.json", "--scene-at", "0")
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.text.contains("\"width\": \(10 + index)"), "\(outcome.text)")
        }
    }

    // MARK: - verify

    /// A page shows names as text: no name begins a tag or ends a string of the script.
    @Test func reportsEscapeEveryName() throws {
        mkdir(place.folder.file("w"), 0o755)
        for name in HostileNames.inText where name.utf8.count < 200 && name.utf8.first != UInt8(ascii: ".") {
            try AtomicFile.write(bytes(#"{"layers": []}"#), to: root.child("w").child(Path(name)).appending(".json"))
        }
        #expect(place.command.run("verify", "w", "--report", "r.html", "--junit", "r.xml").code == 1)
        let page = try #require(place.bytes("r.html").map { String(decoding: $0, as: UTF8.self) })
        let results = try #require(place.bytes("r.xml").map { String(decoding: $0, as: UTF8.self) })
        #expect(page.contains("onerror") && results.contains("onerror"))
        for text in [page, results] { #expect(!text.contains("<img src=x")) }
        #expect(!page.unicodeScalars.contains { $0 == "\u{2028}" || $0 == "\u{2029}" })
    }

    @Test func verifyChecksEveryName() throws {
        for (index, name) in HostileNames.all.enumerated() where name.count < 200 {
            let stem = root.child("v").child(Path(bytes: name))
            let scene = #"{"canvas": {"width": \#(index + 1), "height": 1}, "layers": []}"#
            try AtomicFile.write(bytes(scene), to: stem.appending(".json"))
            let pixels = Array(repeatElement([0xcc, 0xcc, 0xcc, 0xff] as [UInt8], count: index + 1).joined())
            try PNG.write(Image(width: index + 1, height: 1, pixels: pixels), to: stem.appending(".png"))
        }
        let names = HostileNames.all.filter { $0.count < 200 && $0.first != UInt8(ascii: ".") }
        let outcome = place.command.run("verify", "v")
        #expect(outcome.code == 0 && outcome.text.contains("\(names.count) passed"), "\(outcome.text)\(outcome.errors)")
        let bad = root.child("v").child(Path(bytes: [0x61, 0xff, 0x62])).appending(".png")
        try PNG.write(Image(width: 1, height: 1, pixels: [1, 2, 3, 255]), to: bad)
        let failed = place.command.run("verify", "v")
        #expect(failed.code == 1 && failed.text.contains("a\\xffb"), "\(failed.text)")
        for flag in ["--json", "--junit", "--report", "--hashes"] {
            let outcome = place.command.run("verify", "v", flag, "r.out")
            #expect(outcome.code == 65 && outcome.errors.contains("\\x") && outcome.errors.contains("UTF-8"))
            #expect(place.bytes("r.out") == nil)
        }
    }

    @Test func anAcceptListNamesTheScenesOfItsBytes() throws {
        put(#"{"canvas": {"width": 1, "height": 1}, "layers": []}"#, "o/\u{e9}.json")
        let hash = "sha256:" + String(repeating: "0", count: 64)
        for (name, code) in [("e\u{301}.json", 65), ("\u{e9}.json", 1)] as [(String, Int32)] {
            put(
                #"{"format": "loupe-accept/1", "cases": [{"scene": "o/\#(name)", "picture": "\#(hash)"}]}"#, "list.json"
            )
            let outcome = place.command.run("verify", "o", "--accept", "list.json")
            #expect(outcome.code == code, "\(outcome.errors)")
        }
    }
}
