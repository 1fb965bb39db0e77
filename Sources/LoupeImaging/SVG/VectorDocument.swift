import LoupeBase
import LoupeSystem
import Synchronization

/// A parsed SVG or a page of a PDF, drawn at any size by librsvg or poppler in a helper process.
///
/// It consists of its own bytes only: a document that shows anything outside itself by `href`, `xml-stylesheet` or XInclude is
/// refused. Images may be embedded (`data:`).
public final class VectorDocument: Sendable {
    /// The document's width at 96 dpi in whole pixels, at least 1, or else that of its `viewBox`. Half a pixel is rounded up.
    public let width: Int
    /// The height, by the same rule.
    public let height: Int
    /// The width before it is rounded to pixels of 1/96 inch, in inches.
    let inches: Double
    /// How many pages the file has that it is a page of; 1 for an SVG.
    package let pageCount: Int

    /// Whether a browser has printed it from an SVG.
    let isPrinted: Bool

    private let name: String
    private let kind: SVGDrawing.Kind
    private let drawing: RemoteDocument
    /// The same with strokes of other widths, by the factor; a few, as each frame of a zoom may ask for another.
    private let variants = Mutex<[Double: VectorDocument]>([:])

    /// Parses an SVG.
    /// - Parameters:
    ///   - bytes: the whole file.
    ///   - name: what messages call it.
    /// - Throws: ``ImageError/damaged(name:format:reason:)``,
    ///   ``ImageError/externalReference(name:reference:)``, ``ImageError/noHelper(name:reason:)``,
    ///   ``ImageError/undrawable(name:reason:)`` or ``ImageError/helperFailed(name:reason:)``.
    public convenience init(_ bytes: [UInt8], name: String) throws(ImageError) {
        try self.init(bytes, as: .svg, name: name)
    }

    /// Reads a document of either kind.
    /// - Parameter printed: the SVG that a browser has printed to it, whose size it has.
    package init(
        _ bytes: [UInt8], as kind: SVGDrawing.Kind, printed: VectorDocument? = nil, name: String
    ) throws(ImageError) {
        let size: (width: Double, height: Double)
        do {
            (drawing, size, pageCount) = try SVGDrawing.open(bytes, as: kind)
        } catch {
            throw error.error("reading", kind, name: name)
        }
        guard size.width > 0, size.height > 0 else {
            throw .damaged(
                name: name, format: kind.format,
                reason: "it has no size; give it a width and a height in pixels, or a viewBox"
            )
        }
        (self.name, self.kind) = (name, kind)
        width = printed?.width ?? Self.pixels(size.width)
        height = printed?.height ?? Self.pixels(size.height)
        (inches, isPrinted) = (printed?.inches ?? size.width / 96, printed != nil)
    }

    /// The longest side of one of cairo's surfaces, in pixels.
    static let naturalSideLimit = 32767

    /// Rounded, and at most 2³¹ − 1, which is over every limit.
    private static func pixels(_ length: Double) -> Int {
        max(1, Int(min((length + 0.5).rounded(.down), 2_147_483_647)))
    }

    /// The longest side of the whole stretched document, in pixels: cairo's coordinates have 24 bits before and 8 after the
    /// point.
    public static let sideLimit = 1 << 22

    /// Draws the whole document, a number of times its own size.
    /// - Throws: As `draw(_:)`.
    public func draw(scaledBy scale: Int) throws(ImageError) -> Image {
        try draw(DrawingPlace(wholeOf: ImageSize(width: width * scale, height: height * scale)))
    }

    /// Draws a block of pixels of the document, stretched to a rect.
    /// - Throws: ``ImageError/undrawable(name:reason:)``, ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)`` or
    ///   ``ImageError/helperFailed(name:reason:)``.
    package func draw(_ place: DrawingPlace) throws(ImageError) -> Image {
        let far = max(place.width, place.height, abs(place.x), abs(place.y))
        guard far <= Double(Self.sideLimit) else {
            throw .undrawable(
                name: name,
                reason:
                    "a view shows it \(place.width)×\(place.height) pixels large; allowed are \(Self.sideLimit) a side"
            )
        }
        let (width, height) = (place.columns.count, place.rows.count)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 8) else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: 8)
        }
        do {
            return Image(width: width, height: height, pixels: try drawing.draw(place, finishing: Self.straight))
        } catch {
            throw error.error("drawing", kind, name: name)
        }
    }

    /// An SVG with the widths and the dashes of all strokes times a factor; a page of a PDF as it is.
    /// - Throws: as ``init(_:name:)``.
    package func scalingStrokes(by factor: Double) throws(ImageError) -> VectorDocument {
        if factor == 1 || kind != .svg { return self }
        if let known = variants.withLock({ $0[factor] }) { return known }
        let variant = try VectorDocument(SVGStrokes.scaled(drawing.bytes, by: factor), name: name)
        variants.withLock { variants in
            if variants.count == 8 { variants = [:] }
            variants[factor] = variant
        }
        return variant
    }

    /// The file that is drawn: of an SVG that a browser has printed, the PDF.
    package var bytes: [UInt8] { drawing.bytes }

    /// What was said of it when it was drawn, such as a part that is left out; nil where that was nothing.
    var complaint: String? { drawing.complaint }

    /// What a page of a PDF consists of.
    func facts() throws(ImageError) -> PDFFacts {
        do {
            return try drawing.facts()
        } catch {
            throw error.error("listing the pictures and fonts of", kind, name: name)
        }
    }

    /// Where texts and elements of it lie, each `text:TEXT` or `id:NAME`.
    /// - Throws: ``ImageError/helperFailed(name:reason:)`` and its like.
    package func names(_ names: [String]) throws(ImageError) -> PageNames {
        do {
            // A copy, as an SVG looks otherwise afterwards.
            return try SVGDrawing.open(drawing.bytes, as: kind).0.names(
                names, on: ImageSize(width: width, height: height))
        } catch {
            throw error.error("finding the texts of", kind, name: name)
        }
    }

    /// Straight RGBA of premultiplied words with alpha in the highest byte and blue in the lowest.
    static func straight(_ words: UnsafeRawBufferPointer) -> [UInt8] {
        let words = words.bindMemory(to: UInt32.self)
        return [UInt8](unsafeUninitializedCapacity: words.count * 4) { bytes, count in
            let straight = UnsafeMutableRawBufferPointer(bytes)
            for (index, word) in words.enumerated() {
                let alpha = word >> 24
                // Nearly all of a page, for which no channel is divided.
                if alpha == 255 {
                    let swapped = word & 0xff00_ff00 | word >> 16 & 0xff | (word & 0xff) << 16
                    straight.storeBytes(of: swapped.littleEndian, toByteOffset: index * 4, as: UInt32.self)
                    continue
                }
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

/// Equal means the same object: two documents parsed from the same bytes differ.
extension VectorDocument: Equatable {
    public static func == (first: VectorDocument, second: VectorDocument) -> Bool { first === second }
}

/// Detects an SVG from its first bytes.
enum SVGSignature {
    /// How many bytes are read: comments may come before the root element.
    static let reach = 4096

    /// Whether a text starts with an `svg` element, after an optional byte order mark, white space, XML declaration, comments
    /// and document type. The encoding must be UTF-8 or have ASCII's codes.
    static func matches(_ start: some Collection<UInt8>) -> Bool { root(of: Array(start.prefix(reach))[...]) != nil }

    /// Where the root element starts; nil where it is no `svg`.
    static func root(of document: ArraySlice<UInt8>) -> Int? {
        var text = document
        if text.starts(with: [0xef, 0xbb, 0xbf]) { text = text.dropFirst(3) }
        while true {
            text = text.drop { " \t\r\n".utf8.contains($0) }
            if text.starts(with: "<?".utf8) {
                text = text.after("?>")
            } else if text.starts(with: "<!--".utf8) {
                text = text.after("-->")
            } else if text.starts(with: "<!DOCTYPE".utf8) {
                guard text.dropFirst(9).drop(while: { " \t\r\n".utf8.contains($0) }).starts(with: "svg".utf8) else {
                    return nil
                }
                // An internal subset may hold further declarations, and be longer than what is at hand.
                if text.prefix(while: { $0 != UInt8(ascii: ">") }).contains(UInt8(ascii: "[")) {
                    text = text.after("]")
                }
                text = text.after(">")
                if text.isEmpty { return document.endIndex }
            } else {
                return isRoot(text) ? text.startIndex : nil
            }
        }
    }

    /// Whether a text starts with `<svg` or `<prefix:svg` and the end of a name.
    private static func isRoot(_ text: ArraySlice<UInt8>) -> Bool {
        guard text.first == UInt8(ascii: "<") else { return false }
        let name = text.dropFirst().prefix { !" \t\r\n/>".utf8.contains($0) }
        return (name.split(separator: UInt8(ascii: ":")).last ?? []).elementsEqual("svg".utf8)
    }
}

extension ArraySlice<UInt8> {
    /// Where some words stand first.
    func start(of words: String) -> Int? {
        let words = Array(words.utf8)
        return indices.first { self[$0] == words[0] && self[$0...].starts(with: words) }
    }

    /// What follows the first occurrence of some words; empty where there is none.
    fileprivate func after(_ words: String) -> ArraySlice<UInt8> {
        start(of: words).map { self[($0 + words.utf8.count)...] } ?? []
    }
}
