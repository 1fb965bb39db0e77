import LoupeGeometry

/// A mapping from the canvas to the output: the whole canvas, or the inside of a loupe (specification, section 4).
///
/// The output pixel position q shows the canvas point focus + (q − center)/magnification.
public struct View: Hashable, Sendable {
    /// Which part of the picture a view is.
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

    /// The output position of a canvas x coordinate.
    public func outputX(ofCanvasX x: Double) -> Double { center.x + (x - focus.x) * magnification }
    /// The output position of a canvas y coordinate.
    public func outputY(ofCanvasY y: Double) -> Double { center.y + (y - focus.y) * magnification }

    /// The canvas x coordinate at an output position.
    public func canvasX(ofOutputX x: Double) -> Double { focus.x + (x - center.x) / magnification }
    /// The canvas y coordinate at an output position.
    public func canvasY(ofOutputY y: Double) -> Double { focus.y + (y - center.y) / magnification }

    /// A canvas rect in output pixels.
    public func output(of rect: Rect) -> Rect {
        Rect(
            x: outputX(ofCanvasX: rect.x), y: outputY(ofCanvasY: rect.y),
            width: rect.width * magnification, height: rect.height * magnification)
    }
}

extension Scene {
    /// The base view, then one view for each loupe in order.
    public var views: [View] { [.base] + loupes.indices.map { .loupe($0, of: self) } }
}
