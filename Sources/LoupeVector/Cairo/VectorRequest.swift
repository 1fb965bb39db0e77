import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeSandbox
import LoupeScene

/// The formats that vector drawings are written in.
public enum VectorFormat: UInt8, Hashable, Sendable, CaseIterable {
    /// PDF 1.5.
    case pdf = 1
    /// SVG 1.1.
    case svg
}

/// The contents of an image that a drawing shows.
public enum ImageContents: Sendable {
    /// The bytes of an SVG, which stays a drawing.
    case svg([UInt8])
    /// The bytes of a PDF, of which a page, counted from 1, stays a drawing.
    case pdf([UInt8], page: Int)
    /// The bytes of a JPEG, which are stored as they are, its size in pixels, and its EXIF orientation, 1 to 8.
    case jpeg([UInt8], ImageSize, turn: Int)
    /// Pixels of 8 bits, sRGB.
    case pixels(Image)
}

/// A request to ``VectorService``.
enum VectorRequest {
    /// Its answer is the number of the file's bytes. The file is kept until it is fetched.
    case write(VectorFile)
    /// Its answer is the shared memory.
    case fetch

    /// A file to be written.
    struct VectorFile {
        let format: VectorFormat
        /// In points.
        let width, height: Double
        let title: String
        let size: ImageSize
        /// The images' contents, with what the drawing says of them.
        let images: [(contents: Contents, isSmooth: Bool, magnification: Double)]
        let bitmaps: [SoftBitmap]
        let operations: [DrawingOperation]

        /// The sizes of the images whose pixels are shown as squares.
        var squares: [ImageSize] {
            images.compactMap { image in
                switch image.contents {
                case .jpeg(_, let size, _), .pixels(_, let size): image.isSmooth ? nil : size
                case .svg, .pdf: nil
                }
            }
        }
    }

    /// As ``ImageContents``, with pixels that are not decoded.
    enum Contents {
        case svg([UInt8])
        case pdf([UInt8], page: Int)
        case jpeg([UInt8], ImageSize, turn: Int)
        case pixels([UInt8], ImageSize)
    }
}

// MARK: - Writing

extension VectorRequest {
    /// The bytes of a request that writes a drawing.
    static func bytes(
        writing drawing: VectorDrawing, _ contents: [ImageContents], as format: VectorFormat, width: Double,
        height: Double, title: String
    ) -> [UInt8] {
        var writer = MessageWriter(capacity: byteCount(of: drawing, contents) + 1 << 16)
        writer.write(UInt8(1))
        writer.write(format.rawValue)
        for length in [width, height] { writer.write(length) }
        writer.write(block: Array(title.utf8))
        writer.write(drawing.size)
        writer.write(UInt32(drawing.images.count))
        for (image, contents) in zip(drawing.images, contents) {
            writer.write(UInt8(image.isSmooth ? 1 : 0))
            writer.write(image.magnification)
            switch contents {
            case .svg(let bytes):
                writer.write(UInt8(1))
                writer.write(block: bytes)
            case .pdf(let bytes, let page):
                writer.write(UInt8(4))
                writer.write(UInt32(page))
                writer.write(block: bytes)
            case .jpeg(let bytes, let size, let turn):
                writer.write(UInt8(2))
                writer.write(UInt8(turn))
                writer.write(size)
                writer.write(block: bytes)
            case .pixels(let image):
                writer.write(UInt8(3))
                writer.write(image.size)
                writer.write(block: image.pixels)
            }
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

    /// The bytes of ``fetch``.
    static var fetchBytes: [UInt8] { [2] }
}

extension MessageWriter {
    fileprivate mutating func write(block bytes: [UInt8]) {
        write(UInt64(bytes.count))
        write(rest: bytes)
    }

    fileprivate mutating func write(_ size: ImageSize) {
        write(UInt32(size.width))
        write(UInt32(size.height))
    }

    fileprivate mutating func write(_ rect: Rect) {
        for number in [rect.x, rect.y, rect.width, rect.height] { write(number) }
    }

    fileprivate mutating func write(_ point: Point) {
        write(point.x)
        write(point.y)
    }

    fileprivate mutating func write(_ color: Color) {
        write(rest: [color.red, color.green, color.blue, color.alpha])
    }

    fileprivate mutating func write(_ path: VectorPath) {
        write(UInt32(path.elements.count))
        for element in path.elements {
            switch element {
            case .move(let point):
                write(UInt8(1))
                write(point)
            case .line(let point):
                write(UInt8(2))
                write(point)
            case .curve(let first, let second, let end):
                write(UInt8(3))
                for point in [first, second, end] { write(point) }
            case .close: write(UInt8(4))
            }
        }
    }

    fileprivate mutating func write(_ operation: DrawingOperation) {
        switch operation {
        case .save: write(UInt8(1))
        case .restore: write(UInt8(2))
        case .transform(let scale, let offset):
            write(UInt8(3))
            for number in [scale, offset.dx, offset.dy] { write(number) }
        case .clip(let path):
            write(UInt8(4))
            write(path)
        case .fill(let path, let color):
            write(UInt8(5))
            write(color)
            write(path)
        case .gradient(let path, let from, let to, let colors):
            write(UInt8(6))
            write(from)
            write(to)
            write(UInt32(colors.count))
            for color in colors { write(color) }
            write(path)
        case .stroke(let path, let width, let color):
            write(UInt8(7))
            write(width)
            write(color)
            write(path)
        case .image(let index, let rect):
            write(UInt8(8))
            write(UInt32(index))
            write(rect)
        case .bitmap(let index):
            write(UInt8(9))
            write(UInt32(index))
        case .text(let run):
            write(UInt8(12))
            write(block: Array(run.text.utf8))
            write(block: Array(run.style.family.utf8))
            write(run.style.size)
            write(UInt32(run.style.weight))
            write(run.style.color)
            write(run.style.halo?.width ?? 0)
            write(run.style.halo?.color ?? .transparent)
            write(run.anchor)
            write(Point(x: run.align.dx, y: run.align.dy))
        case .beginGroup: write(UInt8(10))
        case .endGroup(let opacity, let path):
            write(UInt8(11))
            write(opacity)
            write(UInt8(path == nil ? 0 : 1))
            if let path { write(path) }
        }
    }
}

// MARK: - Reading

extension VectorRequest {
    /// Nil for what the functions above never give.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        switch reader.number(UInt8.self) {
        case 1:
            guard let file = reader.file(), reader.takeRest().isEmpty else { return nil }
            self = .write(file)
        case 2 where reader.takeRest().isEmpty: self = .fetch
        default: return nil
        }
    }
}

extension MessageReader {
    fileprivate mutating func file() -> VectorRequest.VectorFile? {
        guard let format = number(UInt8.self).flatMap(VectorFormat.init), let width = double(), let height = double(),
            width > 0, height > 0, width < 1e6, height < 1e6, let title = block(), let size = size(),
            let images = list({ $0.image() }), let bitmaps = list({ $0.bitmap() }),
            let operations = list({ $0.operation() })
        else { return nil }
        let isComplete = operations.allSatisfy { operation in
            switch operation {
            case .image(let index, _): index < images.count
            case .bitmap(let index): index < bitmaps.count
            default: true
            }
        }
        guard isComplete else { return nil }
        return VectorRequest.VectorFile(
            format: format, width: width, height: height, title: String(decoding: title, as: UTF8.self), size: size,
            images: images, bitmaps: bitmaps, operations: operations)
    }

    private mutating func list<Element>(_ read: (inout MessageReader) -> Element?) -> [Element]? {
        guard let count = number(UInt32.self) else { return nil }
        var list: [Element] = []
        for _ in 0..<count {
            guard let element = read(&self) else { return nil }
            list.append(element)
        }
        return list
    }

    private mutating func block() -> [UInt8]? {
        guard let count = number(UInt64.self), count < 1 << 40 else { return nil }
        return bytes(Int(count)).map { Array($0) }
    }

    private mutating func size() -> ImageSize? {
        guard let width = number(UInt32.self), let height = number(UInt32.self), width > 0, height > 0, width < 1 << 24,
            height < 1 << 24
        else { return nil }
        return ImageSize(width: Int(width), height: Int(height))
    }

    private mutating func image() -> (contents: VectorRequest.Contents, isSmooth: Bool, magnification: Double)? {
        guard let isSmooth = number(UInt8.self), let magnification = double(), let kind = number(UInt8.self) else {
            return nil
        }
        let contents: VectorRequest.Contents
        switch kind {
        case 1:
            guard let bytes = block() else { return nil }
            contents = .svg(bytes)
        case 2:
            guard let turn = number(UInt8.self), 1...8 ~= turn, let size = size(), let bytes = block() else {
                return nil
            }
            contents = .jpeg(bytes, size, turn: Int(turn))
        case 3:
            guard let size = size(), let bytes = block(), bytes.count == size.width * size.height * 4 else {
                return nil
            }
            contents = .pixels(bytes, size)
        case 4:
            guard let page = number(UInt32.self), page > 0, let bytes = block() else { return nil }
            contents = .pdf(bytes, page: Int(page))
        default: return nil
        }
        return (contents, isSmooth != 0, magnification)
    }

    private mutating func bitmap() -> SoftBitmap? {
        guard let rect = rect(), let size = size(), let color = color(), let coverage = block(),
            coverage.count == size.width * size.height
        else { return nil }
        return SoftBitmap(rect: rect, size: size, color: color, coverage: coverage)
    }

    private mutating func finite() -> Double? { double().flatMap { $0.isFinite ? $0 : nil } }

    private mutating func point() -> Point? {
        guard let x = finite(), let y = finite() else { return nil }
        return Point(x: x, y: y)
    }

    private mutating func rect() -> Rect? {
        guard let corner = point(), let size = point() else { return nil }
        return Rect(x: corner.x, y: corner.y, width: size.x, height: size.y)
    }

    private mutating func color() -> Color? {
        bytes(4).map { Array($0) }.map { Color(red: $0[0], green: $0[1], blue: $0[2], alpha: $0[3]) }
    }

    private mutating func path() -> VectorPath? {
        list { reader -> VectorPath.Element? in
            switch reader.number(UInt8.self) {
            case 1: return reader.point().map { .move($0) }
            case 2: return reader.point().map { .line($0) }
            case 3:
                guard let first = reader.point(), let second = reader.point(), let end = reader.point() else {
                    return nil
                }
                return .curve(first, second, end)
            case 4: return .close
            default: return nil
            }
        }.map { VectorPath($0) }
    }

    private mutating func textRun() -> TextRun? {
        guard let text = block(), let family = block(), !text.contains(0), !family.contains(0), let size = finite(),
            size > 0, let weight = number(UInt32.self), weight <= 1000, let color = color(), let width = finite(),
            let haloColor = self.color(), let anchor = point(), let align = point()
        else { return nil }
        let style = TextStyle(
            family: String(decoding: family, as: UTF8.self), size: size, weight: Int(weight), color: color,
            halo: width > 0 ? Casing(width: width, color: haloColor) : nil)
        return TextRun(
            text: String(decoding: text, as: UTF8.self), style: style, anchor: anchor,
            align: Vector(dx: align.x, dy: align.y))
    }

    private mutating func operation() -> DrawingOperation? {
        switch number(UInt8.self) {
        case 1: return .save
        case 2: return .restore
        case 3:
            guard let scale = finite(), let offset = point() else { return nil }
            return .transform(scale: scale, offset: Vector(dx: offset.x, dy: offset.y))
        case 4: return path().map { .clip($0) }
        case 5:
            guard let color = color(), let path = path() else { return nil }
            return .fill(path, color)
        case 6:
            guard let from = point(), let to = point(), let colors = list({ $0.color() }), colors.count > 1,
                let path = path()
            else { return nil }
            return .gradient(path, from: from, to: to, colors)
        case 7:
            guard let width = finite(), let color = color(), let path = path() else { return nil }
            return .stroke(path, width: width, color)
        case 8:
            guard let index = number(UInt32.self), let rect = rect() else { return nil }
            return .image(Int(index), rect)
        case 9: return number(UInt32.self).map { .bitmap(Int($0)) }
        case 10: return .beginGroup
        case 12: return textRun().map { .text($0) }
        case 11:
            guard let opacity = finite(), let isClipped = number(UInt8.self) else { return nil }
            guard isClipped != 0 else { return .endGroup(opacity: opacity, within: nil) }
            return path().map { .endGroup(opacity: opacity, within: $0) }
        default: return nil
        }
    }
}
