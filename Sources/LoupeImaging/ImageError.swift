import LoupeBase
import LoupeSystem

/// An error of reading an image or writing a PNG. Its description is one sentence with the file and the numbers.
public enum ImageError: Error, Equatable, Sendable {
    /// The file is missing or can't be read.
    case unreadable(FileError)
    /// The file has no bytes.
    case empty(name: String)
    /// The file is not a PNG; `start` are its first bytes, at most `ForeignFile.reach`.
    case notPNG(name: String, start: [UInt8])
    /// A PNG that is broken or cut short; `reason` is often libpng's message.
    case corrupt(name: String, reason: String)
    /// The file has no supported format; `start` are its first bytes, at most `ForeignFile.reach`.
    case unknownFormat(name: String, start: [UInt8])
    /// An image that is broken, cut short or of an unsupported kind; `reason` is often its library's message.
    case damaged(name: String, format: ImageFile.Format, reason: String)
    /// A PNG of several frames, which can't be compared as a picture.
    case animated(name: String)
    /// A PDF of several pages, where one is compared.
    case severalPages(name: String)
    /// A vector image that was read but can't be drawn; `reason` is often librsvg's message.
    case undrawable(name: String, reason: String)
    /// An SVG that refers to something outside itself; `reference` is the address and where it stands.
    case externalReference(name: String, reference: String)
    /// The program that should draw a vector image, or one of its libraries, is not installed; `reason` is a clause.
    case noHelper(name: String, reason: String)
    /// The process that should draw a vector image did not: it took too long or too much memory, or ended. Or an image of linear
    /// light can't be used. `reason` is a clause that says which.
    case helperFailed(name: String, reason: String)
    /// More pixels than ``ImageLimits`` allow; `limit` is the number with its unit.
    case overLimit(name: String, width: Int, height: Int, limit: String)
    /// More chunks, or larger ones, before the image data than ``ImageLimits`` allow; `limit` is the number with its unit.
    case overChunkLimit(name: String, limit: String)
    /// An interlaced PNG of more pixels than are held whole.
    case interlaced(name: String, width: Int, height: Int, limit: Int)
    /// There is no memory for this many pixels.
    case outOfMemory(name: String, width: Int, height: Int, bytesPerPixel: Int = 4)
    /// The image can't be encoded.
    case unencodable(width: Int, height: Int, reason: String)
    /// The file can't be written.
    case unwritable(FileError)

    /// The kind of an error, for the exit code of a command.
    public enum Kind: Hashable, Sendable {
        /// The input is missing or unreadable.
        case unreadable
        /// A program or library that draws it is missing.
        case unavailable
        /// The input is there, but can't be used.
        case invalid
        /// The output can't be written.
        case unwritable
    }

    /// What kind of error this is.
    public var kind: Kind {
        switch self {
        case .unreadable: .unreadable
        case .noHelper: .unavailable
        case .empty, .notPNG, .corrupt, .unknownFormat, .damaged, .animated, .severalPages, .undrawable,
            .externalReference,
            .helperFailed, .overLimit, .overChunkLimit, .interlaced, .outOfMemory:
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
            "\(name.quotable): the file is empty; name an image"
        case .notPNG(let name, let start):
            Self.sentence(name, start, else: "not a PNG")
        case .corrupt(let name, let reason):
            "\(name.quotable): the PNG is damaged (\(reason)); save or copy it again"
        case .unknownFormat(let name, let start):
            Self.sentence(
                name, start,
                else: "neither a \(Self.formats.dropLast().joined(separator: ", ")) nor \(Self.formats.last ?? "")")
        case .damaged(let name, let format, let reason):
            "\(name.quotable): the \(format.rawValue) can't be used (\(reason)); save or copy it again"
        case .animated(let name):
            "\(name.quotable): an animation, of which only the first frame would be compared; compare its frames"
        case .severalPages(let name):
            "\(name.quotable): it has several pages, of which one would be compared; name one of each, such as \(name.quotable)#1"
        case .undrawable(let name, let reason):
            "\(name.quotable): it can't be drawn (\(reason)); show it smaller, or save it again by another program"
        case .externalReference(let name, let reference):
            "\(name.quotable): this SVG refers to something outside itself (\(reference.quotable)), which is never read; embed it, or remove the reference"
        case .noHelper(let name, let reason), .helperFailed(let name, let reason):
            "\(name.quotable): it can't be drawn: \(reason)"
        case .overLimit(let name, let width, let height, let limit):
            "\(name.quotable): \(width)×\(height) pixels are over the limit of \(limit); scale it down first"
        case .overChunkLimit(let name, let limit):
            "\(name.quotable): over the limit of \(limit) before the image data; save it without metadata"
        case .interlaced(let name, let width, let height, let limit):
            "\(name.quotable): \(width)×\(height) interlaced pixels are over the limit of \(limit); save it without interlacing, so that it is read row by row"
        case .outOfMemory(let name, let width, let height, let bytes):
            "\(name.quotable): no memory for \(width)×\(height) pixels (\(Int(Double(width) * Double(height) * Double(bytes) / 1e6)) MB); \(Memory.advice)"
        case .unencodable(let width, let height, let reason):
            "\(width)×\(height) pixels can't be written as a PNG (\(reason))"
        }
    }

    /// The names of all formats that are read.
    package static let formats = ImageFile.Format.allCases.map(\.rawValue)

    private static func sentence(_ name: String, _ start: [UInt8], else problem: String) -> String {
        if let kind = ForeignFile(start) { return "\(name.quotable): \(kind.rawValue)" }
        return
            "\(name.quotable): \(problem) (starts with '\(printable(Array(start.prefix(8))))'); convert it to PNG first"
    }

    /// ASCII characters as they are, other bytes as `\xff`.
    private static func printable(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            if (0x20..<0x7f).contains(byte) { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }.joined()
    }
}

/// A kind of file that often lies where a picture should be. Its value says what it is and what to do.
package enum ForeignFile: String, CaseIterable {
    case gitLFS = "a Git LFS pointer, not the picture itself; run git lfs pull"
    case html = "an HTML page, such as a server answers in place of a file; download the picture again"
    case bmp = "a BMP, which is not read; convert it to PNG first"

    /// How many of a file's first bytes are looked at.
    package static let reach = 64

    /// - Parameter start: the first bytes of a file.
    package init?(_ start: [UInt8]) {
        let text = start.drop { " \t\r\n".utf8.contains($0) }.map { (0x41...0x5a).contains($0) ? $0 | 0x20 : $0 }
        func isOne(of starts: String..., in bytes: [UInt8]) -> Bool {
            starts.contains { !bytes.isEmpty && bytes.starts(with: $0.utf8) }
        }
        if isOne(of: "version https://git-lfs", in: text) {
            self = .gitLFS
        } else if isOne(of: "<!doctype html", "<html", in: text) {
            self = .html
        } else if isOne(of: "BM", in: start), start.dropFirst(6).prefix(4).allSatisfy({ $0 == 0 }), start.count >= 10 {
            self = .bmp
        } else {
            return nil
        }
    }
}

extension ByteSource {
    /// Takes everything that is left; errors become ``ImageError/unreadable(_:)``.
    func restOfImage() throws(ImageError) -> [UInt8] { try reading { () throws(FileError) in try rest() } }

    /// Opens the image at `path`; errors of the file system become ``ImageError/unreadable(_:)``.
    convenience init(image path: Path, in confinement: PathConfinement = .none) throws(ImageError) {
        self.init(try reading { () throws(FileError) in try OpenFile(path, in: confinement) })
    }
}

/// Runs `body`; errors of the file system become ``ImageError/unreadable(_:)``.
func reading<Value>(_ body: () throws(FileError) -> Value) throws(ImageError) -> Value {
    do {
        return try body()
    } catch {
        throw .unreadable(error)
    }
}
