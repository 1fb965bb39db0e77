import Glibc
import LoupeCompare
import LoupeImaging
import LoupeRenderer
import LoupeScene
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeBase
@testable import LoupeTesting

/// What a failing expectation says and leaves.
@Suite struct ExpectationTests {
    private let stage = Stage()

    @Test func pictureThatMatchesPassesAndLeavesNothing() throws {
        try stage.put(Stage.plain)
        #expect(try stage.failure(of: Stage.plain) == nil)
        #expect(stage.folder.names == ["references"])
    }

    @Test func differingPictureLeavesThreePicturesAndTheNumbers() throws {
        try stage.put(Stage.plain)
        let actual = Stage.changed()
        let failure = try #require(try stage.failure(of: actual))
        let files = ["-actual.png", "-difference.png", "-reference.png", ".json"].map { "picture" + $0 }
        #expect(stage.folder.names(in: stage.failures) == files)
        #expect(try stage.left("picture-actual.png") == actual)
        #expect(try stage.left("picture-reference.png") == Stage.plain)
        let difference = try Comparison().compare(reference: Stage.plain, actual: actual)
        #expect(
            try stage.left("picture-difference.png") == DifferencePicture.draw(difference, over: Stage.plain))
        let json = TemporaryFolder.bytes(at: stage.folder.file("\(stage.failures)/picture.json"))
        #expect(json == Array((difference.json.text() + "\n").utf8))
        #expect(failure.attachments.map(\.name).sorted() == files)
    }

    #if compiler(>=6.2)
        // In a process of its own, for EGL reads its list of vendors once.
        @Test func sceneIsNotDrawnByAnotherRendererWhereNoDeviceWorks() async {
            await #expect(processExitsWith: .success) {
                setenv("__EGL_VENDOR_LIBRARY_FILENAMES", "/nonexistent", 1)
                let scene = Scene(canvas: .init(width: 8, height: 8), layers: [])
                #expect(throws: EGLError.self) { _ = try SceneRenderer.draw(scene, images: [:], on: .auto) }
            }
        }
    #endif

    @Test func messageIsTheLineOfDiffAndWhereThePicturesAre() throws {
        try stage.put(Stage.plain)
        let lines = try #require(try stage.failure(of: Stage.changed())).lines
        #expect(lines.first?.hasPrefix("differs: 1 of 12 pixels differs (8.33 %); ") == true)
        let stem = stage.folder.file("\(stage.failures)/picture")
        #expect(lines.dropFirst() == ["see \(stem)-reference.png, -actual.png, -difference.png, .json"])
    }

    @Test func missingReferenceFailsAndWritesNothing() throws {
        let failure = try #require(try stage.failure(of: Stage.plain, "picture", .never))
        #expect(failure.message.contains(stage.folder.file("references/picture.png")))
        #expect(failure.message.contains("LOUPE_RECORD=missing"))
        #expect(stage.folder.names.isEmpty)
    }

    @Test func referenceThatIsNoPictureFailsAndLeavesTheActualOne() throws {
        _ = stage.folder.put(Array("Hello".utf8), "references/picture.png")
        let failure = try #require(try stage.failure(of: Stage.plain))
        #expect(failure.message.contains("references/picture.png: neither a PNG"))
        #expect(stage.folder.names(in: stage.failures) == ["picture-actual.png"])
    }

    @Test func failureIsToldAlsoWhereItsPicturesCanNotBeLeft() throws {
        try stage.put(Stage.plain)
        _ = stage.folder.put([], "failures")
        let failure = try #require(try stage.failure(of: Stage.changed()))
        try #require(failure.lines.count == 2 && failure.lines[0].hasPrefix("differs: 1 of 12"))
        #expect(failure.lines[1].contains("failures/LoupeTestingTests/Stage: can't be written"))
        #expect(failure.attachments.count == 4)
    }

    @Test func failuresOfOneNameLieBesideEachOther() async throws {
        try stage.put(Stage.plain, "a/b")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for step in 1...8 {
                group.addTask { _ = try stage.failure(of: Stage.changed(by: UInt8(step) * 10), "a/b") }
            }
            try await group.waitForAll()
        }
        let names = stage.folder.names(in: stage.failures + "/a")
        #expect(names.count == 8 * 4)
        let stems = names.filter { $0.hasSuffix("-actual.png") }.map { $0.dropLast("-actual.png".count) }
        let shown = try Set(stems.map { try stage.left("a/\($0)-actual.png").pixels[0] })
        #expect(shown == Set((1...8).map { 100 + 10 * $0 }))
    }

    @Test(arguments: ["", "/a", "a//b", "a/", "../a", "a/../b", ".a", "a\0b"])
    func nameThatIsNoPathIsRefused(_ name: String) throws {
        #expect(throws: PictureNameError.self) { try stage.failure(of: Stage.plain, name, .all) }
        #expect(stage.folder.names.isEmpty)
    }

    @Test func referencesLieBesideTheTestOrWhereTheyAreSaidTo() throws {
        let site = CallSite(fileID: #fileID, filePath: #filePath, line: 1, column: 1)
        let name = try PictureName("a/b")
        let tests = Repository.path + "/Tests/LoupeTestingTests"
        #expect(
            ReferenceFolder.besideTest.file(name, at: site) == Path(tests + "/__References__/ExpectationTests/a/b.png"))
        #expect(ReferenceFolder("/x").file(name, at: site) == "/x/a/b.png")
        let relative: ReferenceFolder = "pictures"
        #expect(relative.file(name, at: site) == Path(Repository.path + "/pictures/a/b.png"))
        #expect(site.suite == "LoupeTestingTests/ExpectationTests")
    }
}
