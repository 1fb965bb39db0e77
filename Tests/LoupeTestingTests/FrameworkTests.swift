import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeTesting
import Testing

/// The functions themselves, as a test calls them.
@Suite struct FrameworkTests {
    private static let line: UInt = 4321

    @Test func failureIsAnIssueAtTheCallSite() {
        withKnownIssue {
            expectMatches(Stage.plain, Stage.plain, as: "../nowhere", line: Self.line, column: 7)
        } matching: { issue in
            issue.sourceLocation?.line == Int(Self.line) && issue.sourceLocation?.column == 7
                && issue.sourceLocation?.fileID == "LoupeTestingTests/FrameworkTests.swift"
                && issue.comments.first?.rawValue.hasPrefix("'../nowhere' is not a picture's name") == true
        }
    }

    @Test func picturesFromMemoryMatch() {
        expectMatches(Stage.plain, Stage.plain, as: "plain")
        expectMatches(Stage.changed(), Stage.plain, as: "near", comparison: .init(metric: .channel(.init(7))))
    }

    @Test func scenesAreDrawnByTheGPUAndComparedWithTheOracle() {
        let page = Image(width: 8, height: 8, pixels: [UInt8](repeating: 200, count: 256))
        let layer = Layer(
            content: .image(path: "page"), rect: .init(x: 3, y: 3, width: 50, height: 40),
            corner: Corner(radius: 9, exponent: 3))
        let scene = Scene(canvas: .init(width: 60, height: 50), layers: [layer])
        expectRendersLikeOracle(scene, as: "rounded", images: ["page": page])
    }

    @Test func imageThatWasNotHandedOverIsNamed() {
        let layer = Layer(content: .image(path: "gone.png"), rect: .init(x: 0, y: 0, width: 5, height: 4))
        withKnownIssue {
            expectRendersLikeOracle(Scene(canvas: .init(width: 6, height: 5), layers: [layer]), as: "gone")
        } matching: { issue in
            issue.comments.first?.rawValue.contains("gone.png") == true
        }
    }

    #if compiler(>=6.2)
        /// In a process of its own, since the environment is read once.
        @Test func unknownWayToRecordFailsTheTest() async {
            await withKnownIssue {
                await #expect(processExitsWith: .success) {
                    setenv("LOUPE_RECORD", "yes", 1)
                    expectMatches(Stage.plain, Stage.plain, as: "plain")
                }
            } matching: { issue in
                issue.comments.contains { $0.rawValue.contains("LOUPE_RECORD: 'yes' is not allowed") }
            }
        }
    #endif
}
