import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// Paints scale bars and text over the finished picture (specification, section 6.8).
struct LabelPainter {
    /// A rect of one colour, whose coverage of a pixel is the part of the pixel that it takes.
    private struct Band {
        let rect: Rect
        let color: Pixel
    }

    private var bands: [Band] = []
    private var texts: [DrawnText] = []
    private let codec: PixelCodec

    init(_ scene: Scene, codec: PixelCodec) throws(DrawingError) {
        self.codec = codec
        let layout = LabelLayout(scene: scene)
        var runs: [(text: String, style: TextStyle, place: LabelLayout.Place)] = []
        for bar in scene.scaleBars {
            guard let (rect, place) = layout.bar(bar) else { continue }
            if let halo = bar.style.halo {
                bands.append(Band(rect: rect.inset(by: -halo.width), color: codec.pixel(halo.color)))
            }
            bands.append(Band(rect: rect, color: codec.pixel(bar.style.color)))
            runs.append((bar.text, bar.style, place))
        }
        for label in scene.labels {
            if let place = layout.place(label.anchor) { runs.append((label.text, label.style, place)) }
        }
        for run in runs {
            func paint(_ color: Color) -> TextRequest.Paint { [color.red, color.green, color.blue, color.alpha] }
            let request = TextRequest(
                text: run.text, family: run.style.family, size: run.style.size, weight: run.style.weight,
                color: paint(run.style.color), halo: run.style.halo.map { ($0.width, paint($0.color)) },
                anchor: run.place.point, align: run.place.align)
            if let drawn = try TextDrawing.draw(request, on: scene.canvas.pixels) { texts.append(drawn) }
        }
    }

    /// Paints over an output row. The slice's indices are columns.
    func paint(over row: inout ArraySlice<Pixel>, y: Int) {
        for band in bands {
            let down = overlap(y, band.rect.minY, band.rect.maxY)
            guard down > 0 else { continue }
            for x in row.indices {
                let covered = down * overlap(x, band.rect.minX, band.rect.maxX)
                if covered > 0 { row[x] = (band.color * covered).sourceOver(row[x]) }
            }
        }
        for text in texts where text.block.minY..<text.block.maxY ~= y {
            let (image, block) = (text.image, text.block)
            for x in (block.minX..<block.maxX).clamped(to: row.indices) {
                let byte = ((y - block.minY) * image.width + x - block.minX) * 4
                let texel = codec.pixel(
                    red: image.pixels[byte], green: image.pixels[byte + 1], blue: image.pixels[byte + 2],
                    alpha: image.pixels[byte + 3])
                row[x] = texel.sourceOver(row[x])
            }
        }
    }

    /// The part of a pixel's side that an interval takes.
    private func overlap(_ pixel: Int, _ low: Double, _ high: Double) -> Double {
        max(0, min(Double(pixel + 1), high) - max(Double(pixel), low))
    }
}

/// The layout of labels and scale bars.
private struct LabelLayout {
    /// A point on the canvas, and the point of a text's box that lies there.
    struct Place {
        let point: Point
        let align: Vector
    }

    let scene: Scene

    /// Nil where there is no such loupe.
    func place(_ anchor: Label.Anchor) -> Place? {
        switch anchor {
        case .point(let point, let align): return Place(point: point, align: align)
        case .loupe(let index, let angle, let side, let distance):
            guard index < scene.loupes.count else { return nil }
            let loupe = scene.loupes[index]
            let border = ExactBorder(of: loupe)
            let beyond =
                side == .outside ? distance + (loupe.rim?.casing?.width ?? 0) : -distance - (loupe.rim?.width ?? 0)
            return beside(border, angle, growth: beyond, isWithin: side == .inside)
        case .ring(let index, let angle, let distance):
            guard index < scene.loupes.count else { return nil }
            let loupe = scene.loupes[index]
            let mapping = ViewMapping(loupe, over: scene.layers)
            let border = ExactBorder(
                ofSourceOf: loupe, around: Point(x: mapping.horizontal.focus, y: mapping.vertical.focus))
            let ring = loupe.callout?.ring.map { $0.width + 2 * ($0.casing?.width ?? 0) } ?? 0
            return beside(border, angle, growth: ring + distance, isWithin: false)
        }
    }

    private func beside(_ border: ExactBorder, _ degrees: Double, growth: Double, isWithin: Bool) -> Place {
        let radians = degrees / 180 * .pi
        // 1 where the box's far edge lies at the point, 0 where its near edge does.
        func part(_ component: Double) -> Double {
            let side = min(max(component * 2.0.squareRoot(), -1), 1)
            return (isWithin ? 1 + side : 1 - side) / 2
        }
        let isBeyondCentre = border.depth(of: border.center) <= -growth
        return Place(
            point: isBeyondCentre ? border.center : border.exit(radians, growth: growth),
            align: Vector(dx: part(cos(radians)), dy: part(sin(radians))))
    }

    /// The bar, and where its text lies; nil where there is no such loupe or no scale.
    func bar(_ bar: ScaleBar) -> (Rect, Place)? {
        guard let pixelSize = scene.pixelSize else { return nil }
        let (isLeft, isTop) = (
            bar.corner == .topLeft || bar.corner == .bottomLeft, bar.corner == .topLeft || bar.corner == .topRight
        )
        let side = Vector(dx: isLeft ? -1 : 1, dy: isTop ? -1 : 1)
        guard let (zoom, corner) = corner(of: bar, side) else { return nil }
        let length = bar.length.metres * zoom / pixelSize.metres
        let letters = bar.text.split(separator: "\n").map { $0.unicodeScalars.count }.max() ?? 0
        let box = max(length, Double(letters) * 0.62 * bar.style.size)
        let height = max(1, bar.width.rounded())
        let left = (corner.x - side.dx * box / 2 - length / 2).rounded()
        let top = (isTop ? corner.y : corner.y - height).rounded()
        let gap = bar.style.size * 0.35
        return (
            Rect(x: left, y: top, width: length, height: height),
            Place(
                point: Point(x: left + length / 2, y: isTop ? top + height + gap : top - gap),
                align: Vector(dx: 0.5, dy: isTop ? 0 : 1))
        )
    }

    /// The zoom of what a bar measures, and the corner of the bar's box; nil where there is no such loupe.
    private func corner(of bar: ScaleBar, _ side: Vector) -> (zoom: Double, corner: Point)? {
        switch bar.subject {
        case .layer(let index):
            let canvas = scene.canvas
            let layer = scene.layers.indices.contains(index) ? scene.layers[index] : nil
            let bounds = layer.map { $0.crop ?? $0.rect }
            let low = Point(x: max(bounds?.minX ?? 0, 0), y: max(bounds?.minY ?? 0, 0))
            let high = Point(
                x: min(bounds?.maxX ?? .infinity, Double(canvas.width)),
                y: min(bounds?.maxY ?? .infinity, Double(canvas.height)))
            return (1, Self.corner(bar, between: low, high, layer?.corner ?? Corner(), side, rim: 0))
        case .loupe(let index):
            guard index < scene.loupes.count else { return nil }
            let loupe = scene.loupes[index]
            let rim = loupe.rim?.width ?? 0
            if case .rectangle(let shape) = loupe.shape {
                let half = Vector(dx: shape.width / 2, dy: shape.height / 2)
                let low = Point(x: loupe.center.x - half.dx, y: loupe.center.y - half.dy)
                let corner = Self.corner(bar, between: low, loupe.center + half, shape.corner, side, rim: rim)
                return (loupe.zoom, corner)
            }
            let reach = max(0, loupe.radius - rim - bar.inset)
            let offset = Vector(dx: side.dx * reach * cos(.pi / 3), dy: side.dy * reach * sin(.pi / 3))
            return (loupe.zoom, loupe.center + offset)
        }
    }

    /// The corner of a bar's box in a rect with rounded corners.
    private static func corner(
        _ bar: ScaleBar, between low: Point, _ high: Point, _ shape: Corner, _ side: Vector, rim: Double
    ) -> Point {
        let radius = shape.radii[bar.corner]
        let cut = 1 - pow(0.5, 1 / shape.exponent)
        let (across, down) = (bar.inset + rim + cut * radius.x, bar.inset + rim + cut * radius.y)
        return Point(
            x: side.dx < 0 ? low.x + across : high.x - across, y: side.dy < 0 ? low.y + down : high.y - down)
    }
}
