import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// Draws callouts, the connector from a loupe's source to it and the ring around the source, and the mark, the frame around
/// a texel.
extension FramePainter {
    /// The connector, then the ring, over what the canvas holds. Each is drawn where it can be seen and nowhere else.
    func paint(_ callout: CalloutPlan, onto canvas: Target) throws(GLError) {
        let inputs = try CalloutInputs(callout, on: painter.context)
        for piece in callout.connector { try paint(piece, of: callout, inputs, onto: canvas) }
        if let ring = callout.ring { try paint(ring, of: callout, inputs, onto: canvas) }
    }

    private func paint(
        _ piece: CalloutPlan.Piece, of callout: CalloutPlan, _ inputs: CalloutInputs, onto canvas: Target
    ) throws(GLError) {
        let cut = callout.cut(piece, in: plan.scene.canvas.pixels)
        guard let first = (cut.covered + cut.edges).first else { return }
        let color = piece.color.working(blending)
        let fill = ShaderProgram(.noEdge, blending.options, content: .fill)
        try painter.draw(fill, .block, in: cut.covered, onto: canvas, blend: .over) { program in
            program.set(.fillColor, color)
            program.set(.opacity, 1)
        }
        let origin = (x: first.minX, y: first.minY)
        let shader = ShaderProgram(.connector, inputs.options.union(piece.polygons.count > 1 ? .head : []))
        try painter.draw(shader, .block, in: cut.edges, onto: canvas, blend: .over) { program in
            inputs.bind(program, from: origin, onto: canvas)
            program.set(.sides, piece.polygons.flatMap { $0.sidesOfShader(from: origin) })
            program.set(.connectorColor, color)
        }
    }

    private func paint(
        _ ring: Callout.Ring, of callout: CalloutPlan, _ inputs: CalloutInputs, onto canvas: Target
    ) throws(GLError) {
        let bounds = plan.scene.canvas.pixels.intersection(callout.source.block(grownBy: ring.width + 1))
        let region = callout.source.surroundings(within: bounds, width: ring.width)
        let shader = ShaderProgram(.sourceRing, inputs.options)
        try painter.draw(shader, region, in: [bounds], onto: canvas, blend: .over) { program in
            inputs.bind(program, from: (bounds.minX, bounds.minY), onto: canvas)
            program.set(.ringReach, Float(ring.width / 2))
            program.set(.ringColor, ring.color.working(blending))
        }
    }

    /// - Parameter bounds: of the view's region.
    func paint(
        _ mark: PlacedMark, in bounds: PixelRect, _ region: MeshRegion, onto target: Target
    ) throws(GLError) {
        let origin = (x: bounds.minX, y: bounds.minY)
        try painter.draw(ShaderProgram(.mark), region, in: mark.bands(in: bounds), onto: target, blend: .over) {
            program in
            program.set(.pixelOrigin, integers: origin.x - target.x, origin.y - target.y)
            program.set(.markOuter, mark.outer.sides(from: origin))
            program.set(.markInner, mark.inner.sides(from: origin))
            program.set(.markColor, mark.color.working(blending))
        }
    }
}

extension Border {
    /// The pixels that a ring about it may reach.
    fileprivate func surroundings(within bounds: PixelRect, width: Double) -> MeshRegion {
        switch self {
        case .disc(let disc):
            .ring(
                DiscRings(
                    center: disc.center, innerRadius: disc.radius - 0.5,
                    outerRadius: disc.radius + width + 0.5))
        case .outline(let outline):
            .blocks(bounds.without(PixelSpans(of: outline, deeperThan: 0.5, within: bounds).blocks))
        }
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

/// What the shaders of a callout read of its source and its loupe.
struct CalloutInputs {
    let options: ShaderOptions
    private let callout: CalloutPlan
    /// The source's outline; nil for a disc.
    private let outline: OutlineTexture?

    init(_ callout: CalloutPlan, on context: Context) throws(GLError) {
        self.callout = callout
        outline = try Self.outline(of: callout, on: context)
        options = (outline == nil ? [] : ShaderOptions.outline).union(callout.hasHole ? .hole : [])
    }

    /// The source's tangents measure the loupe's border too, `zoom` times as far, so they are more exact by as much.
    private static func outline(of callout: CalloutPlan, on context: Context) throws(GLError) -> OutlineTexture? {
        guard case .outline(let outline) = callout.source else { return nil }
        let tangents = OutlineTangents(
            of: outline, seenIn: [callout.source.block(grownBy: 1)], reach: (callout.ring?.width ?? 0) + 0.5,
            tolerance: CornerTangents.tolerance / (callout.hasHole ? callout.zoom : 1))
        return try OutlineTexture(tangents, of: outline, on: context)
    }

    /// - Parameter origin: the canvas pixel that shader positions are relative to.
    func bind(_ program: Program, from origin: (x: Int, y: Int), onto canvas: Target) {
        program.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        outline?.bind(program, from: origin, unit: 0)
        if case .disc(let source) = callout.source {
            program.set(.sourceCenter, source.center.position(from: origin))
            program.set(.sourceRadius, Float(source.radius))
        }
        if callout.hasHole { bindHole(program, from: origin) }
    }

    private func bindHole(_ program: Program, from origin: (x: Int, y: Int)) {
        if case .disc(let disc) = callout.border {
            program.set(.discCenter, disc.center.position(from: origin))
            program.set(.discRadius, Float(disc.radius))
        } else if let outline {
            let (source, loupe) = (callout.source.center - outline.origin, callout.border.center.position(from: origin))
            program.set(.zoom, Float(callout.zoom))
            program.set(
                .sourceShift, SIMD2(Float(source.dx), Float(source.dy)) - loupe / Float(callout.zoom))
        }
    }
}
