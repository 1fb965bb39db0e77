import LoupeGeometry
import LoupeImaging

/// The pixels that a comparison leaves out: rectangles, and what a mask paints white.
public struct Exclusion: Sendable {
    public var rects: [PixelRect]
    /// A pixel is left out where a premultiplied colour channel is 128 or more: white says leave out, black and
    /// transparent say compare. The mask covers both pictures: its size is that of their union.
    public var mask: Image?

    public init(rects: [PixelRect] = [], mask: Image? = nil) {
        self.rects = rects
        self.mask = mask
    }

    /// For each pixel of a canvas, row by row, whether it is left out; nil where none is.
    func bitmap(width: Int, height: Int) throws(DiffError) -> [Bool]? {
        guard !rects.isEmpty || mask != nil else { return nil }
        var bitmap = try maskBitmap(width: width, height: height) ?? [Bool](repeating: false, count: width * height)
        for rect in rects {
            let block = rect.intersection(PixelRect(width: width, height: height))
            guard !block.isEmpty else { continue }
            for row in block.minY..<block.maxY {
                let start = row * width
                for place in (start + block.minX)..<(start + block.maxX) { bitmap[place] = true }
            }
        }
        return bitmap
    }

    private func maskBitmap(width: Int, height: Int) throws(DiffError) -> [Bool]? {
        guard let mask else { return nil }
        guard mask.width == width, mask.height == height else {
            throw .maskSize(width: mask.width, height: mask.height, neededWidth: width, neededHeight: height)
        }
        return mask.pixels.withUnsafeBytes { bytes in
            bytes.bindMemory(to: UInt32.self).map { word in
                let color = Premultiplied.channels(of: UInt32(littleEndian: word))
                return max(color.x, color.y, color.z) >= 128
            }
        }
    }
}
