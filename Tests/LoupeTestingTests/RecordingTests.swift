import LoupeCompare
import LoupeImaging
import LoupeOracle
import LoupeScene
import TestSupport
import Testing

@testable import LoupeSystem
@testable import LoupeTesting

/// Which references are written, and that writing one never passes.
@Suite struct RecordingTests {
    private let stage = Stage()

    enum Before: CaseIterable {
        case missing, matching, differing
    }

    @Test(arguments: RecordMode.allCases, Before.allCases)
    func modesWriteWhatTheySayAndThenFail(_ mode: RecordMode, _ before: Before) throws {
        let old: Image? =
            switch before {
            case .missing: nil
            case .matching: Stage.plain
            case .differing: Stage.changed()
            }
        if let old { try stage.put(old) }
        let records =
            switch mode {
            case .missing: before == .missing
            case .failed: before != .matching
            case .all: true
            case .never: false
            }
        let failure = try stage.failure(of: Stage.plain, "picture", mode)
        #expect((failure == nil) == (before == .matching && !records))
        #expect(stage.reference() == (records ? Stage.plain : old))
        #expect((failure?.message.hasPrefix("recorded ") ?? false) == records)
        if records { #expect(try stage.failure(of: Stage.plain) == nil) }
    }

    @Test func recordingAFailedOneSaysWhatFailedAndLeavesIt() throws {
        try stage.put(Stage.plain)
        let lines = try #require(try stage.failure(of: Stage.changed(), "picture", .failed)).lines
        #expect(lines.count == 3 && lines[1].hasPrefix("differs: 1 of 12"))
        #expect(try stage.left("picture-reference.png") == Stage.plain)
    }

    @Test(arguments: [RecordMode.missing, .failed, .all])
    func twoPicturesOfOneNameAreNotRecordedOverEachOther(_ mode: RecordMode) throws {
        #expect(try stage.failure(of: Stage.plain, "a/b", mode) != nil)
        #expect(try stage.failure(of: Stage.plain, "a/b", mode) == nil)
        let failure = try #require(try stage.failure(of: Stage.changed(), "a/b", mode))
        #expect(failure.lines[0].hasPrefix("differs: "))
        #expect(failure.message.contains("give each picture its own name"))
        #expect(stage.reference("a/b") == Stage.plain)
    }

    @Test func parallelExpectationsRecordOnePicture() async throws {
        let count = try await withThrowingTaskGroup(of: Bool.self) { group in
            for step in 1...8 {
                group.addTask {
                    try stage.failure(of: Stage.changed(by: UInt8(step)), "a", .all)?.message.hasPrefix("recorded")
                        ?? false
                }
            }
            return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(count == 1)
        #expect(stage.folder.names(in: "references") == ["a.png"])
    }

    @Test func folderThatCanNotBeWrittenIsNamed() throws {
        _ = stage.folder.put([], "references")
        #expect(throws: FileError.self) { try stage.failure(of: Stage.plain, "picture", .missing) }
    }

    @Test func scenesAreRecordedAsTheOracleDrawsThemAndHeldToTheirLimits() throws {
        let page = Layer(content: .fill(Color(red: 1, green: 2, blue: 3)), rect: .init(x: 1, y: 1, width: 2, height: 1))
        let scene = Scene(canvas: .init(width: 4, height: 3), layers: [page])
        let exact = try Oracle().render(scene)
        var drawn = exact
        drawn.pixels[0] += 1
        func failure(_ mode: RecordMode, recording: Image? = nil) throws -> ExpectationFailure? {
            try stage.failure(
                of: drawn, "scene", mode, limits: CaseLimits(for: scene), of: scene, recording: recording)
        }
        #expect(try failure(.missing, recording: exact) != nil)
        #expect(stage.reference("scene") == exact)
        #expect(try failure(.never) == nil)
        drawn.pixels[0] += 2
        let failure = try #require(try failure(.never))
        #expect(failure.message.contains("in corner 1 (up to 3)"))
        let left = TemporaryFolder.bytes(at: stage.folder.file("\(stage.failures)/scene-scene.json"))
        #expect(left == Array(SceneEncoder().encode(scene).utf8))
    }
}
