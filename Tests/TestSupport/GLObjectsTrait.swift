import LoupeRenderer
import Testing

/// Fails a test if, at its end, there was a context that ended before all of its objects were deleted.
///
/// Tests run at the same time, so the failing test may not be the one that left the objects. But no object is missed.
public struct GLObjectsTrait: SuiteTrait, TestTrait, TestScoping {
    /// The trait applies to all tests of a suite.
    public var isRecursive: Bool { true }

    /// Runs a test and then checks the objects.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await function()
        let leaks = ObjectLedger.leaks
        #expect(leaks.isEmpty, "left undeleted by contexts that are gone: \(leaks)")
    }
}

extension Trait where Self == GLObjectsTrait {
    /// Checks that every OpenGL ES object is deleted. For all suites that draw.
    public static var leavesNoGLObjects: Self { GLObjectsTrait() }
}
