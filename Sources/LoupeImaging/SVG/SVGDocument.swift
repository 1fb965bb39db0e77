import LoupeFiles
import Synchronization

/// An SVG that has been read, ready to be drawn at any size by librsvg.
///
/// It reads no network, and of files only pictures in its own folder and below, which is librsvg's rule: a path that
/// leads out of it, by a link too, shows nothing. Without a path it reads no file at all.
public final class SVGDocument: Sendable {
    /// Whole pixels, at least 1: the document's own size at 96 dpi, half a pixel and more rounded up, or else that of its
    /// `viewBox`.
    public let width: Int
    public let height: Int

    private let name: String
    /// What is stretched to `width`×`height`, in CSS pixels.
    private let viewport: (width: Double, height: Double)
    /// One thread at a time may use it.
    private let handle: Mutex<SVGHandle>

    /// - Parameters:
    ///   - name: as messages call it.
    ///   - path: of the file; nil where there is none.
    public init(_ bytes: [UInt8], name: String, path: String?) throws(ImageError) {
        guard let library = RSVGLibrary.shared else { throw .noSVGLibrary(name: name) }
        let handle: SVGHandle
        do {
            handle = try SVGHandle(bytes, path: path, library)
        } catch {
            throw .damaged(name: name, format: .svg, reason: error.reason)
        }
        guard let size = handle.size, size.width > 0, size.height > 0 else {
            throw .damaged(
                name: name, format: .svg, reason: "it has no size; give it a width and a height in pixels, or a viewBox"
            )
        }
        (self.name, viewport) = (name, size)
        self.handle = Mutex(handle)
        (width, height) = (Self.pixels(size.width), Self.pixels(size.height))
    }

    /// The most pixels a side of a surface of cairo's.
    static let naturalSideLimit = 32767

    /// Below 2³¹, where every limit has refused it.
    private static func pixels(_ length: Double) -> Int {
        max(1, Int(min((length + 0.5).rounded(.down), 2_147_483_647)))
    }

    /// The most pixels a side that the whole document may take: cairo holds places in 24 bits and 8 after the point.
    public static let sideLimit = 1 << 22

    /// Draws a block of pixels of the document stretched to a rect.
    public func draw(_ place: SVGPlacement) throws(ImageError) -> Image {
        let far = max(place.width, place.height, abs(place.x), abs(place.y))
        guard far <= Double(Self.sideLimit) else {
            throw .undrawable(
                name: name,
                reason:
                    "a view shows it \(place.width)×\(place.height) pixels large; \(Self.sideLimit) a side are the most"
            )
        }
        let (width, height) = (place.columns.count, place.rows.count)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 8) else {
            throw .outOfMemory(name: name, width: width, height: height)
        }
        var failure: SVGHandle.Failure?
        let words = [UInt32](unsafeUninitializedCapacity: width * height) { buffer, count in
            buffer.initialize(repeating: 0)
            count = width * height
            do throws(SVGHandle.Failure) {
                try handle.withLock { (handle) throws(SVGHandle.Failure) in
                    try handle.draw(place, viewport: viewport, into: UnsafeMutableRawBufferPointer(buffer))
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw .undrawable(name: name, reason: failure.reason) }
        return Image(width: width, height: height, pixels: Self.straight(words))
    }

    /// - Parameter words: premultiplied, alpha in the highest byte and blue in the lowest.
    private static func straight(_ words: [UInt32]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: words.count * 4) { bytes, count in
            for (index, word) in words.enumerated() {
                let alpha = word >> 24
                let half = alpha / 2
                func channel(_ shift: UInt32) -> UInt8 {
                    alpha == 0 ? 0 : UInt8(min(255, ((word >> shift & 255) * 255 + half) / alpha))
                }
                bytes[index * 4] = channel(16)
                bytes[index * 4 + 1] = channel(8)
                bytes[index * 4 + 2] = channel(0)
                bytes[index * 4 + 3] = UInt8(alpha)
            }
            count = words.count * 4
        }
    }
}

/// The same document object; two that were read from the same bytes differ.
extension SVGDocument: Equatable {
    public static func == (first: SVGDocument, second: SVGDocument) -> Bool { first === second }
}

/// Where a document lies among the pixels of a picture, and which of them are wanted.
public struct SVGPlacement: Hashable, Sendable {
    /// The rect that the whole document is stretched to, in pixels.
    public let x, y, width, height: Double
    /// The pixels that are drawn; at least one of each.
    public let columns, rows: Range<Int>

    public init(x: Double, y: Double, width: Double, height: Double, columns: Range<Int>, rows: Range<Int>) {
        precondition(!columns.isEmpty && !rows.isEmpty)
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        (self.columns, self.rows) = (columns, rows)
    }
}

/// Tells an SVG by its first bytes.
enum SVGSignature {
    /// How many bytes are looked at: comments may stand before the root element.
    static let reach = 4096

    /// Whether text begins with an `svg` element, perhaps behind a byte order mark, blanks, an XML declaration, comments
    /// and a document type. UTF-8 and what agrees with it on ASCII.
    static func matches(_ start: some Collection<UInt8>) -> Bool {
        var text = Array(start.prefix(reach))[...]
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        while true {
            text = text.drop { " \t\r\n".utf8.contains($0) }
            if text.starts(with: "<?".utf8) {
                text = text.after("?>")
            } else if text.starts(with: "<!--".utf8) {
                text = text.after("-->")
            } else if text.starts(with: "<!DOCTYPE".utf8) {
                return text.dropFirst(9).drop { " \t\r\n".utf8.contains($0) }.starts(with: "svg".utf8)
            } else {
                return isRoot(text)
            }
        }
    }

    /// `<svg` or `<prefix:svg`, and then what ends a name.
    private static func isRoot(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "<") else { return false }
        let name = text.dropFirst().prefix { !" \t\r\n/>".utf8.contains($0) }
        return (name.split(separator: UInt8(ascii: ":")).last ?? []).elementsEqual("svg".utf8)
    }
}

extension ArraySlice<UInt8> {
    /// What follows the first place of some words; nothing where they are not there.
    fileprivate func after(_ words: String) -> ArraySlice<UInt8> {
        let words = Array(words.utf8)
        guard let place = indices.first(where: { self[$0...].starts(with: words) }) else { return [] }
        return self[(place + words.count)...]
    }
}
