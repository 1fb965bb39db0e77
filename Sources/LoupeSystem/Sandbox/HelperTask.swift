import LoupeBase

/// A task that a helper process is asked for: the first byte of a request. Documents have numbers that the asking
/// process chooses.
package enum HelperTask: UInt8 {
    /// Reads an SVG: its number and bytes. The answer is its width and height in CSS pixels, 0 where it has none.
    case openSVG = 1
    /// Reads a page of a PDF: its number, the page's, from 1, and bytes. The answer is as that of an SVG.
    case openPDF
    /// Draws a document into the shared memory: its number and a ``DrawingPlace``.
    case draw
    /// Asks what a page of a PDF consists of.
    case facts
    /// Asks where texts and elements of a document lie: a list of `text:TEXT` and `id:NAME`. The answer is a list of boxes for
    /// each, by their edges as parts of the page, and a block of all texts. An SVG looks otherwise from then on.
    case names
    /// Forgets a document.
    case close
    /// Measures a text, and draws it into the shared memory where that has a size: a ``TextRequest``.
    case text
    /// Writes a PDF or SVG. The answer is the number of its bytes.
    case write
    /// Copies the file that was written last into the shared memory.
    case fetch
    /// Reads an OpenEXR file: its bytes. The answer is its width and height in pixels, 16 bits each; the shared memory, where
    /// that has a size, gets red, green and blue of each pixel as floats.
    case exr
    /// Reads a picture of a TIFF: its number, from 1, of 32 bits, and the file's bytes. The answer is its width, height, depth,
    /// orientation, the number of pictures, and primaries and curve of its colours (ITU-T H.273), each of 32 bits, its density in
    /// pixels per metre, how many metres of the world a pixel shows, and a block with its profile; the shared memory, where that has a size, gets straight red, green, blue and
    /// alpha of each pixel.
    case tiff
    /// Packs a TIFF: width, height, depth and the number of channels, each of 32 bits, the density, blocks with a profile and a
    /// text, and pixels. The answer is the number of its bytes.
    case packTIFF
    /// Reads the first frame of a GIF, or the primary picture of a HEIC or AVIF. Request and answer are those of ``tiff``.
    case gif, heif
}

/// The answer of a helper process that refuses a task.
package struct HelperRefusal: Error, Equatable {
    package enum Reason: UInt8 {
        /// The document is broken; the text is the library's reason.
        case damaged = 1
        /// An SVG refers to something outside itself; the text says to what.
        case external
        /// The document can't be drawn; the text is the library's reason.
        case undrawable
        case invalidRequest
        /// A PDF does not have the page that was asked for.
        case missingPage
        /// A library that only such a picture needs is not installed; the text is a clause.
        case missingLibrary
        case outOfMemory = 255
    }

    package let reason: Reason
    package let text: String

    package init(_ reason: Reason, _ text: String = "") { (self.reason, self.text) = (reason, text) }

    /// The text in one line of at most 200 letters, for a sentence.
    package var line: String {
        let line = text.split { $0.isNewline }.joined(separator: " ")
        return line.count > 200 ? line.prefix(199) + "…" : line
    }
}

/// The place of a document among the pixels of an image, and the block of pixels to draw.
package struct DrawingPlace: Hashable, Sendable {
    /// The rect that the whole document is stretched to, in pixels, y down.
    package let x, y, width, height: Double
    /// The pixels to draw: at least one column and one row.
    package let columns, rows: Range<Int>

    /// - Precondition: neither range is empty.
    package init(x: Double, y: Double, width: Double, height: Double, columns: Range<Int>, rows: Range<Int>) {
        precondition(!columns.isEmpty && !rows.isEmpty)
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        (self.columns, self.rows) = (columns, rows)
    }

    /// All of a document, stretched to a size in pixels.
    package init(wholeOf size: ImageSize) {
        self.init(
            x: 0, y: 0, width: Double(size.width), height: Double(size.height), columns: 0..<size.width,
            rows: 0..<size.height)
    }

    package init(_ reader: inout MessageReader) {
        (x, y, width, height) = (reader.double(), reader.double(), reader.double(), reader.double())
        let (left, right) = (Int(reader.number(Int64.self)), Int(reader.number(Int64.self)))
        let (top, bottom) = (Int(reader.number(Int64.self)), Int(reader.number(Int64.self)))
        (columns, rows) = (left..<max(left, right), top..<max(top, bottom))
    }

    package func write(to writer: inout MessageWriter) {
        writer.write(x, y, width, height)
        for range in [columns, rows] {
            writer.write(Int64(range.lowerBound))
            writer.write(Int64(range.upperBound))
        }
    }
}

/// A text with its look and place, which Pango draws.
///
/// Its **box** is as wide as its longest line, and reaches from the top of the capitals of its first line to the baseline of
/// its last. Text is never read as markup.
package struct TextRequest: Hashable, Sendable {
    /// Red, green, blue and alpha, sRGB.
    package typealias Paint = SIMD4<UInt8>

    /// Lines, parted by newlines, and the family of the font.
    package var text, family: String
    /// In pixels, above 0.
    package var size: Double
    /// 100…1000.
    package var weight: Int
    /// How lines are aligned that are shorter than the longest: 0 left, 1 in the middle, 2 right.
    package var alignment: Int
    package var color: Paint
    /// How far the halo reaches beyond the letters, in pixels; 0 for none.
    package var haloWidth: Double
    package var haloColor: Paint
    /// Where the point `align` of the box lies, in pixels.
    package var x, y: Double
    /// A point of the box: (0, 0) is its upper left corner, (1, 1) its lower right one.
    package var alignX, alignY: Double
    /// The block that is drawn, in pixels; 0 to measure only.
    package var columns = 0, rows = 0

    /// A text, its look and its place. Shorter lines are aligned as the point `align` of the box lies.
    package init(
        text: String, family: String, size: Double, weight: Int, color: Paint, halo: (width: Double, color: Paint)?,
        anchor: Point, align: Vector
    ) {
        (self.text, self.family, self.size, self.weight) = (text, family, size, weight)
        (self.color, haloWidth, haloColor) = (color, halo?.width ?? 0, halo?.color ?? .zero)
        (x, y, alignX, alignY) = (anchor.x, anchor.y, align.dx, align.dy)
        alignment = align.dx < 1.0 / 3 ? 0 : align.dx > 2.0 / 3 ? 2 : 1
    }

    package init(_ reader: inout MessageReader) {
        (text, family, size) = (reader.text(), reader.text(), reader.double())
        (weight, alignment) = (Int(reader.number(UInt32.self)), Int(reader.number(UInt32.self)))
        color = reader.color()
        (haloWidth, haloColor) = (reader.double(), reader.color())
        (x, y, alignX, alignY) = (reader.double(), reader.double(), reader.double(), reader.double())
        (columns, rows) = (Int(reader.number(UInt32.self)), Int(reader.number(UInt32.self)))
    }

    package func write(to writer: inout MessageWriter) {
        writer.write(block: text.utf8)
        writer.write(block: family.utf8)
        writer.write(size)
        writer.write(UInt32(weight))
        writer.write(UInt32(alignment))
        writer.write(color)
        writer.write(haloWidth)
        writer.write(haloColor)
        writer.write(x, y, alignX, alignY)
        writer.write(UInt32(columns))
        writer.write(UInt32(rows))
    }
}

/// The parts of a request to write a PDF or SVG, whose order `VectorWriter` and `FilePainter` share.
package enum VectorCode {
    package enum Image: UInt8 {
        case svg = 1
        case pdf, jpeg, pixels
    }

    package enum Operation: UInt8 {
        case save = 1
        case restore, transform, clip, fill, gradient, stroke, image, bitmap, text, beginGroup, endGroup
    }

    package enum PathElement: UInt8 {
        case move = 1
        case line, curve, close
    }
}
