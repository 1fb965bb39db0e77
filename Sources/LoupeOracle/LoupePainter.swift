import LoupeBase
import LoupeImaging
import LoupeScene

/// Paints one loupe, row by row from the top, on slices whose indices are columns: its callout, which lies under all discs,
/// its shadow, and the disc or shape with the magnified content (specification, section 6).
struct LoupePainter {
    private let loupe: Loupe
    private let border: ExactBorder
    private let content: ViewPainter
    private let other: OtherHalf?
    private let rim: Pixel
    private let casing: Pixel
    private let shadow: Pixel
    private let callout: CalloutPainter?

    /// - Parameter block: The pixels of the canvas that can be asked for.
    init(
        _ loupe: Loupe, scene: Scene, block: PixelRect, codec: PixelCodec, images: [ImagePath: Image]
    ) throws(DrawingError) {
        self.loupe = loupe
        border = ExactBorder(of: loupe)
        let columns = (block.minX..<block.maxX).clamped(toCover: border.left - 0.5, border.right + 0.5)
        let rows = (block.minY..<block.maxY).clamped(toCover: border.top - 0.5, border.bottom + 0.5)
        let mapping = ViewMapping(loupe, over: scene.layers)
        func view(_ scene: Scene) throws(DrawingError) -> ViewPainter {
            try ViewPainter(
                scene, mapping: mapping, of: loupe, columns: columns, rows: rows, codec: codec, images: images)
        }
        callout = CalloutPainter(loupe, mapping: mapping, codec: codec)
        content = try view(scene)
        other = try loupe.split.map { split throws(DrawingError) in
            OtherHalf(
                split, about: loupe.center, view: try view(OtherHalf.scene(scene, showing: split)), codec: codec)
        }
        rim = loupe.rim.map { codec.pixel($0.color) } ?? .zero
        casing = loupe.rim?.casing.map { codec.pixel($0.color) } ?? .zero
        shadow = loupe.shadow.map { codec.pixel($0.color) } ?? .zero
    }

    /// Paints the callout over a whole output row.
    func paintCallout(over row: inout ArraySlice<Pixel>, y: Int) {
        callout?.paint(over: &row, y: y)
    }

    /// Whether the shadow lies under the callouts of all loupes.
    private var hasShadowBelowCallouts: Bool { loupe.shadow != nil && loupe.callout != nil }

    /// Paints the shadow over a whole output row, if it lies under the callouts.
    func paintShadowBelowCallouts(over row: inout ArraySlice<Pixel>, y: Int) {
        guard hasShadowBelowCallouts else { return }
        for x in row.indices { row[x] = shadow(x, y).sourceOver(row[x]) }
    }

    /// Paints the shadow, unless it lies under the callouts, and the magnified content over a whole output row.
    ///
    /// - Parameter later: The loupes after this one.
    func paint(over row: inout ArraySlice<Pixel>, y: Int, below later: some Sequence<LoupePainter>) {
        let before = row
        if loupe.shadow != nil, !hasShadowBelowCallouts {
            for x in row.indices { row[x] = shadow(x, y).sourceOver(row[x]) }
        }
        paintCasing(over: &row, y: y)
        paintContent(over: &row, y: y, shadows: later.filter { $0.hasShadowBelowCallouts })
        guard loupe.opacity < 1 else { return }
        for x in row.indices { row[x] = row[x] * loupe.opacity + before[x] * (1 - loupe.opacity) }
    }

    /// The shadow at a pixel of the canvas.
    private func shadow(_ x: Int, _ y: Int) -> Pixel {
        guard let shape = loupe.shadow else { return .zero }
        let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
        let weight = shadowWeight(outside: -border.depth(of: point - shape.offset), blur: shape.blur)
        return shadow * (weight * uncovered(point) * (hasShadowBelowCallouts ? loupe.opacity : 1))
    }

    /// How much of a pixel a transparent or translucent loupe leaves free for its own shadow and casing; 1 for any other.
    private func uncovered(_ point: Point) -> Double {
        loupe.outside == .transparent || loupe.opacity < 1 ? 1 - coverage(ofDistance: border.depth(of: point)) : 1
    }

    private func paintCasing(over row: inout ArraySlice<Pixel>, y: Int) {
        guard let width = loupe.rim?.casing?.width else { return }
        for x in row.indices {
            let point = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
            let weight = coverage(ofDistance: border.depth(of: point) + width)
            row[x] = (casing * (weight * uncovered(point))).sourceOver(row[x])
        }
    }

    /// - Parameter shadows: The later loupes whose shadows fall on the disc.
    private func paintContent(over row: inout ArraySlice<Pixel>, y: Int, shadows: [LoupePainter]) {
        let middle = Double(y) + 0.5
        guard middle > border.top - 0.5, middle < border.bottom + 0.5 else { return }
        let span = row.indices.clamped(toCover: border.left - 0.5, border.right + 0.5)
        var magnified = content.pixels(row: y, span: span)
        other?.paint(over: &magnified, span: span, row: y)
        for (x, pixel) in zip(span, magnified) {
            let depth = border.depth(of: Point(x: Double(x) + 0.5, y: middle))
            let coverage = coverage(ofDistance: depth)
            var lit = withRim(pixel, at: depth)
            if loupe.outside != .transparent {
                for other in shadows { lit = other.shadow(x, y).sourceOver(lit) }
            }
            let content = lit * coverage
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

/// The factor of a shadow's alpha, 0…1, at a signed distance to the border, positive outside.
func shadowWeight(outside distance: Double, blur: Double) -> Double {
    // The limit for a blur that approaches 0: a hard border, with one half on the border itself.
    guard blur > 0 else { return distance < 0 ? 1 : distance == 0 ? 0.5 : 0 }
    let deviation = blur / 2
    return 0.5 * erfc(distance / (deviation * 2.0.squareRoot()))
}

/// Paints the second image of a split loupe over the first, and the divider over both.
private struct OtherHalf {
    private let view: ViewPainter
    private let center: Point
    /// The angle of the border between the halves, clockwise from the vertical.
    private let radians: Double
    /// The divider's width in canvas pixels; 0 for none.
    private let width: Double
    private let line: Pixel

    init(_ split: Loupe.Split, about center: Point, view: ViewPainter, codec: PixelCodec) {
        self.view = view
        self.center = center
        radians = split.angle / 180 * .pi
        width = split.divider?.width ?? 0
        line = split.divider.map { codec.pixel($0.color) } ?? .zero
    }

    /// The scene that the other half shows: the first image is replaced by the second.
    static func scene(_ scene: Scene, showing split: Loupe.Split) -> Scene {
        var other = scene
        for index in scene.layers.indices {
            if case .image = scene.layers[index].content {
                other.layers[index].content = .image(path: split.image)
                break
            }
        }
        return other
    }

    /// Paints over some columns of output row `y`.
    ///
    /// - Parameter pixels: One pixel for each column of `span`.
    func paint(over pixels: inout [Pixel], span: Range<Int>, row y: Int) {
        let others = view.pixels(row: y, span: span)
        for (index, x) in span.enumerated() {
            // The signed distance to the border between the halves, positive in the other half.
            let (dx, dy) = (Double(x) + 0.5 - center.x, Double(y) + 0.5 - center.y)
            let beyond = dx * cos(radians) + dy * sin(radians)
            let weight = coverage(ofDistance: beyond)
            let split = pixels[index] * (1 - weight) + others[index] * weight
            // The part of a pixel's width, across the divider, that the divider covers.
            let (start, end) = (max(beyond - 0.5, -width / 2), min(beyond + 0.5, width / 2))
            pixels[index] = (line * max(end - start, 0)).sourceOver(split)
        }
    }
}
