import LoupeImaging
import LoupeSystem
import Synchronization

/// The folder in which references lie.
public struct ReferenceFolder: Hashable, Sendable {
    /// Nil for the folder beside the test.
    private let path: Path?

    private init() { path = nil }

    /// `__References__/<TestFile>/<name>.png` beside the test file. Move the folder together with the test. Name it in the
    /// target's `exclude:`, or SwiftPM warns about unhandled files.
    public static let besideTest = ReferenceFolder()

    /// `<path>/<name>.png`. A relative path is relative to the package's root: the nearest folder above the test file with a
    /// `Package.swift`.
    public init(_ path: Path) { self.path = path }

    /// The path of a reference.
    func file(_ name: PictureName, at site: CallSite) -> Path {
        let folder =
            path.map { $0.isAbsolute ? $0 : site.packageRoot.child($0) }
            ?? site.folder.child("__References__").child(site.fileName)
        return folder.child(name.path).appending(".png")
    }
}

extension ReferenceFolder: ExpressibleByStringLiteral {
    /// The same as `init(_:)`.
    public init(stringLiteral path: String) {
        self.init(Path(path))
    }
}

/// The name of a picture, which is used in paths: parts separated by slashes, none empty or starting with a dot.
struct PictureName: Hashable, Sendable, CustomStringConvertible {
    let path: Path
    var description: String { path.description }

    init(_ text: String) throws(PictureNameError) {
        path = Path(text)
        let parts = path.bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.allSatisfy({ $0.first.map { $0 != UInt8(ascii: ".") } ?? false }), !path.bytes.contains(0) else {
            throw PictureNameError(text: text)
        }
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
    private static let paths = Mutex<Set<Path>>([])

    /// Writes a reference and makes its folder, unless this run has written it already.
    ///
    /// - Returns: Whether it was written now.
    static func write(_ image: Image, to path: Path) throws -> Bool {
        try paths.withLock { paths in
            guard !paths.contains(path) else { return false }
            if let folder = path.parent { try Folder.make(folder) }
            try PNG.write(image, to: path)
            paths.insert(path)
            return true
        }
    }

    /// Whether this run has written a reference.
    static func contains(_ path: Path) -> Bool {
        paths.withLock { $0.contains(path) }
    }
}
