import LoupeBase
import LoupeCompose
import LoupeImaging
import LoupeScene

extension UnsafeRawBufferPointer {
    /// The straight RGBA of four bytes.
    func color(at index: Int) -> Color {
        Color(red: self[index], green: self[index + 1], blue: self[index + 2], alpha: self[index + 3])
    }
}

extension Image {
    /// The tone of a page.
    func tone(over background: Color) -> PageTone {
        pixels.withUnsafeBytes { pixels in
            PageTone(of: size, over: background) { pixels.color(at: 4 * ($1 * width + $0)) }
        }
    }

    /// The colour of more than half of the outermost pixels, all of which are opaque; nil where there is none.
    package var edgeColor: Color? {
        pixels.withUnsafeBytes { pixels in
            var counts: [Color: Int] = [:]
            func count(_ x: Int, _ y: Int) { counts[pixels.color(at: 4 * (y * width + x)), default: 0] += 1 }
            for y in Set([0, height - 1]) { for x in 0..<width { count(x, y) } }
            for x in Set([0, width - 1]) { for y in 1..<max(1, height - 1) { count(x, y) } }
            let total = counts.values.reduce(0, +)
            guard let (color, most) = counts.max(by: { $0.value < $1.value }), 2 * most > total,
                counts.keys.allSatisfy({ $0.alpha == 255 })
            else { return nil }
            return color
        }
    }
}
