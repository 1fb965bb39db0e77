import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

#if hasFeature(Embedded)
    /// The error that drawing a scene throws. Embedded Swift has no existential errors, and its images no vectors and text.
    public typealias DrawingError = OracleError
#else
    /// The error that drawing a scene throws: `OracleError`, or that of a vector image or a text.
    public typealias DrawingError = any Error
#endif

/// The reference renderer: double precision, on the CPU, written from the specification alone.
///
/// All other renderers are compared with it, so it shares no drawing code with them. It prefers simple code to speed.
public struct Oracle: Sendable {
    /// A reference renderer. It has no state.
    public init() {}

    /// Draws a scene as straight sRGB (specification, sections 1 to 6).
    ///
    /// - Parameters:
    ///   - scene: A complete scene whose values are within the ranges that its types name.
    ///   - images: The images of the layers, by the path in `Layer.Content.image(path:)`.
    ///   - depth: Bits of each channel of the picture.
    /// - Throws: `OracleError`: an image is not among `images`, or memory is short; `ImageError` where a vector image
    ///   can't be drawn; `TextError` where text can't.
    public func render(
        _ scene: Scene, images: [ImagePath: Image] = [:], depth: SampleDepth = .eight
    ) throws(DrawingError) -> Image {
        try draw(scene, images, depth, block: scene.canvas.pixels)
    }

    /// Draws a part of the picture, in 8 bits.
    ///
    /// - Parameter block: The pixels of the canvas to draw.
    /// - Throws: as ``render(_:images:depth:)``.
    package func render(_ scene: Scene, images: [ImagePath: Image], block: PixelRect) throws(DrawingError) -> Image {
        try draw(scene, images, .eight, block: block)
    }

    private func draw(
        _ scene: Scene, _ images: [ImagePath: Image], _ depth: SampleDepth, block: PixelRect
    ) throws(DrawingError) -> Image {
        let (columns, rows, height) = (block.minX..<block.maxX, block.minY..<block.maxY, block.height)
        guard Memory.hasRoom(forPixels: columns.count, height, bytesPerPixel: depth == .eight ? 4 : 8) else {
            throw OracleError.outOfMemory(width: columns.count, height: height)
        }
        let codec = PixelCodec(blending: scene.blending)
        let base = try ViewPainter(
            scene, mapping: .base, columns: columns, rows: rows, codec: codec, images: images)
        let loupes = try scene.loupes.map { loupe throws(DrawingError) in
            try LoupePainter(loupe, scene: scene, block: block, codec: codec, images: images)
        }
        let labels = try LabelPainter(scene, codec: codec)
        var bytes: [UInt8] = []
        var samples: [UInt16] = []
        bytes.reserveCapacity(depth == .eight ? columns.count * height * 4 : 0)
        samples.reserveCapacity(depth == .eight ? 0 : columns.count * height * 4)
        for y in rows {
            // Its indices are the columns of the canvas.
            var row = ArraySlice(repeating: Pixel.zero, count: columns.upperBound).dropFirst(columns.lowerBound)
            row.replaceSubrange(columns, with: base.pixels(row: y, span: columns))
            for loupe in loupes { loupe.paintShadowBelowCallouts(over: &row, y: y) }
            for loupe in loupes { loupe.paintCallout(over: &row, y: y) }
            for index in loupes.indices { loupes[index].paint(over: &row, y: y, below: loupes[(index + 1)...]) }
            labels.paint(over: &row, y: y)
            switch depth {
            case .eight:
                for (x, pixel) in zip(columns, row) {
                    let color = codec.color(pixel, dither: scene.isDithered ? ditherOffset(x: x, y: y) : 0)
                    bytes += [color.red, color.green, color.blue, color.alpha]
                }
            case .sixteen:
                for sample in row.lazy.map(codec.samples) { samples += [sample.x, sample.y, sample.z, sample.w] }
            }
        }
        return depth == .eight
            ? Image(width: columns.count, height: height, pixels: bytes)
            : Image(width: columns.count, height: height, pixels16: samples)
    }
}

/// The offset of the ordered dither at a pixel, in steps of 8 bits: from Bayer's matrix of 8×8 (specification, section 6.7).
private func ditherOffset(x: Int, y: Int) -> Double {
    let quarters = [[0, 2], [3, 1]]
    var rank = 0
    for bit in 0..<3 { rank = 4 * rank + quarters[y >> bit & 1][x >> bit & 1] }
    return (Double(rank) + 0.5) / 64 - 0.5
}

/// The reason that the oracle can't draw a scene.
public enum OracleError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A layer shows an image that is not among the images passed to the renderer.
    case missingImage(path: ImagePath)
    /// There is no memory for a picture of this size, in pixels.
    case outOfMemory(width: Int, height: Int)

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .missingImage(let path):
            "the scene shows the image '\(path.description.quotable)', which was not given to the renderer"
        case .outOfMemory(let width, let height):
            "canvas: no memory for \(width)×\(height) pixels; use a smaller canvas, as \(Memory.advice)"
        }
    }
}
