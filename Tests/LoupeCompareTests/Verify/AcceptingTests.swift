import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeCompare

@Suite struct AcceptingTests {
    private let sandbox = SceneSandbox()
    private let black = Image(width: 20, height: 10, pixels: [UInt8](repeating: 0, count: 800))

    /// A list that accepts a picture for a scene of the sandbox.
    private func list(_ name: String, _ picture: PictureHash) throws -> AcceptList {
        let text = """
            {"format": "loupe-accept/1",
             "cases": [{"scene": "\(sandbox.path)/\(name)", "picture": "\(picture)"}]}
            """
        return try AcceptList(parsing: Array(text.utf8))
    }

    /// What the page offers to accept.
    private func acceptable(_ title: String, draw: @escaping Verifier.Draw = oneOff(by: 0)) throws -> PictureHash {
        try #require(try sandbox.run(keepsPictures: true, draw: draw)[title]?.pictures?.hash)
    }

    @Test("Accepting writes the oracle's picture and ends as written; the next run passes and has nothing to write")
    func applied() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write(black, to: "a/one.png")
        let list = try list("a/one.json", acceptable("a/one", draw: oneOff(by: 1)))
        let written = try #require(try sandbox.run(accepted: list, draw: oneOff(by: 1))["a/one"])
        #expect(written.state == .written && written.message.contains("run again"))
        let drawn = try PNG.read(path: Path(sandbox.path + "/a/one.png"))
        let scene = try SceneDecoder { _ in ImageSize(width: 1, height: 1) }.decode(Array(sandbox.scene().utf8))
        #expect(try drawn == Oracle().render(scene, images: [:]), "not the picture that is a level off")
        #expect(try sandbox.run(draw: oneOff(by: 1))["a/one"]?.state == .passed)
        #expect(try sandbox.run(accepted: list, draw: oneOff(by: 1))["a/one"]?.state == .passed)
    }

    @Test("A missing reference can be accepted, and no other one is written")
    func missing() throws {
        for name in ["one", "two"] { try sandbox.write(sandbox.scene(), to: "a/\(name).json") }
        let list = try list("a/one.json", acceptable("a/one"))
        let results = try sandbox.run(accepted: list)
        #expect(results["a/one"]?.state == .written && results["a/two"]?.state == .missing)
        #expect(try sandbox.run()["a/one"]?.state == .passed)
    }

    @Test("A list made from another picture than the one drawn now accepts nothing")
    func otherPicture() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write(black, to: "a/one.png")
        let list = try list("a/one.json", acceptable("a/one", draw: oneOff(by: 1)))
        let result = try #require(try sandbox.run(accepted: list)["a/one"])
        #expect(result.state == .failed && result.message.hasPrefix("not accepted: another picture"))
        #expect(try PNG.read(path: Path(sandbox.path + "/a/one.png")) == black)
    }

    @Test("A picture that the oracle does not draw is not accepted, whatever a person thinks of it")
    func againstTheOracle() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write(black, to: "a/one.png")
        let list = try list("a/one.json", acceptable("a/one", draw: oneOff(by: 50)))
        let result = try #require(try sandbox.run(accepted: list, draw: oneOff(by: 50))["a/one"])
        #expect(
            result.state == .failed && result.message.contains("reference renderer draws the scene differently"))
        #expect(try PNG.read(path: Path(sandbox.path + "/a/one.png")) == black)
    }

    @Test(
        "A bad list is refused with the path of the key",
        arguments: [
            (#"{"format": "loupe-accept/2", "cases": []}"#, "format: "),
            (#"{"format": "loupe-accept/1"}"#, "cases: missing"),
            (#"{"format": "loupe-accept/1", "cases": [], "more": 1}"#, "more: unknown key"),
            (#"{"format": "loupe-accept/1", "cases": [{"scene": "a"}]}"#, "cases[0].picture: missing"),
            (#"{"format": "loupe-accept/1", "cases": [{"scene": "a", "picture": "sha256:0"}]}"#, "cases[0].picture: "),
            ("[", "line 1"),
        ])
    func badList(text: String, words: String) {
        let error = thrown(DocumentError.self) { try AcceptList(parsing: Array(text.utf8)) }
        #expect(error?.description.hasPrefix(words) == true, "\(String(describing: error))")
    }

    @Test("A scene that is not verified, or is named twice in other words, is refused")
    func strangers() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        let cases = try CaseList([Path(sandbox.path)]).cases
        let hash = PictureHash(of: black)
        try list("a/one.json", hash).check(among: cases.map(\.path))
        let error = thrown(DocumentError.self) { try list("a/two.json", hash).check(among: cases.map(\.path)) }
        #expect(error?.position == .key(path: "cases[0].scene"))
        let entry = #"{"scene": "NAME", "picture": "\#(hash)"}"#
        let text = #"{"format": "loupe-accept/1", "cases": [\#(entry), \#(entry)]}"#
        let twice = text.replacingFirst("NAME", with: "a").replacingFirst("NAME", with: "./a")
        let error2 = thrown(DocumentError.self) { try AcceptList(parsing: Array(twice.utf8)) }
        #expect(error2?.position == .key(path: "cases[1].scene"))
    }

    @Test("Results hold pictures only where they are asked for, and only of what did not pass")
    func pictures() throws {
        for name in ["good", "bad", "none"] { try sandbox.write(sandbox.scene(), to: "a/\(name).json") }
        _ = try sandbox.run(update: .all)
        try sandbox.write(black, to: "a/bad.png")
        try sandbox.write("no PNG", to: "a/none.png")
        #expect(try sandbox.run().values.allSatisfy { $0.pictures == nil })
        let kept = try sandbox.run(keepsPictures: true)
        #expect(kept["a/good"]?.pictures == nil)
        let bad = try #require(kept["a/bad"]?.pictures)
        #expect(bad.reference != nil && bad.actual != nil && bad.difference != nil && bad.hash != nil)
        #expect(bad.reference?.hasPrefix("iVBORw0KGgo") == true, "the signature of a PNG")
        let none = try #require(kept["a/none"]?.pictures)
        #expect(none.reference == nil && none.actual != nil && none.difference == nil && none.hash != nil)
    }

    @Test("Pictures come back from the JSON as they were, and stay out of it where they are not asked for")
    func json() throws {
        try sandbox.write(sandbox.scene(), to: "a/one.json")
        try sandbox.write(black, to: "a/one.png")
        let result = try #require(try sandbox.run(keepsPictures: true)["a/one"])
        let report = VerifyReport(cases: [result], milliseconds: 1)
        let text = report.json(includesPictures: true).text()
        #expect(try VerifyReport(parsing: Array(text.utf8)).cases[0].pictures == result.pictures)
        #expect(!report.json().text().contains("iVBORw0KGgo"))
        let broken = text.replacingFirst("iVBORw0KGgo", with: "<b>")
        let error = thrown(DocumentError.self) { try VerifyReport(parsing: Array(broken.utf8)) }
        #expect(error?.position == .key(path: "cases[0].pictures.reference"))
    }
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
