import LoupeGeometry

/// One look at the layers: the whole canvas, or the inside of a loupe (SPEC 4).
///
/// The output pixel position q shows the canvas point focus + (q − center)/magnification.
public struct View: Hashable, Sendable {
    public enum Kind: Hashable, Sendable, CustomStringConvertible {
        case base
        /// By its place in `Scene.loupes`.
        case loupe(Int)

        public var description: String {
            switch self {
            case .base: "base"
            case .loupe(let index): "loupe \(index)"
            }
        }
    }

    public var kind: Kind
    public var magnification: Double
    /// In output pixels.
    public var center: Point
    /// In canvas pixels.
    public var focus: Point

    public static let base = View(kind: .base, magnification: 1, center: .zero, focus: .zero)

    public static func loupe(_ index: Int, of scene: Scene) -> View {
        let loupe = scene.loupes[index]
        return View(
            kind: .loupe(index), magnification: loupe.zoom, center: loupe.center,
            focus: scene.shownFocus(of: loupe))
    }

    /// Where a canvas coordinate appears in the output, per axis.
    public func outputX(ofCanvasX x: Double) -> Double { center.x + (x - focus.x) * magnification }
    public func outputY(ofCanvasY y: Double) -> Double { center.y + (y - focus.y) * magnification }

    /// Which canvas coordinate an output position shows, per axis.
    public func canvasX(ofOutputX x: Double) -> Double { focus.x + (x - center.x) / magnification }
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
