import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeSystem

/// Pictures of 16 bits a channel, which the device draws as floats: band by band of rows, so that few pixels are held as
/// floats at a time.
extension PlannedFrame {
    /// The most pixels of a band.
    private static let bandPixels = 1 << 20

    /// Draws the plan and reads it back: straight RGBA, colour under no alpha is black.
    mutating func drawn16Bit() throws(GLError) -> Image {
        let canvas = plan.canvas
        var floats = [Float](repeating: 0, count: bands[0].pixelCount * 4)
        var pixels = [UInt16](repeating: 0, count: canvas.pixelCount * 4)
        for band in bands {
            let drawn = try draw(band)
            try floats.withUnsafeMutableBufferPointer { buffer in
                Result { () throws(GLError) in try drawn.read(into: buffer) }
            }.get()
            pixels.withUnsafeMutableBufferPointer { pixels in
                floats.withUnsafeBufferPointer { floats in
                    let start = band.minY * canvas.width * 4
                    nonisolated(unsafe) let to = UnsafeMutableBufferPointer(
                        rebasing: pixels[start..<start + band.pixelCount * 4])
                    nonisolated(unsafe) let from = floats
                    let rowCount = canvas.width * 4
                    Threads.forEach(band.height) { row in
                        Self.round(from[row * rowCount..<(row + 1) * rowCount], into: to, at: row * rowCount)
                    }
                }
            }
        }
        return Image(width: canvas.width, height: canvas.height, pixels16: pixels)
    }

    /// Rounds floats 0…1 to 16 bits.
    private static func round(
        _ floats: Slice<UnsafeBufferPointer<Float>>, into pixels: UnsafeMutableBufferPointer<UInt16>, at start: Int
    ) {
        let floats = UnsafeBufferPointer(rebasing: floats)
        for index in stride(from: 0, to: floats.count, by: 4) {
            let pixel = SIMD4(floats[index], floats[index + 1], floats[index + 2], floats[index + 3])
            let scaled = (pixel.clamped(lowerBound: .zero, upperBound: .one) * 65535).rounded(.toNearestOrAwayFromZero)
            let samples = SIMD4<UInt16>(truncatingIfNeeded: SIMD4<Int32>(scaled))
            let kept = samples.w == 0 ? .zero : samples
            for channel in 0..<4 { pixels[start + index + channel] = kept[channel] }
        }
    }

    /// The canvas in bands of rows, from the top. Blocks of pixels that devices shade together stay whole.
    var bands: [PixelRect] {
        let canvas = plan.canvas
        let height = max(16, Self.bandPixels / canvas.width / 16 * 16)
        return stride(from: 0, to: canvas.height, by: height).map { top in
            PixelRect(minX: 0, minY: top, maxX: canvas.width, maxY: min(top + height, canvas.height))
        }
    }
}
