import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// The formats that vector drawings are written in.
public enum VectorFormat: UInt8, Hashable, Sendable, CaseIterable {
    /// PDF 1.5, or 1.4 where cairo is 1.18.
    case pdf = 1
    /// SVG 1.1.
    case svg
}

/// The contents of an image that a drawing shows.
package enum ImageContents: Sendable {
    /// The bytes of an SVG, which stays a drawing.
    case svg([UInt8])
    /// The bytes of a PDF, of which a page, counted from 1, stays a drawing.
    case pdf([UInt8], page: Int)
    /// The bytes of a JPEG, which are stored as they are, its size in pixels, and its EXIF orientation, 1 to 8.
    case jpeg([UInt8], ImageSize, turn: Int)
    /// Pixels of 8 bits, sRGB.
    case pixels(Image)
}

/// A request to a helper process to write a drawing as a PDF or SVG. `FilePainter` reads it.
enum VectorRequest {
    static func bytes(
        writing drawing: VectorDrawing, _ contents: [ImageContents], as format: VectorFormat, width: Double,
        height: Double, title: String
    ) -> [UInt8] {
        var writer = MessageWriter(capacity: byteCount(of: drawing, contents) + 1 << 16)
        writer.write(HelperTask.write.rawValue)
        writer.write(format.rawValue)
        writer.write(width, height)
        writer.write(block: title.utf8)
        writer.write(drawing.size)
        writer.write(UInt32(drawing.images.count))
        for (image, contents) in zip(drawing.images, contents) {
            writer.write(UInt8(image.isSmooth ? 1 : 0))
            writer.write(image.magnification)
            writer.write(contents)
        }
        writer.write(UInt32(drawing.bitmaps.count))
        for bitmap in drawing.bitmaps {
            writer.write(bitmap.rect)
            writer.write(bitmap.size)
            writer.write(bitmap.color)
            writer.write(block: bitmap.coverage)
        }
        writer.write(UInt32(drawing.operations.count))
        for operation in drawing.operations { writer.write(operation) }
        return writer.bytes
    }

    /// How many bytes the images and shadows of a drawing have.
    static func byteCount(of drawing: VectorDrawing, _ contents: [ImageContents]) -> Int {
        let images = contents.map { contents in
            switch contents {
            case .svg(let bytes), .pdf(let bytes, _), .jpeg(let bytes, _, _): bytes.count
            case .pixels(let image): image.pixels.count
            }
        }
        return images.reduce(0, +) + drawing.bitmaps.reduce(0) { $0 + $1.coverage.count }
    }
}

extension MessageWriter {
    fileprivate mutating func write(_ size: ImageSize) {
        write(UInt32(size.width))
        write(UInt32(size.height))
    }

    fileprivate mutating func write(_ rect: Rect) { write(rect.x, rect.y, rect.width, rect.height) }

    fileprivate mutating func write(_ color: Color) {
        write(rest: [color.red, color.green, color.blue, color.alpha])
    }

    fileprivate mutating func write(_ contents: ImageContents) {
        switch contents {
        case .svg(let bytes):
            write(VectorCode.Image.svg.rawValue)
            write(block: bytes)
        case .pdf(let bytes, let page):
            write(VectorCode.Image.pdf.rawValue)
            write(UInt32(page))
            write(block: bytes)
        case .jpeg(let bytes, let size, let turn):
            write(VectorCode.Image.jpeg.rawValue)
            write(UInt8(turn))
            write(size)
            write(block: bytes)
        case .pixels(let image):
            write(VectorCode.Image.pixels.rawValue)
            write(image.size)
            write(block: image.pixels)
        }
    }

    private mutating func write(_ path: VectorPath) {
        write(UInt32(path.elements.count))
        for element in path.elements {
            switch element {
            case .move(let point): write(element: .move, point)
            case .line(let point): write(element: .line, point)
            case .curve(let first, let second, let end): write(element: .curve, first, second, end)
            case .close: write(element: .close)
            }
        }
    }

    private mutating func write(element: VectorCode.PathElement, _ points: Point...) {
        write(element.rawValue)
        for point in points { write(point.x, point.y) }
    }

    private mutating func write(code: VectorCode.Operation, _ numbers: Double...) {
        write(code.rawValue)
        for number in numbers { write(number) }
    }

    fileprivate mutating func write(_ operation: DrawingOperation) {
        switch operation {
        case .save: write(code: .save)
        case .restore: write(code: .restore)
        case .transform(let scale, let offset): write(code: .transform, scale, offset.dx, offset.dy)
        case .clip(let path):
            write(code: .clip)
            write(path)
        case .fill(let path, let color):
            write(code: .fill)
            write(color)
            write(path)
        case .gradient(let path, let from, let to, let colors):
            write(code: .gradient, from.x, from.y, to.x, to.y)
            write(UInt32(colors.count))
            for color in colors { write(color) }
            write(path)
        case .stroke(let path, let width, let color):
            write(code: .stroke, width)
            write(color)
            write(path)
        case .image(let index, let rect):
            write(code: .image)
            write(UInt32(index))
            write(rect)
        case .bitmap(let index):
            write(code: .bitmap)
            write(UInt32(index))
        case .text(let run):
            write(code: .text)
            TextRequest(run).write(to: &self)
        case .beginGroup: write(code: .beginGroup)
        case .endGroup(let opacity, let path):
            write(code: .endGroup, opacity)
            write(UInt8(path == nil ? 0 : 1))
            if let path { write(path) }
        }
    }
}
