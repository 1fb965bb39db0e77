import LoupeBase
import LoupeImaging

/// Draws errors in the colours of magma (N. Smith and S. van der Walt, 2015, public domain), as other programs draw those of
/// FLIP: black is no error, bright yellow the largest.
public enum ErrorMapPicture {
    /// An opaque picture of a comparison's errors, of the size of the reference; nil for metrics that compare
    /// pixel by pixel.
    public static func draw(_ difference: Difference) -> Image? {
        difference.errorMap.map {
            draw($0.errors, brightest: $0.metric.brightest, ImageSize(width: $0.width, height: $0.height))
        }
    }

    /// An opaque picture of errors, row by row.
    /// - Parameter brightest: the error that has the brightest colour, above 0.
    static func draw(_ errors: [Float], brightest: Double, _ size: ImageSize) -> Image {
        var pixels = [UInt8](repeating: 255, count: 4 * errors.count)
        for (index, error) in errors.enumerated() {
            let step = Int((255 * min(Double(error) / brightest, 1)).rounded())
            for channel in 0..<3 { pixels[4 * index + channel] = magma[3 * step + channel] }
        }
        return Image(width: size.width, height: size.height, pixels: pixels)
    }

    /// 256 colours, each as three bytes.
    private static let magma: [UInt8] = {
        let digits = hexadecimal.utf8.filter { $0 != UInt8(ascii: "\n") }.map { $0 < 58 ? $0 - 48 : $0 - 87 }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }()

    private static let hexadecimal = """
        00000401000501010601010802010902020b02020d03030f03031204041405041606051806051a07061c08071e0907200a08220b0924
        0c09260d0a290e0b2b100b2d110c2f120d31130d34140e36150e38160f3b180f3d19103f1a10421c10441d11471e114920114b21114e
        22115024125325125527125829115a2a115c2c115f2d11612f116331116533106734106936106b38106c390f6e3b0f703d0f713f0f72
        400f74420f75440f764510774710784910784a10794c117a4e117b4f127b51127c52137c54137d56147d57157e59157e5a167e5c167f
        5d177f5f187f601880621980641a80651a80671b80681c816a1c816b1d816d1d816e1e81701f81721f81732081752181762181782281
        7922827b23827c23827e24828025828125818326818426818627818827818928818b29818c29818e2a81902a81912b81932b80942c80
        962c80982d80992d809b2e7f9c2e7f9e2f7fa02f7fa1307ea3307ea5317ea6317da8327daa337dab337cad347cae347bb0357bb2357b
        b3367ab5367ab73779b83779ba3878bc3978bd3977bf3a77c03a76c23b75c43c75c53c74c73d73c83e73ca3e72cc3f71cd4071cf4070
        d0416fd2426fd3436ed5446dd6456cd8456cd9466bdb476adc4869de4968df4a68e04c67e24d66e34e65e44f64e55064e75263e85362
        e95462ea5661eb5760ec5860ed5a5fee5b5eef5d5ef05f5ef1605df2625df2645cf3655cf4675cf4695cf56b5cf66c5cf66e5cf7705c
        f7725cf8745cf8765cf9785df9795df97b5dfa7d5efa7f5efa815ffb835ffb8560fb8761fc8961fc8a62fc8c63fc8e64fc9065fd9266
        fd9467fd9668fd9869fd9a6afd9b6bfe9d6cfe9f6dfea16efea36ffea571fea772fea973feaa74feac76feae77feb078feb27afeb47b
        feb67cfeb77efeb97ffebb81febd82febf84fec185fec287fec488fec68afec88cfeca8dfecc8ffecd90fecf92fed194fed395fed597
        fed799fed89afdda9cfddc9efddea0fde0a1fde2a3fde3a5fde5a7fde7a9fde9aafdebacfcecaefceeb0fcf0b2fcf2b4fcf4b6fcf6b8
        fcf7b9fcf9bbfcfbbdfcfdbf
        """
}
