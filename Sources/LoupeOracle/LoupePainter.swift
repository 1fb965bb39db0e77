import Glibc
import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Paints one loupe, row by row from the top: its callout, which lies under all loupes; then its shadow, and its disc
/// (SPEC 6) or what is in the disc's place.
struct LoupePainter {
    private let loupe: Loupe
    private let border: Border
    private let content: ViewPainter
    private let other: OtherHalf?
    private let rim: Pixel
    private let shadow: Pixel
    private let callout: CalloutPainter?

    init(_ loupe: Loupe, scene: Scene, codec: PixelCodec, images: [String: Image]) throws(OracleError) {
        self.loupe = loupe
        border = Border(of: loupe)
        let columns = (0..<scene.canvas.width).clamped(toCover: border.left - 0.5, border.right + 0.5)
        let rows = (0..<scene.canvas.height).clamped(toCover: border.top - 0.5, border.bottom + 0.5)
        let lens = Lens(loupe, over: scene.layers)
        func view(_ scene: Scene) throws(OracleError) -> ViewPainter {
            try ViewPainter(
                scene, lens: lens, of: loupe, columns: columns, rows: rows, codec: codec, images: images)
        }
        callout = CalloutPainter(loupe, lens: lens, codec: codec)
        content = try view(scene)
        other = try loupe.split.map { (split) throws(OracleError) in
            OtherHalf(
                split, about: loupe.center, view: try view(OtherHalf.scene(scene, showing: split)), codec: codec)
        }
        rim = loupe.rim.map { codec.pixel($0.color) } ?? .zero
        shadow = loupe.shadow.map { codec.pixel($0.color) } ?? .zero
    }

    /// Paints the callout over a whole output row.
    func paintCallout(over row: inout [Pixel], y: Int) {
        callout?.paint(over: &row, y: y)
    }

    /// Paints shadow and lens over a whole output row.
    func paint(over row: inout [Pixel], y: Int) {
        paintShadow(over: &row, y: y)
        paintLens(over: &row, y: y)
    }

    private func paintShadow(over row: inout [Pixel], y: Int) {
        guard let shape = loupe.shadow else { return }
        for x in row.indices {
            let place = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
            let share = Self.shadowShare(beyond: -border.depth(of: place - shape.offset), blur: shape.blur)
            let free = loupe.outside == .transparent ? 1 - coverage(ofDistance: border.depth(of: place)) : 1
            row[x] = (shadow * (share * free)).over(row[x])
        }
    }

    /// The shadow's share of its full alpha at a signed distance outside the border.
    private static func shadowShare(beyond distance: Double, blur: Double) -> Double {
        // No blur is the limit of ever less: a hard disc, half on the circle itself.
        guard blur > 0 else { return distance < 0 ? 1 : distance == 0 ? 0.5 : 0 }
        let deviation = blur / 2
        return 0.5 * erfc(distance / (deviation * 2.0.squareRoot()))
    }

    private func paintLens(over row: inout [Pixel], y: Int) {
        let middle = Double(y) + 0.5
        guard middle > border.top - 0.5, middle < border.bottom + 0.5 else { return }
        let span = row.indices.clamped(toCover: border.left - 0.5, border.right + 0.5)
        var magnified = content.pixels(row: y, span: span)
        other?.paint(over: &magnified, span: span, row: y)
        for (x, pixel) in zip(span, magnified) {
            let depth = border.depth(of: Point(x: Double(x) + 0.5, y: middle))
            let share = coverage(ofDistance: depth)
            let content = underRim(pixel, at: depth) * share
            // A loupe stands instead of what lies under it; one that is transparent lies over it.
            let kept = loupe.outside == .transparent ? 1 - content.w : 1 - share
            row[x] = row[x] * kept + content
        }
    }

    private func underRim(_ pixel: Pixel, at depth: Double) -> Pixel {
        guard let shape = loupe.rim else { return pixel }
        return (rim * coverage(ofDistance: shape.width - depth)).over(pixel)
    }
}
