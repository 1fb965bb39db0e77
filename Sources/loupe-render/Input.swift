import Glibc
import LoupeImaging
import LoupeScene

/// What the command is given to draw: a PNG page or a scene, from a file or from standard input.
struct Input {
    enum Content {
        /// Without bytes where the page is a file that can be read again.
        case page([UInt8]?)
        case scene([UInt8])
    }

    /// As it was given: a path, or `-`.
    let name: String
    let content: Content

    /// - Throws: `Failure`: 66 where it can't be read, 65 where it is neither a PNG nor JSON.
    init(_ name: String) throws {
        self.name = name
        if PNG.isPNGFile(name) {
            content = .page(nil)
            return
        }
        let bytes = try name == "-" ? Self.standardInput() : Self.file(name)
        if PNG.isPNG(bytes) {
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
            ? "\(what): empty; a PNG page or a scene in JSON is needed"
            : "\(what): neither a PNG nor a JSON scene; convert a picture to PNG first"
    }
}

/// Where the images of a scene come from.
struct ImageSource: Sendable {
    /// What relative paths start from: the folder of the scene file, with its slash, or nothing for the working directory.
    private let folder: String
    /// A page that was read already.
    private let page: Page?

    /// - Parameters:
    ///   - name: under which the scene shows it.
    ///   - bytes: nil where it is a file that can be read again.
    init(page name: String, _ bytes: [UInt8]?) throws {
        folder = ""
        page = try bytes.map { bytes in
            Page(name: name, size: try PNG.size(of: bytes, name: name.inputName), bytes: bytes)
        }
    }

    /// The images beside a scene file; a scene from standard input counts from the working directory.
    init(besideSceneFile name: String) {
        folder = name == "-" ? "" : name.lastIndex(of: "/").map { String(name[...$0]) } ?? ""
        page = nil
    }

    func size(of path: String) throws -> (width: Int, height: Int) {
        if let page, page.name == path { return page.size }
        return try PNG.size(path: resolved(path))
    }

    /// Decodes each image once.
    func load(_ paths: [String], limits: PNGLimits) throws -> [String: Image] {
        var images: [String: Image] = [:]
        for path in paths where images[path] == nil {
            images[path] = try image(at: path, limits: limits)
        }
        return images
    }

    /// Decodes an image; a page that was read already only once.
    func image(at path: String, limits: PNGLimits) throws -> Image {
        try Self.namingTheFlag {
            if let page, page.name == path {
                try PNG.decode(page.take(), name: path.inputName, limits: limits)
            } else {
                try PNG.read(path: resolved(path), limits: limits)
            }
        }
    }

    /// An image to be read row by row.
    func rows(of path: String, limits: PNGLimits) throws -> PNGRows {
        try Self.namingTheFlag {
            if let page, page.name == path {
                try PNGRows(page.take(), name: path.inputName, limits: limits)
            } else {
                try PNGRows(path: resolved(path), limits: limits)
            }
        }
    }

    private static func namingTheFlag<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as PNGError {
            guard case .overLimit(_, let width, let height, _) = error, max(width, height) <= PNGLimits().maxSide else {
                throw error
            }
            throw Failure(.badInput, "\(error.description), or raise the limit with --max-pixels \(width * height)")
        }
    }

    /// The path of an image from the working directory, without links where there is such a file.
    func place(of path: String) -> String { realPath(resolved(path)) ?? resolved(path) }

    /// What a header tells, taken to be opaque.
    func traits(of path: String) throws -> ImageTraits {
        let size = try size(of: path)
        return ImageTraits(size: ImageSize(width: size.width, height: size.height), isOpaque: true)
    }

    func traits(of paths: [String]) throws -> [String: ImageTraits] {
        try Dictionary(uniqueKeysWithValues: Set(paths).map { ($0, try traits(of: $0)) })
    }

    /// The longest side that every device in use has textures for.
    private static let textureSide = 8192

    /// Those of at least so many pixels, or too long for some device's textures.
    func large(among paths: [String], from pixels: Int) throws -> [String] {
        try Set(paths).sorted().filter { path in
            let size = try size(of: path)
            return max(size.width, size.height) > Self.textureSide
                || size.width.multipliedReportingOverflow(by: size.height).partialValue >= pixels
        }
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
    let size: (width: Int, height: Int)
    // Taken by the one thread that decodes it.
    private var bytes: [UInt8]

    init(name: String, size: (width: Int, height: Int), bytes: [UInt8]) {
        (self.name, self.size, self.bytes) = (name, size, bytes)
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
