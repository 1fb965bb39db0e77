import LoupeSystem

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
    /// The density that a PNG's pHYs chunk or the header of a JPEG or TIFF says; nil where it says none, and for other formats.
    /// - Throws: ``ImageError/overChunkLimit(name:limit:)``, or that the file can't be read.
    public func density() throws(ImageError) -> PixelDensity? {
        if format == .jpeg { return try JPEGHeader(contents(), name: name).density }
        if case .remote(let header) = header { return header.density }
        guard format == .png else { return nil }
        let source = try currentContent().source()
        let chunks = try PNG.chunks(["pHYs"], beforeImageIn: source, name: name) { _, isSound in isSound }
        let density = chunks["pHYs"].flatMap { PixelDensity(content: $0.content) }
        return orientation.isSideways ? density.flatMap { PixelDensity(x: Double($0.y), y: Double($0.x)) } : density
    }

    /// How large a pixel is in the world, in metres: as OME-XML or ImageJ says in a TIFF; nil where neither does.
    package var pixelSize: Double? { if case .remote(let header) = header { header.pixelSize } else { nil } }

    /// How wide the image is on paper, in inches: as its density or the size of an SVG or a PDF says. Nil where nothing
    /// says it.
    /// - Throws: as ``density()``.
    public func paperWidth() throws(ImageError) -> Double? {
        if let document { return document.inches }
        return try density().map { Double(size.width) / Double($0.x) / PixelDensity.metresPerInch }
    }
}
