import LoupeSystem

/// The number of pixels on a metre of paper: the resolution that programs for printing and LaTeX go by.
public struct PixelDensity: Hashable, Sendable {
    /// Pixels per metre in each direction, 1 to 2³¹ − 1.
    public let x, y: UInt32

    static let metresPerInch = 0.0254

    /// Rounded to whole pixels per metre, which is what a PNG can say. Nil for what rounds to less than 1 or is over the
    /// range.
    public init?(x: Double, y: Double) {
        guard let x = Self.whole(x), let y = Self.whole(y) else { return nil }
        (self.x, self.y) = (x, y)
    }

    /// The density of so many pixels per inch, in both directions.
    public init?(perInch: Double) { self.init(x: perInch / Self.metresPerInch, y: perInch / Self.metresPerInch) }

    private static func whole(_ value: Double) -> UInt32? {
        let rounded = value.rounded()
        return 1...Double(Int32.max) ~= rounded ? UInt32(rounded) : nil
    }

    /// The density of a picture in which the same paper has more pixels, or fewer.
    public func scaled(x: Double, y: Double) -> PixelDensity? {
        PixelDensity(x: Double(self.x) * x, y: Double(self.y) * y)
    }
}

extension PixelDensity {
    /// The content of a pHYs chunk (PNG specification, third edition, 11.3.4.3).
    var content: [UInt8] { PNG.bigEndian(x) + PNG.bigEndian(y) + [1] }

    /// Nil where the chunk only says the shape of a pixel.
    init?(content: [UInt8]) {
        guard content.count == 9, content[8] == 1 else { return nil }
        func number(_ bytes: ArraySlice<UInt8>) -> Double { Double(bytes.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }) }
        self.init(x: number(content[..<4]), y: number(content[4..<8]))
    }
}

extension ImageFile {
    /// The density that a PNG's pHYs chunk or the header of a JPEG says; nil where it says none, and for other formats.
    /// - Throws: ``ImageError/overChunkLimit(name:limit:)``, or that the file can't be read.
    public func density() throws(ImageError) -> PixelDensity? {
        if format == .jpeg { return try JPEGHeader(contents(), name: name).density }
        guard format == .png else { return nil }
        let source = try currentContent().source()
        let chunks = try PNG.chunks(["pHYs"], beforeImageIn: source, name: name) { _, isSound in isSound }
        return chunks["pHYs"].flatMap { PixelDensity(content: $0.content) }
    }

    /// How wide the image is on paper, in inches: as its density or the size of an SVG or a PDF says. Nil where nothing
    /// says it.
    /// - Throws: as ``density()``.
    public func paperWidth() throws(ImageError) -> Double? {
        if let document { return document.inches }
        return try density().map { Double(size.width) / Double($0.x) / PixelDensity.metresPerInch }
    }
}
