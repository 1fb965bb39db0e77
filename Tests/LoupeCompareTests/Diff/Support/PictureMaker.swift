import LoupeImaging
import TestSupport

/// Pictures for comparisons, the same on every run.
struct PictureMaker {
    private var random: SplitMix64

    init(seed: UInt64) {
        random = SplitMix64(seed: seed)
    }

    /// A plain colour.
    static func plain(_ width: Int, _ height: Int, _ pixel: [UInt8] = [200, 180, 90, 255]) -> Image {
        Image(width: width, height: height, pixels: (0..<(width * height)).flatMap { _ in pixel })
    }

    /// Blocks of few colours with soft steps between some, so that pixels have equal, darker and brighter neighbours.
    mutating func blocks(_ width: Int, _ height: Int, alphas: [UInt8]) -> Image {
        var image = Self.plain(width, height, [255, 255, 255, alphas[0]])
        for _ in 0..<(3 + width * height / 40) {
            let (left, top) = (Int.random(in: 0..<width, using: &random), Int.random(in: 0..<height, using: &random))
            let (wide, high) = (Int.random(in: 1...8, using: &random), Int.random(in: 1...8, using: &random))
            let gray = UInt8.random(in: 0...4, using: &random) * 60
            let tint = UInt8.random(in: 0...1, using: &random) * 15
            let alpha = alphas.randomElement(using: &random) ?? 255
            for y in top..<min(top + high, height) {
                for x in left..<min(left + wide, width) { image[x, y] = [gray, gray, gray + tint, alpha] }
            }
        }
        return image
    }

    /// The picture with a fraction of its pixels changed, by little or by much.
    mutating func changed(_ image: Image, share: Double, by limit: Int) -> Image {
        var changed = image
        for y in 0..<image.height {
            for x in 0..<image.width where Double.random(in: 0..<1, using: &random) < share {
                changed[x, y] = image[x, y].map { value in
                    UInt8(clamping: Int(value) + Int.random(in: -limit...limit, using: &random))
                }
            }
        }
        return changed
    }
}

extension Image {
    /// Red, green, blue and alpha of a pixel.
    subscript(x: Int, y: Int) -> [UInt8] {
        get { Array(pixels[((y * width + x) * 4)..<((y * width + x) * 4 + 4)]) }
        set { pixels.replaceSubrange(((y * width + x) * 4)..<((y * width + x) * 4 + 4), with: newValue) }
    }
}
