import LoupeGLES
import Testing

/// Fails a test at whose end some context is gone without all of its objects having been deleted.
///
/// Tests run side by side, so that one may be blamed for what another left behind; none can leave anything unseen.
public struct GLObjectsTrait: SuiteTrait, TestTrait, TestScoping {
    public var isRecursive: Bool { true }

    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        let leaks = ObjectLedger.leaks
        #expect(leaks.isEmpty, "left undeleted by contexts that are gone: \(leaks)")
    }
}

extension Trait where Self == GLObjectsTrait {
    /// Every OpenGL ES object that is made is deleted. For every suite that draws.
    public static var leavesNoGLObjects: Self { GLObjectsTrait() }
}
