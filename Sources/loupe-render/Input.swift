import LoupeImaging
import LoupeScene

/// What the command is given to draw: a PNG page or a scene, from a file or from standard input.
struct Input {
    enum Content {
        case page([UInt8])
        case scene([UInt8])
    }

    /// As it was given: a path, or `-`.
    let name: String
    let content: Content

    /// - Throws: `Failure`: 66 where it can't be read, 65 where it is neither a PNG nor JSON.
    init(_ name: String) throws {
        self.name = name
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

    private static func standardInput() throws -> [UInt8] {
        do {
            return try InputBytes.readStandardInput()
        } catch {
            throw Failure(.noInput, error.description)
        }
    }

    private static func unknown(_ name: String, _ bytes: [UInt8]) -> String {
        let what = name == "-" ? "standard input" : name
        return bytes.isEmpty
            ? "\(what): empty; a PNG page or a scene in JSON is needed"
            : "\(what): neither a PNG nor a JSON scene; convert a picture to PNG first"
    }
}

/// Images that scenes name, read once each.
struct ImageFolder {
    /// What relative paths start from: the folder of the scene file, or none for the working directory.
    let folder: String?
    /// Images that are at hand already.
    private(set) var images: [String: Image]

    init(folder: String?, images: [String: Image] = [:]) {
        self.folder = folder
        self.images = images
    }

    /// The folder of a scene file; standard input's scenes count from the working directory.
    init(besideSceneFile name: String) {
        let folder = name == "-" ? nil : name.lastIndex(of: "/").map { String(name[...$0]) }
        self.init(folder: folder)
    }

    func size(of path: String) throws -> (width: Int, height: Int) {
        if let image = images[path] { return (image.width, image.height) }
        return try PNG.size(path: resolved(path))
    }

    mutating func load(_ paths: [String]) throws {
        for path in paths where images[path] == nil {
            images[path] = try PNG.read(path: resolved(path))
        }
    }

    private func resolved(_ path: String) -> String {
        path.hasPrefix("/") ? path : (folder ?? "") + path
    }
}
