import Glibc
import LoupeFiles
import LoupeImaging

/// Where an expectation stands. Both frameworks are told, each in its own way.
struct CallSite: Sendable {
    /// `Module/File.swift`.
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt

    /// `Module/File`, under which failures of the file's tests lie.
    var suite: String { Self.withoutEnding("\(fileID)") }

    /// The test file's folder.
    var folder: String { Folder.parent(of: "\(filePath)") ?? "." }

    /// The test file's name without its ending.
    var fileName: String {
        let path = "\(filePath)"
        return Self.withoutEnding(path.split(separator: "/").last.map(String.init) ?? path)
    }

    /// The nearest folder above the test file that holds a `Package.swift`; the working directory where there is none.
    var packageRoot: String {
        var folder: String? = folder
        while let path = folder {
            if access(path + "/Package.swift", F_OK) == 0 { return path }
            folder = Folder.parent(of: path)
        }
        return "."
    }

    private static func withoutEnding(_ path: String) -> String {
        path.hasSuffix(".swift") ? String(path.dropLast(".swift".count)) : path
    }
}
