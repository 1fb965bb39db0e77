import LoupeGeometry
import LoupeScene

/// A loupe's border: how deep inside it a point lies.
struct Border {
    private let loupe: Loupe
    private let outline: Outline?
    let left, top, right, bottom: Double

    init(of loupe: Loupe) {
        self.loupe = loupe
        let (across, down): (Double, Double)
        switch loupe.shape {
        case .circle(let radius):
            outline = nil
            (across, down) = (radius, radius)
        case .rectangle(let shape):
            let corner = Point(x: loupe.center.x - shape.width / 2, y: loupe.center.y - shape.height / 2)
            outline = Outline(
                rect: Rect(x: corner.x, y: corner.y, width: shape.width, height: shape.height),
                radii: shape.corner.radii, exponent: shape.corner.exponent)
            (across, down) = (shape.width / 2, shape.height / 2)
        }
        (left, right) = (loupe.center.x - across, loupe.center.x + across)
        (top, bottom) = (loupe.center.y - down, loupe.center.y + down)
    }

    /// The Euclidean distance to the border, positive inside.
    func depth(of point: Point) -> Double {
        outline?.signedDistance(to: point) ?? loupe.radius - point.distance(to: loupe.center)
    }
}
