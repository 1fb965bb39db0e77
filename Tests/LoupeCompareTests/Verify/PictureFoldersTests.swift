import Glibc
import LoupeBase
import LoupeCompare
import LoupeImaging
import Testing

@testable import LoupeCompare
@testable import LoupeSystem

@Suite struct PictureFoldersTests {
    private let sandbox = SceneSandbox()
    private var references: Path { Path("\(sandbox.path)/references") }
    private var actuals: Path { Path("\(sandbox.path)/actuals/") }

    private func put(_ level: UInt8, _ names: String...) throws {
        let pixels = [[UInt8]](repeating: [level, level, level, 255], count: 6 * 4).flatMap(\.self)
        for name in names {
            let path = Path("\(sandbox.path)/\(name)")
            if let folder = path.parent { try Folder.make(folder) }
            try PNG.write(Image(width: 6, height: 4, pixels: pixels), to: path)
        }
    }

    private func states(_ verifier: PictureVerifier) throws -> [String: CaseResult.State] {
        let folders = try PictureFolders(references: references, actuals: actuals)
        let results = try verifier.verify(folders.cases)
        #expect(results.map(\.scene) == results.map(\.scene).sorted())
        return Dictionary(uniqueKeysWithValues: results.map { ($0.title, $0.state) })
    }

    @Test("Pictures match by their paths below the folders; new ones and missing ones are said")
    func names() throws {
        try put(9, "references/a.png", "references/deep/er/b.PNG", "references/gone.png", "references/other.jpg")
        try put(9, "actuals/a.png", "actuals/deep/er/b.PNG", "actuals/deep/new.png", "actuals/other.png")
        try put(9, "actuals/.hidden.png", "actuals/notes.txt", "actuals/.git", "actuals/.folder/a.png")
        let found = try states(PictureVerifier(limits: CaseLimits(tolerance: Tolerance())))
        #expect(
            found == [
                "references/a.png": .passed, "deep/er/b.PNG": .passed, "references/gone.png": .gone,
                "deep/new.png": .missing, "references/other.jpg": .passed,
            ])
        let unread = try PictureFolders(references: references, actuals: actuals).unread
        #expect(
            unread
                == "not compared: .folder/a.png, .hidden.png, notes.txt; only .png, .jpg, .jpeg, .webp, .tif, .tiff, .gif, .heic, .heif, .avif, .svg, .svgz, .pdf are"
        )
    }

    @Test(
        "Pictures of a tool match by its names in one folder; no two are taken for one",
        arguments: [
            (
                PictureLayout.playwright,
                [
                    "t-chromium/a-expected.png", "t-chromium/a-actual.png", "t-chromium/a-diff.png", "u/new-actual.png",
                    "u/failed-1.png",
                ],
                ["t-chromium/a.png": true, "u/new.png": false],
                "not compared: u/failed-1.png; --layout playwright compares *-expected with *-actual"
            ),
            (
                .cypress,
                [
                    "baseline/x.png", "comparison/x.png", "diff/x.png", "s/base/diff/y.png", "s/actual/diff/y.png",
                    "s/diff/base/y.png", "base/gone.png", "baseline/gone.png", "comparison/t (failed).png",
                ],
                ["x.png": true, "s/diff/y.png": true, "gone.png": false, "baseline/gone.png": false], nil
            ),
            (
                .storybook,
                [
                    "__snapshots__/a.png", "__snapshots__/__received_output__/a-received.png", "__snapshots__/b.png",
                    "__snapshots__/__diff_output__/a-diff.png", "__snapshots__/__received_output__/new-received.png",
                ],
                ["__snapshots__/a.png": true, "__snapshots__/new.png": false], nil
            ),
        ] as [(PictureLayout, [String], [String: Bool], String?)])
    func layouts(layout: PictureLayout, names: [String], pairs: [String: Bool], unread: String?) throws {
        for name in names { try put(9, "references/\(name)") }
        let folders = try PictureFolders(references: references, actuals: references, layout: layout)
        #expect(Dictionary(uniqueKeysWithValues: folders.cases.map { ($0.below.readable, $0.isPair) }) == pairs)
        #expect(folders.unread == unread)
    }

    @Test("A snapshot that is no picture, and a test without pictures, are no success")
    func failuresOfPlaywright() throws {
        try put(9, "references/a/x-expected.png", "references/a/x-actual.png", "references/a/y-actual.txt")
        try put(9, "references/a/test-failed-1.png", "references/b/test-failed-1.png", "references/b/trace.zip")
        let folders = try PictureFolders(references: references, actuals: references, layout: .playwright)
        let results = try PictureVerifier(limits: CaseLimits(tolerance: Tolerance())).verify(folders.cases)
        #expect(
            Dictionary(uniqueKeysWithValues: results.map { ($0.title, $0.state) })
                == ["a/x.png": .passed, "a/y.txt": .broken, "b/test-failed-1.png": .failed])
    }

    @Test("Equal pages belong together, and others that lie between the same ones")
    func alignedPages() {
        func pairs(_ mine: String, _ theirs: String) -> String {
            PageAlignment.pairs(mine.map(String.init), theirs.map(String.init))
                .map { "\($0.map(String.init) ?? "-")\($1.map(String.init) ?? "-")" }.joined(separator: " ")
        }
        #expect(pairs("abc", "axbc") == "11 -2 23 34")
        #expect(pairs("axbc", "abc") == "11 2- 32 43")
        #expect(pairs("abc", "xbyz") == "11 22 33 -4")
        #expect(pairs("ab", "ab") == "11 22")
        #expect(pairs("", "ab") == "-1 -2")
    }

    @Test("Suites have one name each, also where a folder is named as the one that holds it")
    func namesakes() throws {
        try put(9, "references/a.png", "references/references/a.png", "actuals/a.png", "actuals/references/a.png")
        let found = try states(PictureVerifier(limits: CaseLimits(tolerance: Tolerance())))
        #expect(found == ["./a.png": .passed, "references/a.png": .passed])
        try sandbox.write(sandbox.scene(), to: "s/one.json")
        try sandbox.write(sandbox.scene(), to: "s/s/one.json")
        #expect(try CaseList([Path("\(sandbox.path)/s")]).cases.map(\.title) == ["./one", "s/one"])
    }

    @Test(
        "A link to a folder is named, also where a tool lays out the pictures", arguments: [nil, PictureLayout.cypress])
    func linkedFolders(layout: PictureLayout?) throws {
        try put(9, "references/base/a.png", "references/actual/a.png", "actuals/x.png")
        #expect(symlink("../references", "\(references)/more") == 0)
        let other = layout == nil ? actuals : references
        let unread = try PictureFolders(references: references, actuals: other, layout: layout).unread
        #expect(unread?.hasPrefix("not compared: more (a link to a folder); ") == true)
        #expect(try CaseList([references]).linkedFolders == [references.child("more")])
    }

    @Test("A name that is no UTF-8 is a name like any other")
    func byteNames() throws {
        let name = Path(bytes: [0x61, 0xff, 0x62] + Array(".png".utf8))
        try put(9, "references/x.png", "actuals/x.png")
        for folder in ["references", "actuals"] {
            let path = Path("\(sandbox.path)/\(folder)").child(name)
            try AtomicFile.write(InputBytes.read(path: Path("\(sandbox.path)/\(folder)/x.png"), as: .json), to: path)
        }
        let cases = try PictureFolders(references: references, actuals: actuals).cases
        #expect(cases.map(\.path) == [references.child(name), references.child("x.png")].sorted())
        #expect(cases.allSatisfy { $0.reference != nil && $0.actual != nil })
    }

    @Test("No link leads out of a folder, also one that takes the place of a folder later")
    func confined() throws {
        try put(9, "outside/a.png", "references/a.png", "references/s/a.png", "actuals/s/a.png")
        let (outside, link) = (Path("\(sandbox.path)/outside"), actuals.child("a.png"))
        #expect(symlink("../outside/a.png", link.description) == 0)
        func states(_ folders: PictureFolders) throws -> [CaseResult.State] {
            try PictureVerifier(limits: CaseLimits(tolerance: Tolerance())).verify(folders.cases).map(\.state)
        }
        let folders = try PictureFolders(references: references, actuals: actuals)
        #expect(try states(folders) == [.broken, .passed])
        #expect(rename(actuals.child("s").description, "\(sandbox.path)/away") == 0)
        #expect(symlink(outside.description, actuals.child("s").description) == 0)
        #expect(try states(folders) == [.broken, .broken])
        let free = try PictureFolders(references: references, actuals: actuals, allowsOutside: true)
        #expect(try states(free).first == .passed)
    }

    @Test("Limits of single pictures are over those of all; names that are not there are refused")
    func limits() throws {
        try put(9, "references/a.png", "references/s/b.png")
        try put(12, "actuals/a.png", "actuals/s/b.png")
        func list(_ pictures: String) throws -> LimitsList {
            try LimitsList(parsing: Array(#"{"format": "loupe-limits/1", "pictures": {\#(pictures)}}"#.utf8))
        }
        let limits = CaseLimits(tolerance: Tolerance(2))
        let stated = try list(#""s/b.png": {"tolerance": 3}"#)
        #expect(
            try states(PictureVerifier(limits: limits, stated: stated)) == [
                "references/a.png": .failed, "s/b.png": .passed,
            ])
        for text in [
            #""s/b.png": {"metric": "oklab", "threshold": 9}"#, #""s/b.png": {"metric": "flip", "maxMean": 0.9}"#,
            #""s/b.png": {"ignore": [[0, 0, 9, 3]], "maxPixels": 6}"#,
            #""s/b.png": {"maxRatio": 1, "why": "an example"}"#,
        ] {
            #expect(try states(PictureVerifier(limits: limits, stated: list(text)))["s/b.png"] == .passed, "\(text)")
        }
        for text in [
            #""a.png": {"metric": "flip", "tolerance": 3}"#, #""a.png": {"metric": "flop"}"#,
            #""a.png": {"ignore": [[0, 0, 0, 1]]}"#, #""a.png": 3"#,
            #""a.png": {"regions": {"rim": 9}}"#, #""a.png": {"maxMean": 0.9}"#,
        ] {
            #expect(throws: DocumentError.self, "\(text)") { try list(text) }
        }
        // A picture that names no metric has that of the others.
        let seen = CaseLimits(Comparison(metric: .error(.oklab, ErrorLimits(threshold: 0.1))))
        let mean = Array(#"{"format": "loupe-limits/1", "pictures": {"a.png": {"maxMean": 90}}}"#.utf8)
        #expect(
            try states(PictureVerifier(limits: seen, stated: LimitsList(parsing: mean, over: seen)))
                == ["references/a.png": .passed, "s/b.png": .failed])
        let cases = try PictureFolders(references: references, actuals: actuals).cases
        #expect(throws: DocumentError.self) { try list(#""b.png": {}"#).check(among: cases) }
        try stated.check(among: cases)
    }

    @Test("What was accepted becomes the reference, and nothing else does")
    func accepting() throws {
        try put(9, "references/a.png", "references/b.png")
        try put(90, "actuals/a.png", "actuals/b.png", "actuals/s/new.png")
        let verifier = PictureVerifier(limits: CaseLimits(tolerance: Tolerance()), keepsPictures: true)
        let results = try verifier.verify(PictureFolders(references: references, actuals: actuals).cases)
        let hash = try #require(results[0].pictures?.hash)
        func run(_ names: [String], _ hash: PictureHash) throws -> [String: CaseResult.State] {
            let cases = names.map { #"{"scene": "\#(references)/\#($0)", "picture": "\#(hash)"}"# }
            let text = #"{"format": "loupe-accept/1", "cases": [\#(cases.joined(separator: ", "))]}"#
            return try states(
                PictureVerifier(
                    limits: CaseLimits(tolerance: Tolerance()), accepted: AcceptList(parsing: Array(text.utf8))))
        }
        let other = PictureHash(of: Image(width: 1, height: 1, pixels: [0, 0, 0, 255]))
        #expect(try run(["a.png"], other)["references/a.png"] == .failed)
        #expect(
            try run(["a.png", "s/new.png"], hash) == [
                "references/a.png": .written, "references/b.png": .failed, "s/new.png": .written,
            ])
        #expect(
            try run([], hash) == ["references/a.png": .passed, "references/b.png": .failed, "s/new.png": .passed])
    }

    @Test("What can't be accepted has no hash, and a list that names it writes nothing")
    func unacceptable() throws {
        try put(9, "references/a.png", "references/b.jpg", "one/t-expected.png")
        try put(90, "actuals/a.png", "actuals/b.png", "one/t-actual.png")
        let verifier = PictureVerifier(limits: CaseLimits(tolerance: Tolerance()), keepsPictures: true)
        let pair = try PictureFolders(references: references, actuals: actuals)
        let hashes = try verifier.verify(pair.cases).map { $0.pictures?.hash }
        try #require(hashes.count == 2)
        let hash = try #require(hashes[0])
        #expect(hashes[1] == nil)
        let one = Path("\(sandbox.path)/one")
        let alone =
            try verifier.verify(PictureFolders(references: one, actuals: one, layout: .playwright).cases)
            + verifier.verify([PictureCase(reference: references.child("a.png"), actual: actuals.child("a.png"))])
        #expect(alone.map(\.state) == [.failed, .failed])
        #expect(alone.allSatisfy { $0.pictures?.actual != nil })
        #expect(alone.allSatisfy { $0.pictures?.hash == nil })
        let text = #"{"format": "loupe-accept/1", "cases": [{"scene": "\#(references)/b.jpg", "picture": "\#(hash)"}]}"#
        let accepting = PictureVerifier(
            limits: CaseLimits(tolerance: Tolerance()), accepted: try AcceptList(parsing: Array(text.utf8)))
        #expect(try accepting.verify(pair.cases)[1].message.hasPrefix("not accepted: "))
        #expect(try ImageFile.read(path: references.child("b.jpg")).pixels[0] == 9)
    }

    @Test("A picture that can't be read is broken, and the others are compared")
    func broken() throws {
        try put(9, "references/a.png", "references/b.png", "actuals/a.png")
        try sandbox.write("no picture", to: "actuals/b.png")
        #expect(
            try states(PictureVerifier(limits: CaseLimits(tolerance: Tolerance()))) == [
                "references/a.png": .passed, "references/b.png": .broken,
            ])
    }

    @Test("Results of pictures are read back as such")
    func results() throws {
        try put(9, "references/a.png")
        try put(40, "actuals/a.png")
        let verifier = PictureVerifier(
            limits: CaseLimits(Comparison(metric: .error(.oklab, ErrorLimits(threshold: 2)))), keepsPictures: true)
        let cases = try verifier.verify(PictureFolders(references: references, actuals: actuals).cases)
        #expect(cases[0].pictures?.errorMap != nil && cases[0].pictures?.difference == nil)
        let report = VerifyReport(cases: cases, subject: .pictures, milliseconds: 1)
        let back = try VerifyReport(parsing: Array(report.json(includesPictures: true).text().utf8))
        #expect(back.subject == .pictures && back.cases[0].pictures == cases[0].pictures)
        #expect(back.junit.contains("loupe-render diff") && !back.isSame)
    }
}
