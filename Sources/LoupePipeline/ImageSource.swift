import Glibc
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// Where the images of a scene come from: files below a folder, and possibly one picture that is in memory.
public struct ImageSource: Sendable {
    /// The start of relative paths: a folder with its slash, or nothing for the working folder.
    private let folder: String
    /// A page that was read already.
    private let page: Page?
    /// Whether images of 16 bits a channel keep them.
    public private(set) var keepsDepth = false
    /// Which files the document may name.
    private let confinement: PathConfinement
    /// The SHA-256 that each image's file had when a picture that is drawn again was made, by path.
    public private(set) var recorded: [String: String] = [:]

    /// Any file, relative to the working folder.
    public static let workingFolder = ImageSource(confinedTo: .none)

    /// A page, whose scene shows it under its own name.
    /// - Parameters:
    ///   - name: its path, or `-` for standard input.
    ///   - bytes: its file; nil where it can be read at `name`.
    /// - Throws: `ImageError` where the header in `bytes` is not a picture's.
    public init(page name: String, _ bytes: [UInt8]?) throws {
        folder = ""
        confinement = .none
        page = try bytes.map { bytes in
            Page(name: name, size: try ImageFile.size(of: bytes, name: name.inputName), bytes: bytes)
        }
    }

    /// The images beside a document. A document from standard input, `-`, names them relative to the working folder.
    /// - Parameter allowsOutside: whether the document may name files that do not lie below its folder.
    public init(besideDocument name: String, allowsOutside: Bool) {
        folder = Self.folder(ofFile: name)
        confinement = allowsOutside ? .none : PathConfinement(below: folder)
        page = nil
    }

    /// Files relative to the working folder, of those that a confinement allows.
    public init(confinedTo confinement: PathConfinement) {
        (folder, page) = ("", nil)
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

    // MARK: - Headers

    /// The width and height in an image's header, in pixels.
    public func size(of path: String) throws -> ImageSize {
        if let page, page.name == path { return page.size }
        return try ImageFile.size(path: resolved(path))
    }

    /// What an image's header says; pixels are assumed to be opaque, except in an SVG.
    public func traits(of path: String) throws -> ImageTraits {
        let size = try size(of: path)
        let isVector = isVector(path)
        return ImageTraits(size: size, isOpaque: !isVector, isVector: isVector)
    }

    private func isVector(_ path: String) -> Bool {
        if let page, page.name == path { return page.isVector }
        return ImageFile.isVector(path: resolved(path))
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
            let size = try size(of: path)
            let isLarge =
                max(size.width, size.height) > Self.textureSide
                || size.width.multipliedReportingOverflow(by: size.height).partialValue >= pixels
            return isLarge && isPNG(path)
        }
    }

    private func isPNG(_ path: String) -> Bool {
        if let page, page.name == path { return page.isPNG }
        return PNG.isPNGFile(resolved(path))
    }

    // MARK: - Pixels

    /// Decodes images to sRGB, each once, by path.
    public func load(_ paths: [String], limits: ImageLimits) throws -> [String: Image] {
        var images: [String: Image] = [:]
        for path in paths where images[path] == nil {
            images[path] = try picture(at: path, limits: limits).converted()
        }
        return images
    }

    /// Decodes an image and leaves its numbers as they are stored. A page in memory can be decoded once.
    /// - Throws: `ImageError`; `PipelineError.tooManyPixels` where a higher limit would allow the image.
    func picture(at path: String, limits: ImageLimits) throws -> StoredImage {
        try explainingLimit {
            if let page, page.name == path {
                try ImageFile.stored(
                    page.take(), name: path.inputName, at: path == "-" ? nil : path, limits: limits,
                    keepsDepth: keepsDepth)
            } else {
                try ImageFile.stored(path: resolved(path), limits: limits, keepsDepth: keepsDepth)
            }
        }
    }

    /// A PNG, to be read row by row.
    /// - Throws: as ``picture(at:limits:)``.
    func rows(of path: String, limits: ImageLimits) throws -> PNGRows {
        try explainingLimit {
            if let page, page.name == path {
                try PNGRows(page.take(), name: path.inputName, limits: limits)
            } else {
                try PNGRows(path: resolved(path), limits: limits)
            }
        }
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

    // MARK: - Files

    /// A name of an image that no other image has, nor the same one decoded to another depth.
    func sharedName(of path: String) -> String { self.path(of: path) + (keepsDepth ? " (16 bits)" : "") }

    /// The path of an image from the working folder, with links resolved where there is such a file.
    public func path(of path: String) -> String { Paths.real(resolved(path)) ?? resolved(path) }

    /// The bytes of a file that a document names.
    /// - Throws: `FileError.unreadable`.
    public func file(at path: String) throws(FileError) -> [UInt8] { try InputBytes.read(path: resolved(path)) }

    /// Computes the SHA-256 of each image's file on another thread. Start it before a page in memory is decoded, which
    /// frees its bytes.
    func digests(of paths: [String]) -> Background<[String: String]> {
        let (name, bytes) = (page?.name, page?.unread ?? [])
        return Background {
            try Dictionary(
                uniqueKeysWithValues: paths.map { path in
                    let isPage = path == name && !bytes.isEmpty
                    return (path, isPage ? SelfDescription.digest(bytes) : try digest(of: path))
                })
        }
    }

    /// The SHA-256 of an image's file, in hexadecimal digits.
    func digest(of path: String) throws(FileError) -> String { try SelfDescription.digest(path: resolved(path)) }

    /// Whether there is a file that is not empty.
    public static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    private func resolved(_ path: String) -> String { Paths.joined(folder, path) }
}

/// A page's file in memory until it is decoded.
private final class Page: @unchecked Sendable {
    let name: String
    let size: ImageSize
    let isPNG: Bool
    let isVector: Bool
    // Taken by the one thread that decodes it.
    private var bytes: [UInt8]

    /// Empty once they have been taken.
    var unread: [UInt8] { bytes }

    init(name: String, size: ImageSize, bytes: [UInt8]) {
        (self.name, self.size, self.bytes) = (name, size, bytes)
        isPNG = PNG.isPNG(bytes)
        isVector = ImageFile.Format(of: bytes) == .svg
    }

    func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}
