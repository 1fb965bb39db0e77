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
        guard let (rect, label) = parts(in: scene, within: scene.canvas.rect), let run = TextRun(label, in: scene)
        else {
            return nil
        }
        return (BarPlan(rect: rect, color: style.color, halo: style.halo), run)
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
