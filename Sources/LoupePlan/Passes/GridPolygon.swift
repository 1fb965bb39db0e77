import LoupeBase
import LoupeScene

/// The coarsest subpixel grid that OpenGL ES allows. A corner on it is the same in every target, whatever the target's
/// position and size. Any other corner could be rounded to different points.
enum SubpixelGrid {
    /// In pixels.
    static let step = 1.0 / 16

    static func snapped(_ coordinate: Double) -> Double { (coordinate / step).rounded() * step }
    static func snapped(_ point: Point) -> SIMD2<Double> { SIMD2(snapped(point.x), snapped(point.y)) }
}

/// A convex polygon whose corners lie on the subpixel grid, in output pixels.
///
/// Neighbours that share a side keep sharing it when both are cut to the same block, so the rasteriser gives each pixel
/// of the block to exactly one of them.
struct GridPolygon {
    /// In order, turning from x to y; fewer than three where there is nothing.
    private(set) var corners: [SIMD2<Double>]

    init(corners: [SIMD2<Double>]) { self.corners = corners }

    /// All of a block.
    init(_ block: PixelRect) {
        let (low, high) = block.extent
        corners = [low, SIMD2(high.x, low.y), high, SIMD2(low.x, high.y)]
    }

    /// Its part in a block. A side that is cut moves by less than a step.
    func cut(to block: PixelRect) -> GridPolygon {
        var (least, most) = (SIMD2(repeating: Double.infinity), SIMD2(repeating: -Double.infinity))
        for corner in corners {
            least = pointwiseMin(least, corner)
            most = pointwiseMax(most, corner)
        }
        let (low, high) = block.extent
        guard all(least .< high), all(most .> low) else { return GridPolygon(corners: []) }
        var part = self
        for axis in 0...1 {
            if least[axis] < low[axis] { part.cut(across: axis, at: low[axis], keepingAbove: true) }
            if most[axis] > high[axis] { part.cut(across: axis, at: high[axis], keepingAbove: false) }
        }
        return part
    }

    /// Keeps what lies on one side of a line across an axis.
    private mutating func cut(across axis: Int, at line: Double, keepingAbove: Bool) {
        var kept: [SIMD2<Double>] = []
        kept.reserveCapacity(corners.count + 1)
        for index in corners.indices {
            let (start, end) = (corners[index], corners[index + 1 < corners.count ? index + 1 : 0])
            let isKept = keepingAbove ? start[axis] >= line : start[axis] <= line
            if isKept { kept.append(start) }
            guard isKept != (keepingAbove ? end[axis] >= line : end[axis] <= line) else { continue }
            // Always from the lower end, so that the polygon on the other side finds the same point.
            let (low, high) = start[axis] < end[axis] ? (start, end) : (end, start)
            var point = low + (line - low[axis]) / (high[axis] - low[axis]) * (high - low)
            point[axis] = line
            point[1 - axis] = SubpixelGrid.snapped(point[1 - axis])
            kept.append(point)
        }
        corners = kept
    }

    /// Without the corners where snapping has made it concave: it grows by less than a step.
    var withoutDents: GridPolygon {
        var polygon = self
        while let dent = polygon.corners.indices.first(where: polygon.isDent) { polygon.corners.remove(at: dent) }
        return polygon
    }

    private func isDent(_ index: Int) -> Bool {
        let count = corners.count
        let one = corners[index] - corners[(index + count - 1) % count]
        let other = corners[(index + 1) % count] - corners[index]
        return count >= 3 && one.x * other.y - one.y * other.x <= 0
    }

    /// The largest triangle first, then what is left on its sides: compact triangles leave a tiling rasteriser few
    /// tiles that are partly covered.
    var triangles: [Triangle] {
        guard corners.count >= 3 else { return [] }
        var triangles: [Triangle] = []
        let (first, second) = (corners.count / 3, 2 * corners.count / 3)
        addCap(from: 0, to: first, &triangles)
        addCap(from: first, to: second, &triangles)
        addCap(from: second, to: corners.count, &triangles)
        triangles.append(Triangle(a: corners[0], b: corners[first], c: corners[second]))
        return triangles
    }

    /// The part beyond the chord of two corners.
    private func addCap(from first: Int, to last: Int, _ triangles: inout [Triangle]) {
        guard last - first > 1 else { return }
        let middle = (first + last) / 2
        triangles.append(
            Triangle(a: corners[first], b: corners[middle], c: corners[last < corners.count ? last : 0]))
        addCap(from: first, to: middle, &triangles)
        addCap(from: middle, to: last, &triangles)
    }
}

/// Three corners in output pixels.
struct Triangle {
    let a, b, c: SIMD2<Double>

    /// Whether the triangle's bounds meet a block's.
    func isNear(_ block: PixelRect) -> Bool {
        let (low, high) = block.extent
        return all(pointwiseMin(pointwiseMin(a, b), c) .< high) && all(pointwiseMax(pointwiseMax(a, b), c) .> low)
    }
}

extension PixelRect {
    /// The first corner and the one beyond the last pixel.
    fileprivate var extent: (low: SIMD2<Double>, high: SIMD2<Double>) {
        (SIMD2(Double(minX), Double(minY)), SIMD2(Double(maxX), Double(maxY)))
    }
}
