import LoupeFiles
import LoupeImaging
import LoupeScene

/// The double-precision renderer on the CPU, written from the specification alone: what every
/// other renderer is compared with. It is plain rather than quick, and shares no code with them.
public struct Oracle: Sendable {
    public init() {}

    /// Draws a scene (SPEC 2–6) as straight sRGB.
    ///
    /// - Parameters:
    ///   - scene: Complete and within the ranges that its types name.
    ///   - images: By the path in `Layer.Content.image(path:)`.
    ///   - depth: Of the picture.
    /// - Throws: `OracleError.missingImage` where a layer's image is not among `images`, `outOfMemory` where there
    ///   is none for the picture.
    public func render(
        _ scene: Scene, images: [String: Image] = [:], depth: SampleDepth = .eight
    ) throws(OracleError) -> Image {
        // The rows are gathered in an array that grows to twice its size.
        let (width, height) = (scene.canvas.width, scene.canvas.height)
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: depth == .eight ? 12 : 28) else {
            throw .outOfMemory(width: width, height: height)
        }
        let codec = PixelCodec(blending: scene.blending)
        let columns = 0..<scene.canvas.width
        let rows = 0..<scene.canvas.height
        let base = try ViewPainter(
            scene, lens: .base, columns: columns, rows: rows, codec: codec, images: images)
        let loupes = try scene.loupes.map { (loupe) throws(OracleError) in
            try LoupePainter(loupe, scene: scene, codec: codec, images: images)
        }
        var bytes: [UInt8] = []
        var samples: [UInt16] = []
        for y in rows {
            var row = base.pixels(row: y, span: columns)
            for loupe in loupes { loupe.paintCallout(over: &row, y: y) }
            for loupe in loupes { loupe.paint(over: &row, y: y) }
            switch depth {
            case .eight:
                for color in row.lazy.map(codec.color) { bytes += [color.red, color.green, color.blue, color.alpha] }
            case .sixteen:
                for sample in row.lazy.map(codec.samples) { samples += [sample.x, sample.y, sample.z, sample.w] }
            }
        }
        return depth == .eight
            ? Image(width: columns.count, height: rows.count, pixels: bytes)
            : Image(width: columns.count, height: rows.count, pixels16: samples)
    }
}
