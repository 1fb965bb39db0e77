import LoupeBase
import LoupeScene

/// A text of the picture with its place: a label's, or that of a scale bar (specification, section 6.8).
///
/// How wide the text is depends on fonts, so a plan names a point of its box, and not its first letter's place.
package struct TextRun: Hashable, Sendable {
    /// Lines, parted by newlines.
    package let text: String
    /// How it looks; lengths in canvas pixels.
    package let style: TextStyle
    /// Where the point `align` of its box lies, in canvas pixels.
    package let anchor: Point
    /// A point of the box: (0, 0) is its upper left corner, (1, 1) its lower right one. The box is as wide as the longest
    /// line, and reaches from the top of the first line's capitals to the baseline of the last.
    package let align: Vector

    /// A text at a place.
    package init(text: String, style: TextStyle, anchor: Point, align: Vector) {
        (self.text, self.style, self.anchor, self.align) = (text, style, anchor, align)
    }
}

/// The bar of a scale bar; its text is a `TextRun`.
package struct BarPlan: Hashable, Sendable {
    /// In canvas pixels. Its left end and its rows are whole; its length is exact.
    package let rect: Rect
    /// The colour of the bar.
    package let color: Color
    /// Around the bar, beneath it; nil for none.
    package let halo: Casing?

    /// What is drawn, from bottom to top: the halo and the bar.
    package var bands: [(rect: Rect, color: Color)] {
        (halo.map { [(rect.inset(by: -$0.width), $0.color)] } ?? []) + [(rect, color)]
    }

    /// How much of each pixel of a block a rect covers, 0…255, row by row.
    static func coverage(of rect: Rect, in block: PixelRect) -> [UInt8] {
        func overlaps(_ range: Range<Int>, _ low: Double, _ high: Double) -> [Double] {
            range.map { max(0, min(Double($0) + 1, high) - max(Double($0), low)) }
        }
        guard !block.isEmpty else { return [] }
        let columns = overlaps(block.minX..<block.maxX, rect.minX, rect.maxX)
        return overlaps(block.minY..<block.maxY, rect.minY, rect.maxY).flatMap { row in
            columns.map { UInt8((255 * row * $0).rounded()) }
        }
    }
}

/// A small picture that lies over the finished one.
package enum Overlay: Hashable, Sendable {
    /// A part of a scale bar: a rect of one colour, in canvas pixels.
    case band(Rect, Color)
    /// A text.
    case text(TextRun)

    /// A band's pixels on the canvas, straight RGBA and anti-aliased; nil where it lies outside, and for a text.
    package func pixels(on canvas: PixelRect) -> (block: PixelRect, bytes: [UInt8])? {
        guard case .band(let rect, let color) = self else { return nil }
        let block = PixelRect(coveringMinX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: rect.maxY)
            .intersection(canvas)
        guard !block.isEmpty else { return nil }
        let bytes = BarPlan.coverage(of: rect, in: block).flatMap { coverage -> [UInt8] in
            let alpha = UInt8((Int(coverage) * Int(color.alpha) + 127) / 255)
            return [color.red, color.green, color.blue, alpha]
        }
        return (block, bytes)
    }
}

// MARK: - Labels

extension TextRun {
    /// Nil where the scene has no loupe of the label's index, as in a frame in which it is closed.
    package init?(_ label: Label, in scene: Scene) {
        guard let (anchor, align) = Self.place(label.anchor, in: scene) else { return nil }
        self.init(text: label.text, style: label.style, anchor: anchor, align: align)
    }

    private static func place(_ anchor: Label.Anchor, in scene: Scene) -> (anchor: Point, align: Vector)? {
        switch anchor {
        case .point(let point, let align): return (point, align)
        case .loupe(let index, let angle, let side, let distance):
            guard scene.loupes.indices.contains(index) else { return nil }
            let loupe = scene.loupes[index]
            let growth =
                side == .outside ? (loupe.rim?.casing?.width ?? 0) + distance : -(loupe.rim?.width ?? 0) - distance
            return place(angle, from: Border(of: loupe), growth: growth, isOutside: side == .outside)
        case .ring(let index, let angle, let distance):
            guard scene.loupes.indices.contains(index) else { return nil }
            let loupe = scene.loupes[index]
            let growth = (loupe.callout?.ring?.reach ?? 0) + distance
            return place(angle, from: Border(ofSourceOf: loupe, in: scene), growth: growth, isOutside: true)
        }
    }

    /// The box lies beyond the border's curve, or within it. On the diagonals its nearest corner is at the curve, and to the
    /// sides the middle of its nearest side.
    private static func place(
        _ angle: Double, from border: Border, growth: Double, isOutside: Bool
    ) -> (anchor: Point, align: Vector) {
        let direction = Vector(dx: cos(angle * .pi / 180), dy: sin(angle * .pi / 180))
        func part(_ component: Double) -> Double {
            let outward = min(max(2.0.squareRoot() * component, -1), 1)
            return isOutside ? (1 - outward) / 2 : (1 + outward) / 2
        }
        return (
            border.center + max(0, border.reach(toward: direction, grownBy: growth)) * direction,
            Vector(dx: part(direction.dx), dy: part(direction.dy))
        )
    }
}

// MARK: - Scale bars

extension ScaleBar {
    /// The bar and its text. Nil where the scene does not say what a pixel shows, or has no loupe of the bar's index.
    package func plan(in scene: Scene) -> (bar: BarPlan, run: TextRun)? {
        guard let pixelSize = scene.pixelSize, let (corner, zoom) = place(in: scene) else { return nil }
        let length = self.length.metres / pixelSize.metres * zoom
        let (textWidth, gap) = (0.62 * style.size * Double(text.lineLengths.max() ?? 0), 0.35 * style.size)
        let thickness = max(1, width.rounded())
        let boxWidth = max(length, textWidth)
        let (isLeft, isTop) = (self.corner.isLeft, self.corner.isTop)
        let middle = corner.x + (isLeft ? 0.5 : -0.5) * boxWidth
        let top = (corner.y + (isTop ? 0 : -thickness)).rounded()
        let rect = Rect(x: (middle - length / 2).rounded(), y: top, width: length, height: thickness)
        let run = TextRun(
            text: text, style: style,
            anchor: Point(x: rect.x + length / 2, y: isTop ? rect.maxY + gap : rect.minY - gap),
            align: Vector(dx: 0.5, dy: isTop ? 0 : 1))
        return (BarPlan(rect: rect, color: style.color, halo: style.halo), run)
    }

    /// Where the box's corner lies, in canvas pixels, and the subject's magnification.
    private func place(in scene: Scene) -> (corner: Point, zoom: Double)? {
        switch subject {
        case .layer(let index):
            let shape = scene.layers.indices.contains(index) ? scene.layers[index].corner : Corner()
            return (corner(of: scene.bounds(ofLayer: index), cut: scene.canvas.rect, shape, within: 0), 1)
        case .loupe(let index):
            guard scene.loupes.indices.contains(index) else { return nil }
            let loupe = scene.loupes[index]
            let rim = loupe.rim?.width ?? 0
            switch loupe.shape {
            case .circle(let radius):
                // Lower than the diagonal, or higher, so that it is farther from the centre.
                let reach = max(0, radius - rim - inset)
                let (across, down) = (0.5 * reach, 0.75.squareRoot() * reach)
                return (
                    loupe.center + Vector(dx: corner.isLeft ? -across : across, dy: corner.isTop ? -down : down),
                    loupe.zoom
                )
            case .rectangle(let shape):
                let rect = Rect(
                    x: loupe.center.x - shape.width / 2, y: loupe.center.y - shape.height / 2, width: shape.width,
                    height: shape.height)
                return (corner(of: rect, cut: rect, shape.corner, within: rim), loupe.zoom)
            }
        }
    }

    /// The point in a corner of a rect that is the bar's inset away from its edges and from its curve, which it meets on the
    /// diagonal.
    private func corner(of rect: Rect, cut: Rect, _ shape: Corner, within rim: Double) -> Point {
        let radius = shape.radii[corner]
        let part = 1 - pow(2, -1 / shape.exponent)
        let (left, right) = (max(rect.minX, cut.minX), min(rect.maxX, cut.maxX))
        let (top, bottom) = (max(rect.minY, cut.minY), min(rect.maxY, cut.maxY))
        let (dx, dy) = (inset + rim + part * radius.x, inset + rim + part * radius.y)
        return Point(x: corner.isLeft ? left + dx : right - dx, y: corner.isTop ? top + dy : bottom - dy)
    }
}

extension String {
    /// How many characters (Unicode scalars) each line has.
    package var lineLengths: [Int] {
        var lengths = [0]
        for scalar in unicodeScalars {
            if scalar == "\n" { lengths.append(0) } else { lengths[lengths.count - 1] += 1 }
        }
        return lengths
    }
}

extension TextRun {
    /// The text's box, of which the plan does not know more than that letters are about 0.62 of the font's size wide and
    /// capitals 0.73 of it high; in canvas pixels.
    package var estimatedBox: Rect {
        let lines = text.lineLengths
        let (width, height) = (
            0.62 * style.size * Double(lines.max() ?? 0), style.size * (0.73 + 1.17 * Double(lines.count - 1))
        )
        return Rect(x: anchor.x - align.dx * width, y: anchor.y - align.dy * height, width: width, height: height)
    }

    /// A magnification with at most one digit after the point, such as 4× or 2.5×.
    package static func factor(_ zoom: Double) -> String {
        let tenths = Int((zoom * 10).rounded())
        let (whole, rest) = (tenths / 10, tenths % 10)
        return rest == 0 ? "\(whole)×" : "\(whole).\(rest)×"
    }
}
