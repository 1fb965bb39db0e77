/// Where references lie.
public struct ReferenceFolder: Hashable, Sendable {
    /// Nil beside the test.
    private let path: String?

    private init(at path: String?) {
        self.path = path
    }

    /// `__References__/<TestFile>/<name>.png`, beside the test file; a test that moves takes its references with it.
    /// Name the folder in the target's `exclude:`, so that SwiftPM does not ask what it is for.
    public static let besideTest = ReferenceFolder(at: nil)

    /// `<path>/<name>.png`. A relative path starts from the package's root, the nearest folder above the test file
    /// with a `Package.swift`.
    public init(_ path: String) {
        self.init(at: path)
    }

    /// The file of a reference.
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
