import LoupeImaging

/// The page that is magnified: a picture made of arithmetic alone, so that no file is needed and every run sees the same.
public enum BenchPage {
    /// In pixels.
    public static let width = 2048
    public static let height = 1536
    /// The name under which scenes show it.
    static let path = "page"

    /// Slow gradients with noise over them: nothing in it can be compressed or skipped.
    public static func picture(width: Int = width, height: Int = height) -> Image {
        var random = SplitMix64(seed: 42)
        var pixels = [UInt8]()
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let noise = random.next()
                let red = x * 192 / width + Int(noise & 63)
                let green = y * 192 / height + Int((noise >> 8) & 63)
                let blue = (x + y) * 192 / (width + height) + Int((noise >> 16) & 63)
                pixels += [UInt8(red), UInt8(green), UInt8(blue), 255]
            }
        }
        return Image(width: width, height: height, pixels: pixels)
    }
}
