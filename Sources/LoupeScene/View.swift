import LoupeBase

/// A mapping from the canvas to the output: the whole canvas, or the inside of a loupe (specification, section 4).
///
/// The output pixel position q shows the canvas point focus + (q − center)/magnification.
public struct View: Hashable, Sendable {
    /// The part of the picture that a view is.
    public enum Kind: Hashable, Sendable, CustomStringConvertible {
        /// The whole canvas.
        case base
        /// The inside of a loupe, by its index in `Scene.loupes`.
        case loupe(Int)

        /// `base`, or `loupe` and its index.
        public var description: String {
            switch self {
            case .base: "base"
            case .loupe(let index): "loupe \(index)"
            }
        }
    }

    /// Which part of the picture this is.
    public var kind: Kind
    /// Output pixels for each canvas pixel.
    public var magnification: Double
    /// Where the focus appears, in output pixels.
    public var center: Point
    /// The canvas point at the centre, in canvas pixels.
    public var focus: Point

    /// The whole canvas, unmagnified.
    public static let base = View(kind: .base, magnification: 1, center: .zero, focus: .zero)

    /// The view inside a loupe of a scene.
    public static func loupe(_ index: Int, of scene: Scene) -> View {
        let loupe = scene.loupes[index]
        return View(
            kind: .loupe(index), magnification: loupe.zoom, center: loupe.center,
            focus: scene.shownFocus(of: loupe))
    }

    /// Where a canvas point appears in the output.
    public func output(of point: Point) -> Point {
        Point(x: center.x + (point.x - focus.x) * magnification, y: center.y + (point.y - focus.y) * magnification)
    }

    /// The canvas point that an output position shows.
    public func canvas(of output: Point) -> Point {
        Point(x: focus.x + (output.x - center.x) / magnification, y: focus.y + (output.y - center.y) / magnification)
    }

    /// A canvas rect in output pixels.
    public func output(of rect: Rect) -> Rect {
        let corner = output(of: Point(x: rect.x, y: rect.y))
        return Rect(x: corner.x, y: corner.y, width: rect.width * magnification, height: rect.height * magnification)
    }
}

extension Layer {
    /// The border of what a view shows of the layer, in output pixels.
    package func outline(in view: View) -> Outline {
        Outline(
            rect: view.output(of: bounds), radii: view.magnification * corner.radii, exponent: corner.exponent)
    }
}

extension Scene {
    /// The base view, then one view for each loupe in order.
    public var views: [View] { [.base] + loupes.indices.map { .loupe($0, of: self) } }
}
