import Glibc
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// What the command is given to draw: a page or a scene, from a file or from standard input.
struct Input {
    enum Content {
        /// Without bytes where the page is a file that can be read again.
        case page([UInt8]?)
        case scene([UInt8])
    }

    /// As it was given: a path, or `-`.
    let name: String
    let content: Content

    /// - Throws: `Failure`: 66 where it can't be read, 65 where it is neither a picture nor JSON.
    init(_ name: String) throws {
        self.name = name
        if PNG.isPNGFile(name) {
            content = .page(nil)
            return
        }
        let bytes = try name == "-" ? Self.standardInput() : Self.file(name)
        if ImageFile.Format(of: bytes) != nil {
            content = .page(bytes)
        } else if bytes.first(where: { !" \t\r\n".utf8.contains($0) }) == UInt8(ascii: "{") {
            content = .scene(bytes)
        } else {
            throw Failure(.badInput, Self.unknown(name, bytes))
        }
    }

    /// - Throws: `Failure`: 66 where it can't be read.
    static func file(_ path: String) throws -> [UInt8] {
        do {
            return try InputBytes.read(path: path)
        } catch {
            throw Failure(.noInput, error.description)
        }
    }

    static func standardInput() throws -> [UInt8] {
        do {
            return try InputBytes.readStandardInput()
        } catch {
            throw Failure(.noInput, error.description)
        }
    }

    private static func unknown(_ name: String, _ bytes: [UInt8]) -> String {
        let what = name.inputName
        return bytes.isEmpty
            ? "\(what): empty; a page or a scene in JSON is needed"
            : "\(what): neither a PNG, a JPEG, a WebP, an SVG nor a JSON scene; convert a picture to PNG first"
    }
}

/// Where the images of a scene come from.
struct ImageSource: Sendable {
    /// What relative paths start from: the folder of the scene file, with its slash, or nothing for the working directory.
    private let folder: String
    /// A page that was read already.
    private let page: Page?
    /// Whether images of 16 bits a channel keep them.
    private(set) var keepsDepth = false
    /// What a document may name.
    private let confinement: PathConfinement
    /// The SHA-256 that images had when a picture that is drawn again was made, by path.
    let recorded: [String: String]

    /// - Parameters:
    ///   - name: under which the scene shows it.
    ///   - bytes: nil where it is a file that can be read again.
    init(page name: String, _ bytes: [UInt8]?) throws {
        folder = ""
        recorded = [:]
        confinement = .none
        page = try bytes.map { bytes in
            Page(name: name, size: try ImageFile.size(of: bytes, name: name.inputName), bytes: bytes)
        }
    }

    /// The images beside a scene file; a scene from standard input counts from the working directory.
    /// - Parameter allowsOutside: whether the scene may name files that do not lie below its folder.
    init(besideSceneFile name: String, allowsOutside: Bool, recorded: [String: String] = [:]) {
        self.recorded = recorded
        folder = Self.folder(ofFile: name)
        confinement = allowsOutside ? .none : PathConfinement(below: folder)
        page = nil
    }

    /// The images of a scene in a list of jobs: counted from the working directory, named by the list.
    init(ofJobsIn confinement: PathConfinement) {
        (folder, recorded, page) = ("", [:], nil)
        self.confinement = confinement
    }

    /// With its slash; empty for the working directory, and for standard input.
    static func folder(ofFile name: String) -> String {
        name == "-" ? "" : name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
    }

    /// Why the document may not name a file; nil where it may.
    func refusal(of path: String) -> String? { confinement.refusal(of: resolved(path), named: path) }

    /// The same, whose images of 16 bits keep them or not.
    func keepingDepth(_ keepsDepth: Bool) -> ImageSource {
        var source = self
        source.keepsDepth = keepsDepth
        return source
    }

    func size(of path: String) throws -> ImageSize {
        if let page, page.name == path { return page.size }
        return try ImageFile.size(path: resolved(path))
    }

    /// Decodes each image once.
    func load(_ paths: [String], limits: ImageLimits) throws -> [String: Image] {
        var images: [String: Image] = [:]
        for path in paths where images[path] == nil {
            images[path] = try image(at: path, limits: limits)
        }
        return images
    }

    /// Decodes an image; a page that was read already only once.
    func image(at path: String, limits: ImageLimits) throws -> Image {
        try picture(at: path, limits: limits).converted()
    }

    /// Decodes an image with its numbers as they are stored.
    func picture(at path: String, limits: ImageLimits) throws -> StoredImage {
        try namingTheFlag {
            if let page, page.name == path {
                try ImageFile.stored(
                    page.take(), name: path.inputName, at: path == "-" ? nil : path, limits: limits,
                    keepsDepth: keepsDepth)
            } else {
                try ImageFile.stored(path: resolved(path), limits: limits, keepsDepth: keepsDepth)
            }
        }
    }

    /// A PNG to be read row by row.
    func rows(of path: String, limits: ImageLimits) throws -> PNGRows {
        try namingTheFlag {
            if let page, page.name == path {
                try PNGRows(page.take(), name: path.inputName, limits: limits)
            } else {
                try PNGRows(path: resolved(path), limits: limits)
            }
        }
    }

    private func namingTheFlag<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as ImageError {
            guard case .overLimit(_, let width, let height, _) = error, max(width, height) <= ImageLimits().maxSide
            else {
                throw error
            }
            let reason = keepsDepth ? " (with --depth 16 it is held whole)" : ""
            throw Failure(
                .badInput, "\(error.description), or raise the limit with --max-pixels \(width * height)\(reason)")
        }
    }

    /// What tells an image from any other, however scenes name it, and from the same that was decoded otherwise.
    func sharedName(of path: String) -> String { place(of: path) + (keepsDepth ? " (16 bits)" : "") }

    /// The path of an image from the working directory, without links where there is such a file.
    func place(of path: String) -> String { RealPath.of(resolved(path)) ?? resolved(path) }

    /// The SHA-256 of each image's file, on another thread. Start it before a page is decoded, which lets go of its bytes.
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

    /// The SHA-256 of an image's file.
    func digest(of path: String) throws -> String {
        do {
            return try SelfDescription.digest(path: resolved(path))
        } catch {
            throw Failure(.noInput, error.description)
        }
    }

    /// What a header tells; pixels are taken to be opaque.
    func traits(of path: String) throws -> ImageTraits {
        let size = try size(of: path)
        let isVector = isVector(path)
        return ImageTraits(size: size, isOpaque: !isVector, isVector: isVector)
    }

    private func isVector(_ path: String) -> Bool {
        if let page, page.name == path { return page.isVector }
        return ImageFile.isVector(path: resolved(path))
    }

    func traits(of paths: [String]) throws -> [String: ImageTraits] {
        try Dictionary(uniqueKeysWithValues: Set(paths).map { ($0, try traits(of: $0)) })
    }

    /// The longest side that every device in use has textures for.
    private static let textureSide = 8192

    /// PNGs, which alone can be read row by row, of at least so many pixels, or too long for some device's textures.
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

    /// The bytes of a file that a session names.
    func file(at path: String) throws -> [UInt8] {
        do {
            return try InputBytes.read(path: resolved(path))
        } catch {
            throw Failure(.noInput, error.description)
        }
    }

    /// Whether there is a file that is not empty.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_size > 0
    }

    private func resolved(_ path: String) -> String {
        path.hasPrefix("/") ? path : folder + path
    }
}

/// A page's file in memory until it has been decoded.
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

extension String {
    /// How a sentence names an input.
    var inputName: String { self == "-" ? "standard input" : self }
}
