import Glibc
import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Paints one loupe: its shadow, then its disc (SPEC 6), row by row from the top.
struct LoupePainter {
    private let loupe: Loupe
    private let content: ViewPainter
    private let rim: Pixel
    private let shadow: Pixel

    init(_ loupe: Loupe, scene: Scene, codec: PixelCodec, images: [String: Image]) throws(OracleError) {
        self.loupe = loupe
        let reach = loupe.radius + 0.5
        content = try ViewPainter(
            scene, lens: Lens(loupe), filter: loupe.filter,
            columns: (0..<scene.canvas.width).clamped(toCover: loupe.center.x - reach, loupe.center.x + reach),
            rows: (0..<scene.canvas.height).clamped(toCover: loupe.center.y - reach, loupe.center.y + reach),
            codec: codec, images: images)
        rim = loupe.rim.map { codec.pixel($0.color) } ?? .zero
        shadow = loupe.shadow.map { codec.pixel($0.color) } ?? .zero
    }

    /// Paints over a whole output row.
    func paint(over row: inout [Pixel], y: Int) {
        paintShadow(over: &row, y: y)
        paintDisc(over: &row, y: y)
    }

    private func paintShadow(over row: inout [Pixel], y: Int) {
        guard let shape = loupe.shadow else { return }
        let center = loupe.center + shape.offset
        for x in row.indices {
            let share = Self.shadowShare(beyond: distance(x, y, to: center) - loupe.radius, blur: shape.blur)
            row[x] = (shadow * share).over(row[x])
        }
    }

    /// The shadow's share of its full alpha at a signed distance outside its circle.
    private static func shadowShare(beyond distance: Double, blur: Double) -> Double {
        // No blur is the limit of ever less: a hard disc, half on the circle itself.
        guard blur > 0 else { return distance < 0 ? 1 : distance == 0 ? 0.5 : 0 }
        let deviation = blur / 2
        return 0.5 * erfc(distance / (deviation * 2.0.squareRoot()))
    }

    private func paintDisc(over row: inout [Pixel], y: Int) {
        let reach = loupe.radius + 0.5
        let rise = Double(y) + 0.5 - loupe.center.y
        guard abs(rise) < reach else { return }
        let halfChord = (reach * reach - rise * rise).squareRoot()
        let span = row.indices.clamped(toCover: loupe.center.x - halfChord, loupe.center.x + halfChord)
        let magnified = content.pixels(row: y, span: span)
        for (x, pixel) in zip(span, magnified) {
            let distance = distance(x, y, to: loupe.center)
            let share = coverage(ofDistance: loupe.radius - distance)
            row[x] = row[x] * (1 - share) + underRim(pixel, at: distance) * share
        }
    }

    private func underRim(_ pixel: Pixel, at distance: Double) -> Pixel {
        guard let shape = loupe.rim else { return pixel }
        return (rim * coverage(ofDistance: distance - (loupe.radius - shape.width))).over(pixel)
    }

    private func distance(_ x: Int, _ y: Int, to center: Point) -> Double {
        Point(x: Double(x) + 0.5, y: Double(y) + 0.5).distance(to: center)
    }
}
