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
    /// Forgets a document.
    case close
    /// Measures a text, and draws it into the shared memory where that has a size: a ``TextRequest``.
    case text
    /// Writes a PDF or SVG. The answer is the number of its bytes.
    case write
    /// Copies the file that was written last into the shared memory.
    case fetch
}

/// Why a helper process does not do what it was asked for.
package struct HelperRefusal: Error, Equatable {
    package enum Reason: UInt8 {
        /// The document is broken; the text is the library's reason.
        case damaged = 1
        /// An SVG refers to something outside itself; the text says to what.
        case external
        /// The document can't be drawn; the text is the library's reason.
        case undrawable
        case invalidRequest
        case outOfMemory = 255
    }

    package let reason: Reason
    package let text: String

    package init(_ reason: Reason, _ text: String = "") { (self.reason, self.text) = (reason, text) }
}

/// The place of a document among the pixels that are drawn.
package struct DrawingPlace: Equatable {
    /// The rect that the whole document is stretched to, in pixels, y down.
    package var x, y, width, height: Double
    /// The pixels to draw: the first column and row, and how many of each.
    package var left, top, columns, rows: Int

    package init(x: Double, y: Double, width: Double, height: Double, left: Int, top: Int, columns: Int, rows: Int) {
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        (self.left, self.top, self.columns, self.rows) = (left, top, columns, rows)
    }

    package init(_ reader: inout MessageReader) {
        (x, y, width, height) = (reader.double(), reader.double(), reader.double(), reader.double())
        (left, top) = (Int(reader.number(Int64.self)), Int(reader.number(Int64.self)))
        (columns, rows) = (Int(reader.number(Int64.self)), Int(reader.number(Int64.self)))
    }

    package func write(to writer: inout MessageWriter) {
        writer.write(x, y, width, height)
        for number in [left, top, columns, rows] { writer.write(Int64(number)) }
    }
}

/// A text with its look and place.
package struct TextRequest: Hashable {
    package var text, family: String
    /// In pixels.
    package var size: Double
    package var weight: Int
    /// How lines are aligned that are shorter than the longest: 0 left, 1 in the middle, 2 right.
    package var alignment: Int
    /// Red, green, blue and alpha, from the highest byte.
    package var color: UInt32
    /// How far the halo reaches beyond the letters, in pixels; 0 for none.
    package var haloWidth: Double
    package var haloColor: UInt32
    /// Where the point `align` of the box lies, in pixels.
    package var x, y: Double
    /// A point of the box: (0, 0) is its upper left corner, (1, 1) its lower right one.
    package var alignX, alignY: Double
    /// The block that is drawn, in pixels; 0 to measure only.
    package var columns = 0, rows = 0

    package init(
        text: String, family: String, size: Double, weight: Int, alignment: Int, color: UInt32, haloWidth: Double,
        haloColor: UInt32, x: Double, y: Double, alignX: Double, alignY: Double
    ) {
        (self.text, self.family, self.size, self.weight) = (text, family, size, weight)
        (self.alignment, self.color, self.haloWidth, self.haloColor) = (alignment, color, haloWidth, haloColor)
        (self.x, self.y, self.alignX, self.alignY) = (x, y, alignX, alignY)
    }

    package init(_ reader: inout MessageReader) {
        (text, family, size) = (reader.text(), reader.text(), reader.double())
        (weight, alignment) = (Int(reader.number(UInt32.self)), Int(reader.number(UInt32.self)))
        color = reader.number()
        (haloWidth, haloColor) = (reader.double(), reader.number())
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
