import LoupeBase
import LoupePlan
import LoupeScene

/// A ring and a connector with their casings as one shape, in which no part lies over another (specification, section 6.3).
struct CalloutDrawing {
    /// One of the four parts: what is filled, and what is left out for the parts that come after it.
    private struct Part {
        let color: Color
        /// Its figures may overlap each other; they are filled together.
        let fill: VectorPath
        /// Filled together they are `fill`.
        let figures: [VectorPath]
        /// Whether the source's inside is left out, up to a distance from its border.
        let spares: VectorPath?
    }

    private let parts: [Part]
    private let frame: Rect
    private let hole: VectorPath?

    /// - Parameters:
    ///   - frame: holds all of the picture.
    ///   - tolerance: of curves, in canvas pixels.
    init(_ callout: CalloutPlan, frame: Rect, tolerance: Double) {
        self.frame = frame
        hole = callout.hasHole ? callout.border.path(tolerance: tolerance) : nil
        func edge(_ distance: Double) -> VectorPath {
            callout.source.path(grownBy: distance, tolerance: tolerance)
        }
        let inner = callout.ring?.casing?.width ?? 0
        let spared = edge(inner)
        func band(_ near: Double, _ far: Double, _ color: Color) -> Part {
            let path = edge(far) + edge(near).reversed
            return Part(color: color, fill: path, figures: [path], spares: nil)
        }
        func connector(grownBy growth: Double, _ color: Color) -> Part? {
            let figures = callout.connector.flatMap { $0.figures(grownBy: growth) }
            guard !figures.isEmpty else { return nil }
            return Part(color: color, fill: figures.reduce(VectorPath(), +), figures: figures, spares: spared)
        }
        // Each takes what the ones before it leave.
        parts = [
            callout.ring.map { band(inner, inner + $0.width, $0.color) },
            connector(grownBy: 0, callout.color),
            callout.ring.flatMap { ring in ring.casing.map { band(0, ring.reach, $0.color) } },
            callout.casing.flatMap { connector(grownBy: $0.width, $0.color) },
        ].compactMap { $0 }
    }

    /// From the last part to the first. Opaque parts simply cover the ones after them; a translucent part is left out of
    /// those instead.
    var operations: [DrawingOperation] {
        var operations: [DrawingOperation] = [.save]
        if let hole { operations.append(.clip(outside(hole))) }
        for index in parts.indices.reversed() where parts[index].color.alpha > 0 {
            let earlier = parts[..<index].filter { !$0.color.isOpaque }
            if parts[index].spares == nil, let spared = earlier.compactMap(\.spares).first {
                // The connector, which is left out, does not reach into what it spares.
                operations += fill(parts[index], without: earlier.filter { $0.spares == nil }, [.clip(spared)])
                operations += fill(parts[index], without: earlier, [.clip(outside(spared))])
            } else {
                operations += fill(
                    parts[index], without: earlier, parts[index].spares.map { [.clip(outside($0))] } ?? [])
            }
        }
        return operations + [.restore]
    }

    private func fill(_ part: Part, without others: [Part], _ clips: [DrawingOperation]) -> [DrawingOperation] {
        [.save] + clips + others.flatMap(\.figures).map { .clip(outside($0)) } + [
            .fill(part.fill, part.color), .restore,
        ]
    }

    private func outside(_ path: VectorPath) -> VectorPath { VectorPath(frame) + path.reversed }
}

extension CalloutPlan.Piece {
    /// The polygons, or the line with round ends, each larger by a distance on every side, clockwise.
    fileprivate func figures(grownBy growth: Double) -> [VectorPath] {
        polygons.compactMap { polygon in
            guard capRadius > 0 else { return VectorPath(polygon.vertices(grownBy: growth)) }
            // The first two sides are those along the line; the other two pass through its ends.
            let corners = polygon.vertices(grownBy: 0)
            guard corners.count == 4, polygon.sides.count == 4 else { return nil }
            func middle(of side: HalfPlane) -> Point {
                let near = corners.sorted { abs(side.depth(of: $0)) < abs(side.depth(of: $1)) }
                return near[0] + 0.5 * (near[1] - near[0])
            }
            return VectorPath(
                lineFrom: middle(of: polygon.sides[2]), to: middle(of: polygon.sides[3]),
                width: 2 * (capRadius + growth))
        }
    }
}

extension ConvexPolygon {
    /// The corners, clockwise on the screen; fewer than three where it is empty.
    fileprivate func vertices(grownBy growth: Double) -> [Point] {
        let far = 1e6
        let square = [
            Point(x: -far, y: -far), Point(x: far, y: -far), Point(x: far, y: far), Point(x: -far, y: far),
        ]
        return corners(within: square, grownBy: growth)
    }
}
