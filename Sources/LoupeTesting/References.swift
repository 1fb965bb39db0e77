import LoupeFiles
import LoupeImaging
import Synchronization

/// The folder in which references lie.
public struct ReferenceFolder: Hashable, Sendable {
    /// Nil for the folder beside the test.
    private let path: String?

    private init() { path = nil }

    /// `__References__/<TestFile>/<name>.png` beside the test file. Move the folder together with the test. Name it in the
    /// target's `exclude:`, or SwiftPM warns about unhandled files.
    public static let besideTest = ReferenceFolder()

    /// `<path>/<name>.png`. A relative path is relative to the package's root: the nearest folder above the test file with a
    /// `Package.swift`.
    public init(_ path: String) { self.path = path }

    /// The path of a reference.
    func file(_ name: PictureName, at site: CallSite) -> String {
        guard let path else { return "\(site.folder)/__References__/\(site.fileName)/\(name).png" }
        return path.hasPrefix("/") ? "\(path)/\(name).png" : "\(site.packageRoot)/\(path)/\(name).png"
    }
}

extension ReferenceFolder: ExpressibleByStringLiteral {
    /// The same as `init(_:)`.
    public init(stringLiteral path: String) {
        self.init(path)
    }
}

/// The name of a picture, which is used in paths: parts separated by slashes, none empty or starting with a dot.
struct PictureName: Hashable, Sendable, CustomStringConvertible {
    let description: String

    init(_ text: String) throws(PictureNameError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }), !text.utf8.contains(0) else {
            throw PictureNameError(text: text)
        }
        description = text
    }
}

/// A name that can't be used for a picture.
struct PictureNameError: Error, CustomStringConvertible {
    let text: String

    var description: String {
        "'\(text)' is not a picture's name; allowed are parts separated by slashes, none empty or starting with a dot"
    }
}

/// The references that this process has written. No expectation overwrites the reference of another.
enum Recordings {
    private static let paths = Mutex<Set<String>>([])

    /// Writes a reference and makes its folder, unless this run has written it already.
    ///
    /// - Returns: Whether it was written now.
    static func write(_ image: Image, to path: String) throws -> Bool {
        try paths.withLock { paths in
            guard !paths.contains(path) else { return false }
            if let folder = Paths.parent(of: path) { try Folder.make(folder) }
            try PNG.write(image, to: path)
            paths.insert(path)
            return true
        }
    }

    /// Whether this run has written a reference.
    static func contains(_ path: String) -> Bool {
        paths.withLock { $0.contains(path) }
    }
}
