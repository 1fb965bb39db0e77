import LoupeBase
import LoupeScene

/// The curve of an outline's corner as the tangent lines that a shader measures distance to.
///
/// The outline is convex, so its signed distance, positive inside, is the least over all directions
/// θ of h(θ) − p·n(θ), where n is the unit normal and h the support function: for a superellipse
/// h(θ) = r·(cos^q θ + sin^q θ)^(1/q) with 1/n + 1/q = 1 (the dual norm). The formula holds inside,
/// outside, beyond the evolute and at the kinks of n = 1 alike. A finite set of directions errs by at
/// most ρ·Δθ²/8, ρ being the radius of curvature; directions are halved until that is below
/// `tolerance`, and only where a pixel can see the curve.
///
/// The four corners are mirror images and each is symmetric about its diagonal, so one set is enough
/// for all: with e the distances inside from the nearer vertical and the nearer horizontal edge, and
/// e₁ ≤ e₂ the two in order, d = minₖ (aₖ·e₁ + bₖ·e₂ + cₖ), 0 ≤ θ ≤ 45°. For a point of that octant
/// the terms first fall and then rise along k, as the curvature of a superellipse is monotonic
/// between axis and diagonal; that is what makes a binary search exact.
package struct CornerTangents: Hashable, Sendable {
    /// The line's signed distance a·(e₁ − origin) + b·(e₂ − origin) + c, in output pixels.
    package struct Plane: Hashable, Sendable {
        /// The coefficients of the distance, in output pixels.
        package let a, b, c: Double
    }

    /// Ordered by direction, from the straight edge (θ = 0) to the diagonal.
    package let planes: [Plane]
    /// The origin of e₁ and e₂, so that 32-bit floats are precise where the curve is seen.
    package let origin: Vector
    /// The origin of the distances from the vertical and the horizontal edge: `origin`,
    /// with its parts exchanged where the pixels lie on the other side of the diagonal.
    package let edgeOrigin: Vector
    /// e₂ where the curve ends on the axis, from `origin`.
    package let curveEnd: Double

    /// The largest error of the distance, in output pixels. An 8-bit step of coverage is 0.004; in linear light a
    /// dark background makes 13 steps of one, and ten times as many tangents cost two halvings more.
    package static let tolerance = 0.0002

    /// The tangents that pixels of these blocks need.
    package init(of outline: Outline, seenIn blocks: [PixelRect]) {
        let sight = Sight(of: outline, in: blocks)
        origin = sight.origin
        edgeOrigin = sight.edgeOrigin
        curveEnd = outline.radius - sight.origin.dy
        var curve = TangentFan(outline: outline, sight: sight)
        planes = curve.planes()
    }

    /// The distance that the corner shader computes, by the same steps, in double precision.
    package func signedDistance(column: Int, row: Int, of outline: Outline) -> Double {
        let x = Double(column) + 0.5
        let y = Double(row) + 0.5
        let depthX = min(x - outline.rect.minX, outline.rect.maxX - x) - edgeOrigin.dx
        let depthY = min(y - outline.rect.minY, outline.rect.maxY - y) - edgeOrigin.dy
        let isBeyondDiagonal = depthX + (edgeOrigin.dx - edgeOrigin.dy) > depthY
        let (e1, e2) = isBeyondDiagonal ? (depthY, depthX) : (depthX, depthY)
        let onCurve = min(e2, curveEnd)
        var (low, high) = (0, planes.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if planes[middle].distance(e1, onCurve) <= planes[middle + 1].distance(e1, onCurve) {
                high = middle
            } else {
                low = middle + 1
            }
        }
        while low > 0 && e2 > curveEnd && planes[low - 1].distance(e1, e2) < planes[low].distance(e1, e2) { low -= 1 }
        return min(planes[low].distance(e1, e2), e1 + origin.dx)
    }
}

extension CornerTangents.Plane {
    fileprivate func distance(_ e1: Double, _ e2: Double) -> Double { a * e1 + b * e2 + c }
}

/// The part of the folded plane (e₁, e₂) that some pixel sees.
private struct Sight {
    /// Distances inside from the nearer vertical (x) and horizontal (y) edge.
    private let x: ClosedRange<Double>
    private let y: ClosedRange<Double>

    init(of outline: Outline, in blocks: [PixelRect]) {
        let xs = blocks.map { Self.depths($0.minX, $0.maxX, outline.rect.minX, outline.rect.maxX) }
        let ys = blocks.map { Self.depths($0.minY, $0.maxY, outline.rect.minY, outline.rect.maxY) }
        x = Self.union(xs)
        y = Self.union(ys)
    }

    /// The range of min(p − low, high − p) over the pixel centres of a block.
    private static func depths(_ first: Int, _ end: Int, _ low: Double, _ high: Double) -> ClosedRange<Double> {
        let start = Double(first) + 0.5
        let last = Double(end) - 0.5
        let ends = [min(start - low, high - start), min(last - low, high - last)]
        let middle = (low + high) / 2
        let deepest = start <= middle && middle <= last ? (high - low) / 2 : max(ends[0], ends[1])
        return min(ends[0], ends[1])...max(deepest, min(ends[0], ends[1]))
    }

    private static func union(_ ranges: [ClosedRange<Double>]) -> ClosedRange<Double> {
        guard let first = ranges.first else { return 0...0 }
        return ranges.reduce(first) {
            min($0.lowerBound, $1.lowerBound)...max($0.upperBound, $1.upperBound)
        }
    }

    private var centerX: Double { (x.lowerBound + x.upperBound) / 2 }
    private var centerY: Double { (y.lowerBound + y.upperBound) / 2 }
    /// Only pixels that all lie well to one side may be measured from a point of their own on that
    /// side: one on the diagonal itself can fall to either.
    private var isBeforeDiagonal: Bool { x.upperBound + 1 <= y.lowerBound }
    private var isBeyondDiagonal: Bool { y.upperBound + 1 <= x.lowerBound }

    var edgeOrigin: Vector {
        if isBeforeDiagonal || isBeyondDiagonal { return Vector(dx: centerX, dy: centerY) }
        let middle = (centerX + centerY) / 2
        return Vector(dx: middle, dy: middle)
    }

    var origin: Vector {
        isBeyondDiagonal ? Vector(dx: edgeOrigin.dy, dy: edgeOrigin.dx) : edgeOrigin
    }

    /// Whether a box of the folded plane comes near any pixel, on either side of the diagonal.
    func meets(_ low: Vector, _ high: Vector) -> Bool {
        let reach = 1.5
        func overlap(_ a: Double, _ b: Double, _ range: ClosedRange<Double>) -> Bool {
            a - reach <= range.upperBound && b + reach >= range.lowerBound
        }
        return (overlap(low.dx, high.dx, x) && overlap(low.dy, high.dy, y))
            || (overlap(low.dx, high.dx, y) && overlap(low.dy, high.dy, x))
    }
}

/// Halves the directions of an octant until neighbouring tangents agree.
private struct TangentFan {
    let outline: Outline
    let sight: Sight
    private var directions: [Double] = [0]

    init(outline: Outline, sight: Sight) {
        self.outline = outline
        self.sight = sight
    }

    mutating func planes() -> [CornerTangents.Plane] {
        refine(from: 0, to: .pi / 4, depth: 0)
        return directions.map(plane(at:))
    }

    private mutating func refine(from start: Double, to end: Double, depth: Int) {
        let a = touchPoint(at: start)
        let b = touchPoint(at: end)
        let step = end - start
        let chord = (b - a).length
        // ρ·Δθ is the arc's length; a pixel half a step outside adds ½ to ρ.
        let error = (chord + step / 2) * step / 8
        // Between a and b the curve and both tangents lie in this box: it is monotonic and convex.
        let isSeen = sight.meets(
            Vector(dx: min(a.x, b.x), dy: min(a.y, b.y)), Vector(dx: max(a.x, b.x), dy: max(a.y, b.y)))
        if isSeen && error > 2 * CornerTangents.tolerance && depth < 40 {
            let middle = (start + end) / 2
            refine(from: start, to: middle, depth: depth + 1)
            refine(from: middle, to: end, depth: depth + 1)
        } else {
            directions.append(end)
        }
    }

    /// Where the tangent of direction θ touches the curve, as the folded (e₁, e₂).
    private func touchPoint(at direction: Double) -> Point {
        let n = outline.exponent
        let slope = tan(direction)
        let ratio = pow(slope, 1 / (n - 1))
        let u = outline.radius * pow(1 + pow(ratio, n), -1 / n)
        return Point(x: outline.radius - u, y: outline.radius - ratio * u)
    }

    private func plane(at direction: Double) -> CornerTangents.Plane {
        let a = cos(direction)
        let b = sin(direction)
        let n = outline.exponent
        let dual = pow(1 + pow(b / a, n / (n - 1)), 1 - 1 / n)
        let support = outline.radius * a * dual
        let constant = support - outline.radius * (a + b) + a * sight.origin.dx + b * sight.origin.dy
        // Tangents lie outside the curve by up to twice the tolerance; half of that centres the error.
        return CornerTangents.Plane(a: a, b: b, c: constant - (direction > 0 ? CornerTangents.tolerance : 0))
    }
}
