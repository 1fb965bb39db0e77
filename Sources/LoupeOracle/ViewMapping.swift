import LoupeBase
import LoupeScene

/// The mapping of a view from output pixels to the canvas (specification, section 4).
///
/// It is written independently of `View`, which the renderer under test uses.
struct ViewMapping {
    let horizontal: Axis
    let vertical: Axis

    /// The whole canvas at magnification 1.
    static let base = ViewMapping(
        horizontal: Axis(magnification: 1, center: 0, focus: 0), vertical: Axis(magnification: 1, center: 0, focus: 0))

    private init(horizontal: Axis, vertical: Axis) {
        self.horizontal = horizontal
        self.vertical = vertical
    }

    /// The view of a loupe. Its focus is clamped to the bounds of `layers` where the loupe asks for that.
    init(_ loupe: Loupe, over layers: [Layer]) {
        var focus = loupe.focus
        if loupe.outside == .clamp {
            let bounds = layers.map { $0.crop ?? $0.rect }
            let (halfWidth, halfHeight) = Self.halfSides(of: loupe)
            focus.x = Self.clamped(focus.x, reach: halfWidth / loupe.zoom, to: bounds.map { ($0.minX, $0.maxX) })
            focus.y = Self.clamped(focus.y, reach: halfHeight / loupe.zoom, to: bounds.map { ($0.minY, $0.maxY) })
        }
        self.init(
            horizontal: Axis(magnification: loupe.zoom, center: loupe.center.x, focus: focus.x),
            vertical: Axis(magnification: loupe.zoom, center: loupe.center.y, focus: focus.y))
    }

    private static func halfSides(of loupe: Loupe) -> (Double, Double) {
        switch loupe.shape {
        case .circle(let radius): (radius, radius)
        case .rectangle(let shape): (shape.width / 2, shape.height / 2)
        }
    }

    /// The coordinate nearest to `focus` that is at least `reach` away from both ends of the layers. Their middle if
    /// there is no such coordinate.
    private static func clamped(_ focus: Double, reach: Double, to spans: [(Double, Double)]) -> Double {
        guard let start = spans.map({ $0.0 }).min(), let end = spans.map({ $0.1 }).max() else { return focus }
        let room = end - start - 2 * reach
        guard room >= 0 else { return (start + end) / 2 }
        return start + reach + min(max(focus - start - reach, 0), room)
    }
}

/// One axis of a view: the canvas coordinate that each output pixel shows.
struct Axis {
    /// Output pixels for each canvas pixel.
    let magnification: Double
    /// The view's centre, in output pixels.
    let center: Double
    /// The coordinate shown at the centre, in canvas pixels.
    let focus: Double

    /// The canvas coordinate at the middle of an output pixel.
    func canvasCoordinate(ofPixel index: Int) -> Double {
        focus + (Double(index) + 0.5 - center) / magnification
    }

    /// The output position that shows a canvas coordinate.
    func output(ofCanvas coordinate: Double) -> Double { center + (coordinate - focus) * magnification }

    /// The part of `pixels` in which a layer can have an outline coverage above zero.
    ///
    /// - Parameters:
    ///   - start: Where the layer starts, in canvas pixels.
    ///   - length: How long the layer is, in canvas pixels.
    func pixels(in pixels: Range<Int>, touching start: Double, length: Double) -> Range<Int> {
        let first = center + (start - focus) * magnification
        return pixels.clamped(toCover: first - 1, first + length * magnification + 1)
    }
}

extension Range<Int> {
    /// The part of the range that covers `lower` … `upper`; empty if they do not meet.
    func clamped(toCover lower: Double, _ upper: Double) -> Range<Int> {
        let start = Int(Swift.min(Swift.max(lower.rounded(.down), Double(lowerBound)), Double(upperBound)))
        let end = Int(Swift.min(Swift.max(upper.rounded(.up), Double(start)), Double(upperBound)))
        return start..<end
    }
}
