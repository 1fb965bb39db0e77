import LoupeBase
import LoupePlan
import LoupeScene

/// The courses of a callout's lines, as points on the canvas.
struct LinePlaces {
    var ring: [LinePoint]
    var connector: [LinePoint]

    /// For each loupe of a scene.
    static func all(of scene: Scene) -> [LinePlaces] {
        func onCanvas(_ points: [LinePoint]) -> [LinePoint] { points.filter { scene.canvas.contains($0.point) } }
        return scene.loupes.map { loupe in
            let plan = CalloutPlan(of: loupe, in: scene)
            let ring = plan.flatMap { plan in plan.ring.map { plan.source.points(outside: $0.reach / 2) } } ?? []
            return LinePlaces(ring: onCanvas(ring), connector: onCanvas(plan?.connectorPoints ?? []))
        }
    }
}

extension Scene.Canvas {
    /// Whether a point lies on it.
    func contains(_ point: Point) -> Bool { 0..<Double(width) ~= point.x && 0..<Double(height) ~= point.y }
}

/// A point of a rim, a ring or a connector, with the direction across the line.
struct LinePoint {
    /// In canvas pixels: in the middle of a band, or in the middle of the casing that borders an area.
    let point: Point
    /// Across the line, of length 1; away from the area.
    let normal: Vector
}

extension Border {
    /// A prime number, so that the points of eight octants lie differently between pixels.
    private static let pointCount = 179

    /// Points all around it in equal steps, at a distance outside of it.
    func points(outside distance: Double) -> [LinePoint] {
        let angles = (0..<Self.pointCount).map { 2 * .pi * (Double($0) + 0.5) / Double(Self.pointCount) }
        let points = angles.map { angle -> LinePoint in
            let normal = Vector(dx: cos(angle), dy: sin(angle))
            return LinePoint(point: touchPoint(toward: normal) + distance * normal, normal: normal)
        }
        // On a rectangle, most of them lie on its corners.
        return if case .disc = self { points } else { Self.evenlySpaced(points, count: Self.pointCount) }
    }

    /// As many points of a closed polygon in equal steps.
    private static func evenlySpaced(_ corners: [LinePoint], count: Int) -> [LinePoint] {
        let nexts = corners.dropFirst() + corners.prefix(1)
        let sides = zip(corners, nexts).map { (start: $0, way: $1.point - $0.point) }
        let step = sides.reduce(0) { $0 + $1.way.length } / Double(count)
        var points: [LinePoint] = []
        // The distance from the beginning of a side to the next point.
        var along = step / 2
        for side in sides {
            while along < side.way.length {
                let point = side.start.point + (along / side.way.length) * side.way
                points.append(LinePoint(point: point, normal: side.start.normal))
                along += step
            }
            along -= side.way.length
        }
        return points
    }
}

extension CalloutPlan {
    /// Points along the middle of each line or arrow, and along the casings of both flanks of a cone, from the source to the
    /// loupe.
    fileprivate var connectorPoints: [LinePoint] {
        let (start, end) = (source.center, border.center)
        let count = max(2, min(240, Int(start.distance(to: end))))
        return connector.flatMap { piece -> [LinePoint] in
            // Where the bearing from one centre to the other crosses the sides: each line's two first sides are parallel.
            let lines = piece.polygons.count > 1 ? [piece.hull.sides.prefix(2)] : piece.lines
            return lines.flatMap { sides -> [LinePoint] in
                let normal = -sides[sides.startIndex].normal
                return (0...count).compactMap { index in
                    let point = start + (Double(index) / Double(count)) * (end - start)
                    // Onto the casing of the only side, or to the middle between two.
                    let depths = sides.map { $0.depth(of: point) }
                    let shift = depths.count == 1 ? depths[0] + (casing?.width ?? 0) / 2 : (depths[0] - depths[1]) / 2
                    let moved = point + shift * normal
                    return source.isNear(moved, or: border) ? nil : LinePoint(point: moved, normal: normal)
                }
            }
        }
    }
}

extension CalloutPlan.Piece {
    /// The sides between which each line runs; for a cone each flank alone.
    fileprivate var lines: [ArraySlice<HalfPlane>] {
        let sides = polygons[0].sides
        return capRadius > 0 ? [sides.prefix(2)] : [sides.prefix(1), sides.dropFirst().prefix(1)]
    }
}

extension Border {
    /// Whether a point lies in this border or in another one.
    fileprivate func isNear(_ point: Point, or other: Border) -> Bool { contains(point) || other.contains(point) }

    /// Whether a point lies within it.
    package func contains(_ point: Point) -> Bool {
        switch self {
        case .disc(let disc): point.distance(to: disc.center) < disc.radius
        case .outline(let outline): outline.signedDistance(to: point) > 0
        }
    }
}
