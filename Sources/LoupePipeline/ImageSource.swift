import Glibc
import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeSystem
import Synchronization

/// The source of a scene's images: files relative to a folder, each opened once, and possibly a page that was opened before.
public struct ImageSource: Sendable {
    /// The start of relative paths: a folder with its slash, or nothing for the working folder.
    private let folder: Path
    /// Whether images of 16 bits a channel keep them.
    private var keepsDepth = false
    /// Which files the document may name.
    private let confinement: PathConfinement
    /// The SHA-256 that each image's file had when a picture that is drawn again was made, by path.
    public internal(set) var recorded: [ImagePath: String] = [:]
    private var cache: ImageCache?
    /// Shared by the copies of a source.
    private let opened = OpenedImages()

    /// Files relative to the working folder.
    public static var workingFolder: ImageSource { ImageSource(confinedTo: .none) }

    /// An opened page, which a scene shows under this path, `-` for standard input.
    public init(page: ImageFile, at path: Path) {
        self.init(confinedTo: .none)
        opened.insert(page, at: ImagePath(bytes: path.bytes))
    }

    /// The images beside a document. A document from standard input, `-`, names them relative to the working folder.
    /// - Parameter allowsOutside: whether the document may name files that do not lie below its folder.
    public init(besideDocument name: Path, allowsOutside: Bool) {
        folder = Self.folder(ofFile: name)
        confinement = allowsOutside ? .none : PathConfinement(below: folder)
    }

    /// Files relative to the working folder, of those that a confinement allows.
    package init(confinedTo confinement: PathConfinement) {
        folder = ""
        self.confinement = confinement
    }

    /// A path up to its last slash; empty for a name without folder and for standard input.
    public static func folder(ofFile name: Path) -> Path {
        name.isDash ? "" : name.folder
    }

    /// Why the document may not name a file, as a clause of a sentence; nil where it may.
    public func refusal(of path: ImagePath) -> String? { confinement.refusal(of: location(of: path), named: path) }

    /// The same source for pictures of a depth, whose images are those of a cache where it has them.
    func reading(_ depth: SampleDepth, sharing cache: ImageCache?) -> ImageSource {
        var source = self
        (source.keepsDepth, source.cache) = (depth == .sixteen, cache ?? self.cache)
        return source
    }

    // MARK: - Images

    /// Adds an image that is in no file, under a path by which a scene names it.
    package func insert(_ image: Image, at path: ImagePath) throws {
        opened.insert(try ImageFile(PNG.encode(image), name: path.description), at: path)
    }

    /// Several images in sRGB, decoded on all cores. Who draws a scene of this source next decodes them no more.
    /// - Throws: `ImageError`; `PipelineError.tooManyPixels` where a higher limit would allow an image. Of several errors,
    ///   the first image's.
    package func images(_ paths: [ImagePath], _ options: RenderOptions) throws -> [Image] {
        let source = reading(options.depth, sharing: nil)
        // Samples of 16 bits, and the same once more as they are decoded.
        let sizes = paths.compactMap { try? size(of: $0) }
        let pixels = sizes.reduce(0) { $0 + $1.width * $1.height }
        let results = Threads.map(paths.count, needing: 16 * pixels) { index in
            Result { try source.image(paths[index], limits: options.heldLimits).converted() }
        }
        return try results.map { try $0.get() }
    }

    /// An image's file, opened at the first call.
    /// - Throws: `ImageError`.
    public func file(of path: ImagePath) throws(ImageError) -> ImageFile {
        try opened.file(at: path, opening: location(of: path), in: confinement)
    }

    /// The width and height in an image's header, in pixels.
    public func size(of path: ImagePath) throws(ImageError) -> ImageSize { try file(of: path).size }

    /// What an image's header says; pixels are assumed to be opaque, except in an SVG.
    package func traits(of path: ImagePath) throws(ImageError) -> ImageTraits {
        let file = try file(of: path)
        return ImageTraits(size: file.size, isOpaque: !file.isVector, isVector: file.isVector)
    }

    /// ``traits(of:)`` of several images, by path.
    func traits(of paths: [ImagePath]) throws -> [ImagePath: ImageTraits] {
        try Dictionary(uniqueKeysWithValues: Set(paths).map { ($0, try traits(of: $0)) })
    }

    /// The longest side, in pixels, of textures on every device in use.
    private static let textureSide = 8192

    /// The PNGs of at least so many pixels, or longer than some device's textures. Only PNGs can be read row by row.
    func large(among paths: [ImagePath], from pixels: Int) throws -> [ImagePath] {
        try Set(paths).sorted().filter { Self.isLarge(try file(of: $0), from: pixels) }
    }

    /// Whether a file is a PNG of at least so many pixels, or longer than some device's textures.
    static func isLarge(_ file: ImageFile, from pixels: Int) -> Bool {
        let (width, height) = (file.size.width, file.size.height)
        let isLarge =
            max(width, height) > textureSide
            || width.multipliedReportingOverflow(by: height).partialValue >= pixels
        return isLarge && file.format == .png && (try? file.isTurned) != true
    }

    /// Decodes images to sRGB, by path, and closes their files.
    public func load(_ paths: [ImagePath], limits: ImageLimits) throws -> [ImagePath: Image] {
        var images: [ImagePath: Image] = [:]
        for path in paths where images[path] == nil {
            images[path] = try image(path, limits: limits).converted()
            try file(of: path).release()
        }
        forgetImages()
        return images
    }

    /// An image, which is decoded once: it is that of the cache, or stays here until it is forgotten. One that is only in
    /// memory is not kept in the cache: other bytes may come under the same name with the next picture.
    /// - Throws: `ImageError`; `PipelineError.tooManyPixels` where a higher limit would allow the image.
    func image(_ path: ImagePath, limits: ImageLimits) throws -> SharedImage {
        let file = try file(of: path)
        let decode = { [keepsDepth] in
            try explainingLimit { SharedImage(try file.stored(limits: limits, keepsDepth: keepsDepth)) }
        }
        guard let cache, !file.isOnlyInMemory else {
            return try opened.image(at: path, keepsDepth: keepsDepth, decode)
        }
        let image = try cache.image(at: self.path(of: path), as: sharedName(of: path), decode: decode)
        file.knows(image.picture)
        return image
    }

    /// A PNG, to be read row by row.
    /// - Throws: as ``image(_:limits:)``.
    func rows(of path: ImagePath, limits: ImageLimits) throws -> PNGRows {
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
            throw PipelineError.tooManyPixels(error, pixels: width * height)
        }
    }

    /// Closes all files and frees decoded images and the bytes of pages in memory. Sizes and traits stay known.
    func release() { opened.release() }

    /// Frees decoded images, but for those of the cache.
    func forgetImages() { opened.forgetImages() }

    /// Whether its images are those of a cache, under names that jobs share.
    var isSharing: Bool { cache != nil }

    // MARK: - Files

    /// A name of an image that no other image has, nor the same one decoded to another depth.
    func sharedName(of path: ImagePath) -> ImagePath {
        let name = ImagePath(bytes: self.path(of: path).bytes)
        return keepsDepth ? Self.variant("16 bits", of: name) : name
    }

    /// A name that no path has: no path contains a 0.
    static func variant(_ variant: String, of name: ImagePath) -> ImagePath {
        ImagePath(bytes: name.bytes + [0] + variant.utf8)
    }

    /// The path of an image from the working folder, with links resolved where there is such a file.
    public func path(of path: ImagePath) -> Path {
        let named = PagePath(location(of: path))
        return named.file.real.map { Path(bytes: $0.bytes + named.suffix.utf8) } ?? location(of: path)
    }

    /// The bytes of a file that a document names.
    /// - Throws: `FileError.unreadable`.
    public func file(at path: ImagePath) throws(FileError) -> [UInt8] {
        try InputBytes.read(path: location(of: path), in: confinement, as: .text)
    }

    /// The SHA-256 of each image's file.
    func digests(of paths: [ImagePath]) throws -> [ImagePath: String] {
        try Dictionary(uniqueKeysWithValues: paths.map { ($0, try file(of: $0).digest()) })
    }

    /// Whether there is a file that is not empty.
    public static func exists(_ path: Path) -> Bool {
        PagePath(path).file.status().map { $0.st_size > 0 } ?? false
    }

    /// The path of an image from the working folder, as the document and its own path spell it.
    public func location(of path: ImagePath) -> Path { Path(bytes: path.bytes).relative(to: folder) }
}

/// The opened and decoded images of a source, by the paths in its scene.
private final class OpenedImages: Sendable {
    private let files = Mutex<[ImagePath: ImageFile]>([:])
    private let decoded = Mutex<[ImagePath: (image: SharedImage, keepsDepth: Bool)]>([:])

    func insert(_ file: ImageFile, at path: ImagePath) { files.withLock { $0[path] = file } }

    func file(at path: ImagePath, opening place: Path, in confinement: PathConfinement) throws(ImageError) -> ImageFile
    {
        let result: Result<ImageFile, ImageError> = files.withLock { files in
            if let file = files[path] { return .success(file) }
            do throws(ImageError) {
                let file = try ImageFile(path: place, in: confinement)
                files[path] = file
                return .success(file)
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    func image(at path: ImagePath, keepsDepth: Bool, _ decode: () throws -> SharedImage) throws -> SharedImage {
        if let known = decoded.withLock({ $0[path] }), known.keepsDepth == keepsDepth { return known.image }
        let image = try decode()
        decoded.withLock { $0[path] = (image, keepsDepth) }
        return image
    }

    func forgetImages() { decoded.withLock { $0 = [:] } }

    func release() {
        forgetImages()
        files.withLock { for file in $0.values { file.release() } }
    }
}
