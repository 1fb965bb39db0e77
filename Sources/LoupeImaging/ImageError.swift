import LoupeFiles

/// Why a picture could not be read, or a PNG not written; its description is one sentence with the file and the numbers.
public enum ImageError: Error, Equatable, Sendable {
    /// The file is missing or can't be read.
    case unreadable(FileError)
    /// There is not a single byte.
    case empty(name: String)
    /// The first bytes, at most eight, are not a PNG's.
    case notPNG(name: String, start: [UInt8])
    /// A PNG that is broken or cut short; the reason is often libpng's own.
    case corrupt(name: String, reason: String)
    /// The first bytes, at most eight, are of no format that is read.
    case unknownFormat(name: String, start: [UInt8])
    /// A picture that is broken, cut short or of a kind that is not read; the reason is often its library's own.
    case damaged(name: String, format: ImageFile.Format, reason: String)
    /// A vector picture that was read but can't be drawn; the reason is often its library's own.
    case undrawable(name: String, reason: String)
    /// The library that draws SVGs is not there.
    case noSVGLibrary(name: String)
    /// More pixels than ``ImageLimits`` allow; `limit` holds the number and its unit.
    case overLimit(name: String, width: Int, height: Int, limit: String)
    /// More before the image data than ``ImageLimits`` allow; `limit` holds the number and its unit.
    case overChunkLimit(name: String, limit: String)
    /// An interlaced picture of more pixels than can be held whole.
    case interlaced(name: String, width: Int, height: Int, limit: Int)
    /// There is no memory for so many pixels.
    case outOfMemory(name: String, width: Int, height: Int)
    /// libpng would not make a file of the picture.
    case unencodable(width: Int, height: Int, reason: String)
    /// The file can't be written.
    case unwritable(FileError)

    /// Whose fault it is, which is what a command's exit code tells.
    public enum Kind: Hashable, Sendable {
        /// The input is missing or unreadable.
        case unreadable
        /// The input is there, but is not a PNG that can be used.
        case invalid
        /// The output can't be written.
        case unwritable
    }

    public var kind: Kind {
        switch self {
        case .unreadable, .noSVGLibrary: .unreadable
        case .empty, .notPNG, .corrupt, .unknownFormat, .damaged, .undrawable, .overLimit, .overChunkLimit, .interlaced,
            .outOfMemory:
            .invalid
        case .unencodable, .unwritable: .unwritable
        }
    }
}

extension ImageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let error), .unwritable(let error):
            error.description
        case .empty(let name):
            "\(name): empty, not a PNG"
        case .notPNG(let name, let start):
            "\(name): not a PNG (starts with '\(Self.printable(start))'); convert it to PNG first"
        case .corrupt(let name, let reason):
            "\(name): not a whole PNG (\(reason)); make or copy it anew"
        case .unknownFormat(let name, let start):
            "\(name): neither a PNG, a JPEG, a WebP nor an SVG (starts with '\(Self.printable(start))'); convert it to PNG first"
        case .damaged(let name, let format, let reason):
            "\(name): not \(format == .svg ? "an" : "a") \(format.rawValue) that can be used (\(reason)); make or copy it anew"
        case .undrawable(let name, let reason):
            "\(name): this SVG can't be drawn (\(reason)); make it simpler or show it smaller"
        case .noSVGLibrary(let name):
            "\(name): an SVG needs librsvg 2.52 or newer, which is missing here; install it (Debian: apt-get install librsvg2-2), or convert the page to PNG first"
        case .overLimit(let name, let width, let height, let limit):
            "\(name): \(width)×\(height) pixels is over the limit of \(limit); scale it down first"
        case .overChunkLimit(let name, let limit):
            "\(name): over the limit of \(limit) before the image data; save it without metadata"
        case .interlaced(let name, let width, let height, let limit):
            "\(name): \(width)×\(height) pixels, interlaced, can't be read row by row and are more than the \(limit) pixels that are held at once; save it without interlacing"
        case .outOfMemory(let name, let width, let height):
            "\(name): no memory for \(width)×\(height) pixels (\(Int(Double(width) * Double(height) * 4e-6)) MB)"
        case .unencodable(let width, let height, let reason):
            "\(width)×\(height) pixels can't be written as a PNG (\(reason))"
        }
    }

    /// ASCII as it is, other bytes as `\xff`.
    private static func printable(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            if (0x20..<0x7f).contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }.joined()
    }
}

extension ByteSource {
    /// Takes everything that is left; errors become ``ImageError/unreadable(_:)``.
    func restOfPicture() throws(ImageError) -> [UInt8] {
        do {
            return try rest()
        } catch {
            throw .unreadable(error)
        }
    }

    /// Opens the picture at `path`; errors of the file system become ``ImageError/unreadable(_:)``.
    convenience init(picture path: String) throws(ImageError) {
        do {
            try self.init(opening: path)
        } catch {
            throw .unreadable(error)
        }
    }
}
