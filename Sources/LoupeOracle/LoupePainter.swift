import Glibc
import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Paints one loupe, row by row from the top: its callout, which lies under all loupes; then its shadow and its disc (SPEC 6).
struct LoupePainter {
    private let loupe: Loupe
    private let content: ViewPainter
    private let rim: Pixel
    private let shadow: Pixel
    private let callout: CalloutPainter?

    init(_ loupe: Loupe, scene: Scene, codec: PixelCodec, images: [String: Image]) throws(OracleError) {
        self.loupe = loupe
        let reach = loupe.radius + 0.5
        let lens = Lens(loupe, over: scene.layers)
        callout = CalloutPainter(loupe, lens: lens, codec: codec)
        content = try ViewPainter(
            scene, lens: lens, of: loupe,
            columns: (0..<scene.canvas.width).clamped(toCover: loupe.center.x - reach, loupe.center.x + reach),
            rows: (0..<scene.canvas.height).clamped(toCover: loupe.center.y - reach, loupe.center.y + reach),
            codec: codec, images: images)
        rim = loupe.rim.map { codec.pixel($0.color) } ?? .zero
        shadow = loupe.shadow.map { codec.pixel($0.color) } ?? .zero
    }

    /// Paints the callout over a whole output row.
    func paintCallout(over row: inout [Pixel], y: Int) {
        callout?.paint(over: &row, y: y)
    }

    /// Paints shadow and disc over a whole output row.
    func paint(over row: inout [Pixel], y: Int) {
        paintShadow(over: &row, y: y)
        paintDisc(over: &row, y: y)
    }

    private func paintShadow(over row: inout [Pixel], y: Int) {
        guard let shape = loupe.shadow else { return }
        let center = loupe.center + shape.offset
        for x in row.indices {
            let share = Self.shadowShare(beyond: distance(x, y, to: center) - loupe.radius, blur: shape.blur)
            let free = loupe.outside == .transparent ? 1 - discShare(x, y) : 1
            row[x] = (shadow * (share * free)).over(row[x])
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
            let content = underRim(pixel, at: distance(x, y, to: loupe.center)) * discShare(x, y)
            // A disc stands instead of what lies under it; one that is transparent lies over it.
            let kept = loupe.outside == .transparent ? 1 - content.w : 1 - discShare(x, y)
            row[x] = row[x] * kept + content
        }
    }

    private func discShare(_ x: Int, _ y: Int) -> Double {
        coverage(ofDistance: loupe.radius - distance(x, y, to: loupe.center))
    }

    private func underRim(_ pixel: Pixel, at distance: Double) -> Pixel {
        guard let shape = loupe.rim else { return pixel }
        return (rim * coverage(ofDistance: distance - (loupe.radius - shape.width))).over(pixel)
    }

    private func distance(_ x: Int, _ y: Int, to center: Point) -> Double {
        Point(x: Double(x) + 0.5, y: Double(y) + 0.5).distance(to: center)
    }
}
