import Glibc
import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Paints one loupe, row by row from the top: its callout, which lies under all loupes, then its shadow and the disc or
/// shape with the magnified content (specification, section 6).
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
        let mapping = ViewMapping(loupe, over: scene.layers)
        func view(_ scene: Scene) throws(OracleError) -> ViewPainter {
            try ViewPainter(
                scene, mapping: mapping, of: loupe, columns: columns, rows: rows, codec: codec, images: images)
        }
        callout = CalloutPainter(loupe, mapping: mapping, codec: codec)
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

    /// Paints the shadow and the magnified content over a whole output row.
    func paint(over row: inout [Pixel], y: Int) {
        paintShadow(over: &row, y: y)
        paintContent(over: &row, y: y)
    }

    private func paintShadow(over row: inout [Pixel], y: Int) {
        guard let shape = loupe.shadow else { return }
        for x in row.indices {
            let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
            let weight = Self.shadowWeight(outside: -border.depth(of: point - shape.offset), blur: shape.blur)
            let outsideLoupe = loupe.outside == .transparent ? 1 - coverage(ofDistance: border.depth(of: point)) : 1
            row[x] = (shadow * (weight * outsideLoupe)).sourceOver(row[x])
        }
    }

    /// The factor of the shadow's alpha, 0…1, at a signed distance to the border, positive outside.
    private static func shadowWeight(outside distance: Double, blur: Double) -> Double {
        // The limit for a blur that approaches 0: a hard border, with one half on the border itself.
        guard blur > 0 else { return distance < 0 ? 1 : distance == 0 ? 0.5 : 0 }
        let deviation = blur / 2
        return 0.5 * erfc(distance / (deviation * 2.0.squareRoot()))
    }

    private func paintContent(over row: inout [Pixel], y: Int) {
        let middle = Double(y) + 0.5
        guard middle > border.top - 0.5, middle < border.bottom + 0.5 else { return }
        let span = row.indices.clamped(toCover: border.left - 0.5, border.right + 0.5)
        var magnified = content.pixels(row: y, span: span)
        other?.paint(over: &magnified, span: span, row: y)
        for (x, pixel) in zip(span, magnified) {
            let depth = border.depth(of: Point(x: Double(x) + 0.5, y: middle))
            let coverage = coverage(ofDistance: depth)
            let content = withRim(pixel, at: depth) * coverage
            // A loupe replaces what lies under it. A transparent one is composited over it.
            let kept = loupe.outside == .transparent ? 1 - content.w : 1 - coverage
            row[x] = row[x] * kept + content
        }
    }

    /// A pixel of the content with the rim composited over it.
    private func withRim(_ pixel: Pixel, at depth: Double) -> Pixel {
        guard let shape = loupe.rim else { return pixel }
        return (rim * coverage(ofDistance: shape.width - depth)).sourceOver(pixel)
    }
}
