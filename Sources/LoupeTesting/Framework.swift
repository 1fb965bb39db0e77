import Testing
private import XCTest

/// The test framework that a failure is told to.
enum Framework {
    case swiftTesting, xctest

    /// The one that runs the current test. A detached task of a Swift Testing test does not know its test, but the
    /// runner was started for that framework; XCTest would lose the failure there.
    static var current: Framework {
        Test.current != nil || CommandLine.arguments.contains("swift-testing") ? .swiftTesting : .xctest
    }

    /// Makes the test fail at the call site. XCTest has no attachments on Linux; there the files on disk must do.
    func report(_ failure: ExpectationFailure, at site: CallSite) {
        switch self {
        case .swiftTesting:
            let location = SourceLocation(
                fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column))
            Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
            attach(failure.attachments, location)
        case .xctest: XCTFail(failure.message, file: site.filePath, line: site.line)
        }
    }

    /// `swift test --attachments-path FOLDER` keeps them.
    private func attach(_ files: [(name: String, bytes: [UInt8])], _ location: SourceLocation) {
        #if compiler(>=6.2)
            for file in files { Attachment.record(file.bytes, named: file.name, sourceLocation: location) }
        #endif
    }

    /// Runs an expectation and reports whatever it throws.
    static func expect(at site: CallSite, _ body: (Settings) throws -> Void) {
        do {
            try body(Settings.current.get())
        } catch let failure as ExpectationFailure {
            current.report(failure, at: site)
        } catch {
            current.report(ExpectationFailure(message: "\(error)"), at: site)
        }
    }
}
