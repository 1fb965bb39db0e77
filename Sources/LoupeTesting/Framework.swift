import LoupeImaging
import LoupeSystem
import Testing
private import XCTest

/// The test framework that gets a failure.
enum Framework {
    case swiftTesting, xctest

    /// The framework that runs the current test. A detached task of Swift Testing has no current test, so the runner's
    /// arguments decide there; XCTest would lose the failure.
    static var current: Framework {
        Test.current != nil || CommandLine.arguments.contains("swift-testing") ? .swiftTesting : .xctest
    }

    /// Fails the test at the call site. XCTest has no attachments on Linux, so only the files on disk remain.
    func report(_ failure: ExpectationFailure, at site: CallSite) {
        switch self {
        case .swiftTesting:
            let location = Testing.SourceLocation(
                fileID: "\(site.fileID)", filePath: "\(site.filePath)", line: Int(site.line), column: Int(site.column))
            Issue.record(Comment(rawValue: failure.message), sourceLocation: location)
            attach(failure.attachments, location)
        case .xctest: XCTFail(failure.message, file: site.filePath, line: site.line)
        }
    }

    /// Attaches files to the test's results. `swift test --attachments-path FOLDER` keeps them.
    private func attach(_ files: [(name: String, bytes: [UInt8])], _ location: Testing.SourceLocation) {
        #if compiler(>=6.2)
            for file in files { Attachment.record(file.bytes, named: file.name, sourceLocation: location) }
        #endif
    }

    /// Runs an expectation and reports what it throws as a failure of the test.
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

/// The source position of an expectation.
struct CallSite: Sendable {
    /// `Module/File.swift`.
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// `Module/File`: the folder for the failures of the file's tests.
    var suite: Path {
        let path = Path("\(fileID)")
        return path.hasEnding("\(Self.ending)") ? path.dropping(Self.ending.utf8CodeUnitCount) : path
    }

    /// The test file's folder.
    var folder: Path { Path("\(filePath)").parent ?? "." }

    /// The test file's name without its extension.
    var fileName: Path {
        let name = Path("\(filePath)").name
        return name.hasEnding("\(Self.ending)") ? name.dropping(Self.ending.utf8CodeUnitCount) : name
    }

    /// The nearest folder above the test file that contains a `Package.swift`; the working directory if there is none.
    var packageRoot: Path {
        var folder: Path? = folder
        while let path = folder {
            if path.child("Package.swift").exists { return path }
            folder = path.parent
        }
        return "."
    }

    private static let ending: StaticString = ".swift"
}
