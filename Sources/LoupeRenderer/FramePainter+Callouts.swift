import LoupeGLES
import LoupeGeometry
import LoupeScene

/// What a loupe has beyond its disc, and the frame around its centre texel.
extension FramePainter {
    /// The connector, then the ring, over what the canvas holds. Each is drawn where it can be seen and nowhere else.
    func paint(_ callout: CalloutPlan, onto canvas: Target) throws(GLError) {
        for piece in callout.connector { try paint(piece, of: callout, onto: canvas) }
        if let ring = callout.ring { try paint(ring, of: callout, onto: canvas) }
    }

    private func paint(_ piece: CalloutPlan.Piece, of callout: CalloutPlan, onto canvas: Target) throws(GLError) {
        let cut = callout.cut(piece, in: plan.scene.canvas.pixels)
        guard let first = (cut.covered + cut.edges).first else { return }
        let color = piece.color.working(blending)
        try painter.draw(.layer(.noEdge, .fill, blending), .block, in: cut.covered, onto: canvas, blend: .over) {
            program in
            program.set(.fillColor, color)
            program.set(.opacity, 1)
        }
        let origin = (x: first.minX, y: first.minY)
        let key = ProgramCache.Key.connector(polygons: piece.polygons.count, hasHole: callout.hole != nil)
        try painter.draw(key, .block, in: cut.edges, onto: canvas, blend: .over) { program in
            program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
            program.set(.sides, piece.polygons.flatMap { $0.sidesOfShader(from: origin) })
            program.set(.connectorColor, color)
            program.set(.sourceCenter, callout.source.center.place(from: origin))
            program.set(.sourceRadius, Float(callout.source.radius))
            callout.bindHole(program, from: origin)
        }
    }

    private func paint(_ ring: CalloutPlan.Ring, of callout: CalloutPlan, onto canvas: Target) throws(GLError) {
        let (circle, reach) = (ring.circle, ring.width / 2)
        let rings = DiscRings(
            center: circle.center, innerRadius: circle.radius - reach - 0.5, outerRadius: circle.radius + reach + 0.5)
        let origin = circle.center.wholePixel
        let key = ProgramCache.Key.sourceRing(hasHole: callout.hole != nil)
        try painter.draw(key, .ring(rings), in: [plan.scene.canvas.pixels], onto: canvas, blend: .over) { program in
            program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
            program.set(.ringCenter, circle.center.place(from: origin))
            program.set(.ringRadius, Float(circle.radius))
            program.set(.ringReach, Float(reach))
            program.set(.ringColor, ring.color.working(blending))
            callout.bindHole(program, from: origin)
        }
    }

    /// - Parameter bounds: of the view's region.
    func paint(
        _ mark: PlacedMark, in bounds: PixelRect, _ region: MeshRegion, onto target: Target
    ) throws(GLError) {
        let origin = (x: bounds.minX, y: bounds.minY)
        try painter.draw(.mark, region, in: mark.bands(in: bounds), onto: target, blend: .over) { program in
            program.set(.pixelOrigin, integers: origin.x - target.x, origin.y - target.y)
            program.set(.markOuter, mark.outer.sides(from: origin))
            program.set(.markInner, mark.inner.sides(from: origin))
            program.set(.markColor, mark.color.working(blending))
        }
    }
}

extension CalloutPlan {
    fileprivate func bindHole(_ program: Program, from origin: (x: Int, y: Int)) {
        guard let hole else { return }
        program.set(.discCenter, hole.center.place(from: origin))
        program.set(.discRadius, Float(hole.radius))
    }
}

extension ConvexPolygon {
    /// Four sides as the shader reads them: a triangle has its last one twice.
    fileprivate func sidesOfShader(from origin: (x: Int, y: Int)) -> [SIMD3<Float>] {
        let place = Point(x: Double(origin.x), y: Double(origin.y))
        let vectors = sides.map {
            SIMD3(Float($0.normal.dx), Float($0.normal.dy), Float($0.depth(of: place)))
        }
        return vectors + vectors.suffix(4 - vectors.count)
    }
}

extension Rect {
    fileprivate func sides(from origin: (x: Int, y: Int)) -> SIMD4<Float> {
        let (x, y) = (Double(origin.x), Double(origin.y))
        return SIMD4(Float(minX - x), Float(minY - y), Float(maxX - x), Float(maxY - y))
    }
}

extension Point {
    fileprivate var wholePixel: (x: Int, y: Int) { (x: Int(x.rounded(.down)), y: Int(y.rounded(.down))) }
}
