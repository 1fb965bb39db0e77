import LoupeImaging

/// The rules of pixelmatch 7.2.0 as published, pixel by pixel in plain arrays, without any code of the library.
struct SlowPixelmatch {
    let a: Image
    let b: Image

    /// The differing pixels in reading order.
    func differing(threshold t: Double, includesAntialiased: Bool) -> [(x: Int, y: Int)] {
        guard a.pixels != b.pixels else { return [] }
        var found: [(x: Int, y: Int)] = []
        for y in 0..<a.height {
            for x in 0..<a.width where delta(x, y) > 35215 * t * t {
                let leftOut = !includesAntialiased && (antialiased(a, b, x, y) || antialiased(b, a, x, y))
                if !leftOut { found.append((x, y)) }
            }
        }
        return found
    }

    func delta(_ column: Int, _ row: Int) -> Double {
        let d = rgb(a[column, row], b[column, row], k: (row * a.width + column) * 4)
        let y = d[0] * 0.29889531 + d[1] * 0.58662247 + d[2] * 0.11448223
        let i = d[0] * 0.59597799 - d[1] * 0.27417610 - d[2] * 0.32180189
        let q = d[0] * 0.21147017 - d[1] * 0.52261711 + d[2] * 0.31114694
        return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q
    }

    private func rgb(_ p: [UInt8], _ q: [UInt8], k: Int) -> [Double] {
        let (p, q) = (p.map(Double.init), q.map(Double.init))
        if p[3] == 255 && q[3] == 255 { return (0..<3).map { p[$0] - q[$0] } }
        let divisors = [1, 1.618033988749895, 2.618033988749895]
        return (0..<3).map { channel in
            let cell = (Double(k) / divisors[channel]).rounded(.down).truncatingRemainder(dividingBy: 2)
            let ground = 48 + 159 * cell
            return (p[channel] * p[3] - q[channel] * q[3] - ground * (p[3] - q[3])) / 255
        }
    }

    private func neighbours(_ x: Int, _ y: Int) -> [(x: Int, y: Int)] {
        (-1...1).flatMap { dx in (-1...1).map { dy in (x: x + dx, y: y + dy) } }
            .filter { ($0.x, $0.y) != (x, y) && (0..<a.width).contains($0.x) && (0..<a.height).contains($0.y) }
    }

    private func isAtBorder(_ x: Int, _ y: Int) -> Bool {
        x == 0 || y == 0 || x == a.width - 1 || y == a.height - 1
    }

    private func antialiased(_ image: Image, _ other: Image, _ x: Int, _ y: Int) -> Bool {
        let k = (y * a.width + x) * 4
        let steps = neighbours(x, y).map { place in
            let d = rgb(image[x, y], image[place.x, place.y], k: k)
            return (place: place, luma: d[0] * 0.29889531 + d[1] * 0.58662247 + d[2] * 0.11448223)
        }
        guard steps.count(where: { $0.luma == 0 }) + (isAtBorder(x, y) ? 1 : 0) <= 2 else { return false }
        // The first of equals, in the order of the neighbours.
        guard let low = steps.map(\.luma).min(), low < 0, let high = steps.map(\.luma).max(), high > 0 else {
            return false
        }
        return [low, high].contains { extreme in
            guard let place = steps.first(where: { $0.luma == extreme })?.place else { return false }
            return [image, other].allSatisfy { hasManySiblings($0, place.x, place.y) }
        }
    }

    private func hasManySiblings(_ image: Image, _ x: Int, _ y: Int) -> Bool {
        neighbours(x, y).count { image[$0.x, $0.y] == image[x, y] } + (isAtBorder(x, y) ? 1 : 0) >= 3
    }
}
