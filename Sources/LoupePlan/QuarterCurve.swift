import LoupeBase
import LoupeScene

/// The quarter arc |u/a|ⁿ + |v/b|ⁿ = 1, u, v ≥ 0, by the direction θ of its normal, 0 … 90°; a point where a and b are 0.
struct QuarterCurve {
    let radius: CornerRadius
    let exponent: Double

    var isPoint: Bool { radius.x == 0 }

    /// Where the tangent with a normal touches; its components are not negative.
    func touchPoint(toward normal: Vector) -> Vector {
        guard !isPoint else { return .zero }
        let (a, b) = (radius.x * normal.dx, radius.y * normal.dy)
        let ratio = pow(min(a, b) / max(a, b), 1 / (exponent - 1))
        let far = pow(1 + pow(ratio, exponent), -1 / exponent)
        return a >= b
            ? Vector(dx: radius.x * far, dy: radius.y * ratio * far)
            : Vector(dx: radius.x * ratio * far, dy: radius.y * far)
    }

    /// How far the tangent of a direction lies from the corner's centre: the dual norm, with 1/n + 1/q = 1.
    func support(at direction: Double) -> Double {
        guard !isPoint else { return 0 }
        let (a, b) = (radius.x * cos(direction), radius.y * sin(direction))
        let dual = pow(min(a, b) / max(a, b), exponent / (exponent - 1))
        return max(a, b) * pow(1 + dual, 1 - 1 / exponent)
    }

    /// The radius of curvature at a touch point, from the first two derivatives of |u/a|ⁿ + |v/b|ⁿ.
    func curvatureRadius(at point: Vector) -> Double {
        // A bevel is two kinks and, for one direction alone, the line between them.
        guard !isPoint, exponent > 1 else { return 0 }
        let (u, v) = (point.dx / radius.x, point.dy / radius.y)
        let slope = hypot(pow(u, exponent - 1) / radius.x, pow(v, exponent - 1) / radius.y)
        let area = radius.x * radius.y
        return area * area / (exponent - 1) * slope * slope * slope / pow(u * v, exponent - 2)
    }

    // MARK: - Where the curvature turns

    /// The direction at which the curvature is largest or smallest, and the touch point there; the diagonal where the
    /// curvature has no extremum or is constant.
    ///
    /// With w = (v/b)ⁿ/(u/a)ⁿ the radius of curvature rises along the arc as `rise` is positive.
    var turn: (direction: Double, touch: Vector) {
        guard !isPoint else { return (.pi / 4, .zero) }
        var (low, high) = (-600.0, 600.0)
        guard rise(atLogarithm: low) * rise(atLogarithm: high) < 0 else { return tangent(atLogarithm: 0) }
        let startsRising = rise(atLogarithm: low) > 0
        for _ in 0..<80 {
            let middle = (low + high) / 2
            if (rise(atLogarithm: middle) > 0) == startsRising { low = middle } else { high = middle }
        }
        return tangent(atLogarithm: (low + high) / 2)
    }

    /// Whether the radius of curvature rises with the direction, before `turn` and beyond it.
    var rises: (before: Bool, beyond: Bool) {
        guard !isPoint else { return (false, false) }
        if exponent == 2 { return (radius.x > radius.y, radius.x > radius.y) }
        return (exponent < 2, exponent > 2)
    }

    /// n times the derivative of the logarithm of the radius of curvature in log w.
    private func rise(atLogarithm w: Double) -> Double {
        func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
        let scaled = 2 * (1 - 1 / exponent) * w + 2 * log(radius.x / radius.y)
        return 3 * (exponent - 1) * logistic(scaled) - (exponent + 1) * logistic(w) - (exponent - 2)
    }

    private func tangent(atLogarithm w: Double) -> (direction: Double, touch: Vector) {
        // u/a and v/b, whose nth powers add up to 1.
        let (u, v) = (pow(1 + exp(w), -1 / exponent), pow(1 + exp(-w), -1 / exponent))
        let direction = atan(exp(w * (1 - 1 / exponent)) * radius.x / radius.y)
        return (direction, Vector(dx: radius.x * u, dy: radius.y * v))
    }
}
