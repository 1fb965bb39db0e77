import Glibc
import LoupeImaging
import Testing

@testable import LoupeCompare
@testable import LoupeSystem

@Suite struct CaseListTests {
    private let sandbox = SceneSandbox()
    private let pixel = Image(width: 1, height: 1, pixels: [0, 0, 0, 255])

    @Test("Every scene below the folders is found once, in order, with its suite and its name")
    func cases() throws {
        for name in ["b/z.json", "b/a.json", "a/c.json", "top.json", ".hidden/x.json", "b/note.txt"] {
            try sandbox.write(sandbox.scene(), to: name)
        }
        let list = try CaseList(["\(sandbox.path)/", Path(sandbox.path), "\(sandbox.path)/b/a.json"])
        #expect(list.cases.map(\.name) == ["c", "a", "z", "top"])
        #expect(list.cases.prefix(3).map(\.suite) == ["a", "b", "b"])
        #expect(list.cases[0].referencePath == "\(sandbox.path)/a/c.png")
        #expect(throws: FileError.self) { try CaseList(["\(sandbox.path)/none"]) }
    }

    @Test(
        "A link to what is not there is a case, so that nobody takes it for verified; one that the system can't follow is an error"
    )
    func links() throws {
        try sandbox.write(sandbox.scene(), to: "one.json")
        try sandbox.write(sandbox.scene(), to: "a/two.json")
        for (target, name) in [("nowhere.json", "gone.json"), ("a", "folder.json"), ("a/two.json", "two.json")] {
            #expect(symlink(target, "\(sandbox.path)/\(name)") == 0)
        }
        #expect(try CaseList([Path(sandbox.path)]).cases.map(\.name) == ["two", "folder", "gone", "one", "two"])
        #expect(symlink(String(repeating: "x", count: 300), "\(sandbox.path)/b.json") == 0)
        #expect(throws: FileError.self) { try CaseList([Path(sandbox.path)]) }
    }

    @Test("A PNG with no scene beside it is obsolete unless a scene shows it")
    func obsolete() throws {
        try sandbox.write(#"{"layers": [{"image": "../pages/shown.png"}]}"#, to: "a/one.json")
        try sandbox.write("", to: "pages/text")
        for name in ["a/one.png", "a/gone.png", "pages/shown.png"] { try sandbox.write(pixel, to: name) }
        #expect(try CaseList([Path(sandbox.path)]).obsolete == [Path(sandbox.path + "/a/gone.png")])
    }
}
