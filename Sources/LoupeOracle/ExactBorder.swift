import LoupeBase
import LoupeScene

/// The border of a loupe, or of its source, which is the part of the canvas that the loupe shows. In canvas pixels.
struct ExactBorder {
    let center: Point
    /// The radius of a disc; nil for a rectangle.
    private let radius: Double?
    /// Half the width and half the height.
    private let reach: Vector
    private let corner: Corner

    /// The border of a loupe.
    init(of loupe: Loupe) {
        self.init(loupe.shape, center: loupe.center, scale: 1)
    }

    /// The border of a loupe's source.
    ///
    /// - Parameter focus: The canvas point that the loupe shows at its centre.
    init(ofSourceOf loupe: Loupe, around focus: Point) {
        self.init(loupe.shape, center: focus, scale: 1 / loupe.zoom)
    }

    private init(_ shape: Loupe.Shape, center: Point, scale: Double) {
        self.center = center
        switch shape {
        case .circle(let radius):
            self.radius = radius * scale
            reach = Vector(dx: radius * scale, dy: radius * scale)
            corner = Corner()
        case .rectangle(let shape):
            radius = nil
            reach = Vector(dx: shape.width / 2 * scale, dy: shape.height / 2 * scale)
            corner = Corner(radii: scale * shape.corner.radii, exponent: shape.corner.exponent)
        }
    }

    var left: Double { center.x - reach.dx }
    var top: Double { center.y - reach.dy }
    var right: Double { center.x + reach.dx }
    var bottom: Double { center.y + reach.dy }

    /// The Euclidean distance to the border, positive inside.
    func depth(of point: Point) -> Double {
        if let radius { return radius - point.distance(to: center) }
        let rect = Rect(x: left, y: top, width: 2 * reach.dx, height: 2 * reach.dy)
        return Outline(rect: rect, radii: corner.radii, exponent: corner.exponent).signedDistance(to: point)
    }

    /// Where the border, moved outward by `growth` pixels, touches a line outside it that is perpendicular to a direction.
    ///
    /// The line perpendicular to (α, β) touches the superellipse |u/a|ⁿ + |v/b|ⁿ = 1 where (u/a)ⁿ⁻¹ : (v/b)ⁿ⁻¹ = aα : bβ.
    func touch(_ angle: Double, growth: Double) -> Point {
        let (across, down) = (cos(angle), sin(angle))
        let outward = Vector(dx: across < 0 ? -1 : 1, dy: down < 0 ? -1 : 1)
        let size = radius.map { CornerRadius($0) } ?? corner.radii[Self.cornerPosition(outward)]
        let exponent = radius == nil ? corner.exponent : 2
        let (u, v) = Self.arcPoint(size.x * abs(across), size.y * abs(down), exponent: exponent)
        return Point(
            x: center.x + outward.dx * (reach.dx - size.x * (1 - u)) + growth * across,
            y: center.y + outward.dy * (reach.dy - size.y * (1 - v)) + growth * down)
    }

    private static func cornerPosition(_ outward: Vector) -> CornerPosition {
        if outward.dx < 0 { return outward.dy < 0 ? .topLeft : .bottomLeft }
        return outward.dy < 0 ? .topRight : .bottomRight
    }

    /// u and v ≥ 0 with uⁿ + vⁿ = 1 and uⁿ⁻¹ : vⁿ⁻¹ = a : b. One of the two ends for a bevel, where n is 1.
    private static func arcPoint(_ a: Double, _ b: Double, exponent: Double) -> (u: Double, v: Double) {
        guard exponent > 1, max(a, b) > 0 else { return a >= b ? (1, 0) : (0, 1) }
        let (u, v) = (pow(a / max(a, b), 1 / (exponent - 1)), pow(b / max(a, b), 1 / (exponent - 1)))
        let norm = pow(pow(u, exponent) + pow(v, exponent), 1 / exponent)
        return (u / norm, v / norm)
    }

    /// Where a ray from the centre leaves the border moved outward by `growth` pixels, found by bisection.
    func exit(_ angle: Double, growth: Double) -> Point {
        var (inside, outside) = (0.0, right - left + bottom - top + growth)
        while true {
            let middle = inside + (outside - inside) / 2
            guard middle > inside, middle < outside else { return center.moved(middle, toward: angle) }
            if depth(of: center.moved(middle, toward: angle)) > -growth { inside = middle } else { outside = middle }
        }
    }
}

extension Point {
    /// The point `length` pixels away in the direction of an angle, in radians from the x axis towards the y axis.
    func moved(_ length: Double, toward angle: Double) -> Point {
        Point(x: x + length * cos(angle), y: y + length * sin(angle))
    }
}
