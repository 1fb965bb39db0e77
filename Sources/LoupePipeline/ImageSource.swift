import Glibc
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene
import Synchronization

/// Where the images of a scene come from: files relative to a folder, each opened once, and possibly a page that was
/// opened before.
public struct ImageSource: Sendable {
    /// The start of relative paths: a folder with its slash, or nothing for the working folder.
    private let folder: String
    /// Whether images of 16 bits a channel keep them.
    public private(set) var keepsDepth = false
    /// Which files the document may name.
    private let confinement: PathConfinement
    /// The SHA-256 that each image's file had when a picture that is drawn again was made, by path.
    public private(set) var recorded: [String: String] = [:]
    /// Shared by the copies of a source.
    private let opened = OpenedImages()

    /// Files relative to the working folder.
    public static var workingFolder: ImageSource { ImageSource(confinedTo: .none) }

    /// An opened page, which a scene shows under this path, `-` for standard input.
    public init(page: ImageFile, at path: String) {
        self.init(confinedTo: .none)
        opened.insert(page, at: path)
    }

    /// The images beside a document. A document from standard input, `-`, names them relative to the working folder.
    /// - Parameter allowsOutside: whether the document may name files that do not lie below its folder.
    public init(besideDocument name: String, allowsOutside: Bool) {
        folder = Self.folder(ofFile: name)
        confinement = allowsOutside ? .none : PathConfinement(below: folder)
    }

    /// Files relative to the working folder, of those that a confinement allows.
    public init(confinedTo confinement: PathConfinement) {
        folder = ""
        self.confinement = confinement
    }

    /// A path up to its last slash; empty for a name without folder and for standard input.
    public static func folder(ofFile name: String) -> String {
        name == "-" ? "" : Paths.folder(of: name)
    }

    /// Why the document may not name a file, as a clause of a sentence; nil where it may.
    public func refusal(of path: String) -> String? { confinement.refusal(of: resolved(path), named: path) }

    /// The same source, whose images of 16 bits keep their depth or are rounded to 8 bits.
    public func keepingDepth(_ keepsDepth: Bool) -> ImageSource {
        var source = self
        source.keepsDepth = keepsDepth
        return source
    }

    /// The same source, with the digests that its images had earlier.
    func recording(_ digests: [String: String]) -> ImageSource {
        var source = self
        source.recorded = digests
        return source
    }

    // MARK: - Images

    /// An image's file, opened at the first call.
    /// - Throws: `ImageError`.
    public func file(of path: String) throws(ImageError) -> ImageFile {
        try opened.file(at: path, opening: resolved(path))
    }

    /// The width and height in an image's header, in pixels.
    public func size(of path: String) throws(ImageError) -> ImageSize { try file(of: path).size }

    /// What an image's header says; pixels are assumed to be opaque, except in an SVG.
    public func traits(of path: String) throws(ImageError) -> ImageTraits {
        let file = try file(of: path)
        return ImageTraits(size: file.size, isOpaque: !file.isVector, isVector: file.isVector)
    }

    /// ``traits(of:)`` of several images, by path.
    func traits(of paths: [String]) throws -> [String: ImageTraits] {
        try Dictionary(uniqueKeysWithValues: Set(paths).map { ($0, try traits(of: $0)) })
    }

    /// The longest side, in pixels, of textures on every device in use.
    private static let textureSide = 8192

    /// The PNGs of at least so many pixels, or longer than some device's textures. Only PNGs can be read row by row.
    func large(among paths: [String], from pixels: Int) throws -> [String] {
        try Set(paths).sorted().filter { path in
            let file = try file(of: path)
            let (width, height) = (file.size.width, file.size.height)
            let isLarge =
                max(width, height) > Self.textureSide
                || width.multipliedReportingOverflow(by: height).partialValue >= pixels
            return isLarge && file.format == .png
        }
    }

    /// Decodes images to sRGB, each once, by path, and closes their files.
    public func load(_ paths: [String], limits: ImageLimits) throws -> [String: Image] {
        var images: [String: Image] = [:]
        for path in paths where images[path] == nil {
            images[path] = try stored(path, limits: limits).converted()
            try file(of: path).release()
        }
        return images
    }

    /// Decodes an image and leaves its numbers as they are stored.
    /// - Throws: `ImageError`; `PipelineError.tooManyPixels` where a higher limit would allow the image.
    func stored(_ path: String, limits: ImageLimits) throws -> StoredImage {
        try explainingLimit { try file(of: path).stored(limits: limits, keepsDepth: keepsDepth) }
    }

    /// A PNG, to be read row by row.
    /// - Throws: as ``stored(_:limits:)``.
    func rows(of path: String, limits: ImageLimits) throws -> PNGRows {
        try explainingLimit { try file(of: path).rows(limits: limits) }
    }

    private func explainingLimit<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ImageError {
            guard case .overLimit(_, let width, let height, _) = error, max(width, height) <= ImageLimits().maxSide
            else {
                throw error
            }
            throw PipelineError.tooManyPixels(error, pixels: width * height, isHeldForDepth: keepsDepth)
        }
    }

    /// Closes all files and frees the bytes of pages in memory. Sizes and traits stay known.
    func release() { opened.release() }

    // MARK: - Files

    /// A name of an image that no other image has, nor the same one decoded to another depth.
    func sharedName(of path: String) -> String { self.path(of: path) + (keepsDepth ? " (16 bits)" : "") }

    /// The path of an image from the working folder, with links resolved where there is such a file.
    public func path(of path: String) -> String { Paths.real(resolved(path)) ?? resolved(path) }

    /// The bytes of a file that a document names.
    /// - Throws: `FileError.unreadable`.
    public func file(at path: String) throws(FileError) -> [UInt8] {
        try InputBytes.read(path: resolved(path), as: .text)
    }

    /// Computes the SHA-256 of each image's file on another thread.
    func digests(of paths: [String]) -> Background<[String: String]> {
        Background { try Dictionary(uniqueKeysWithValues: paths.map { ($0, try file(of: $0).digest()) }) }
    }

    /// Whether there is a file that is not empty.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    private func resolved(_ path: String) -> String { Paths.joined(folder, path) }
}

/// The opened images of a source, by the paths in its scene.
private final class OpenedImages: Sendable {
    private let files = Mutex<[String: ImageFile]>([:])

    func insert(_ file: ImageFile, at path: String) { files.withLock { $0[path] = file } }

    func file(at path: String, opening place: String) throws(ImageError) -> ImageFile {
        let result: Result<ImageFile, ImageError> = files.withLock { files in
            if let file = files[path] { return .success(file) }
            do throws(ImageError) {
                let file = try ImageFile(path: place)
                files[path] = file
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func release() { files.withLock { for result in $0.values { result.release() } } }
}
