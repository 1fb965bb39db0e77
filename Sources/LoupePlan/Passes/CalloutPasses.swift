import LoupeBase
import LoupeScene

/// Callouts: the ring around a loupe's source with the connector to the loupe, and the casing of a rim.
extension FramePasses {
    /// Ring and connector as one shape, over what the canvas holds, where they can be seen and nowhere else.
    mutating func add(_ callout: CalloutPlan, onto canvas: CanvasTarget) {
        let cut = callout.cut(in: plan.canvas)
        guard let first = (cut.filled + cut.shaded).first else { return }
        addFill(callout.color.working(blending), .block, in: cut.filled, onto: canvas, blend: .over)
        let origin = (x: first.minX, y: first.minY)
        let source = CalloutInputs(callout)
        var inputs = ShaderInputs()
        source.set(&inputs, from: origin, onto: canvas)
        inputs.setConnector(callout, from: origin, blending)
        inputs.setRing(callout.ring, blending)
        addDraw(
            ShaderProgram(.callout, source.options), .block, in: cut.shaded, onto: canvas, blend: .over, inputs)
    }

    /// The casing of a loupe's rim, around the loupe.
    mutating func add(_ casing: Casing, of loupe: Loupe, onto canvas: CanvasTarget) {
        let border = Border(of: loupe)
        let bounds = plan.canvas.intersection(border.block(grownBy: casing.width + 1))
        guard !bounds.isEmpty else { return }
        let origin = (x: bounds.minX, y: bounds.minY)
        let source = CalloutInputs(around: loupe, reach: casing.width)
        var inputs = ShaderInputs()
        source.set(&inputs, from: origin, onto: canvas)
        inputs.setConnector(nil, from: origin, blending)
        // It begins a pixel inside the loupe, which covers that pixel, so that no gap shows through the feather.
        inputs.setRing(Callout.Ring(width: casing.width + 1, color: casing.color), blending, start: -1)
        addDraw(
            ShaderProgram(.callout, source.options), border.surroundings(within: bounds, width: casing.width),
            in: [bounds], onto: canvas, blend: .over, inputs)
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
    /// Four sides as the shader reads them: the last one stands for those that are missing.
    fileprivate func sidesOfShader(from origin: (x: Int, y: Int)) -> [SIMD3<Float>] {
        let place = Point(x: Double(origin.x), y: Double(origin.y))
        let vectors = sides.map {
            SIMD3(Float($0.normal.dx), Float($0.normal.dy), Float($0.depth(of: place)))
        }
        return vectors + (vectors.count..<4).map { _ in vectors[vectors.count - 1] }
    }
}

extension ShaderInputs {
    /// Farther than any canvas reaches, in pixels.
    private static let faraway: Float = 1e6

    /// - Parameter callout: nil for no connector.
    fileprivate mutating func setConnector(
        _ callout: CalloutPlan?, from origin: (x: Int, y: Int), _ blending: Blending
    ) {
        let polygons = callout?.connector.flatMap { $0.polygons } ?? []
        let nothing = SIMD3<Float>(0, 0, -Self.faraway)
        let sides = polygons.flatMap { $0.sidesOfShader(from: origin) }
        set(.sides, sides + (sides.count..<8).map { _ in nothing })
        set(.capRadius, Float(callout?.connector.first?.capRadius ?? 0))
        set(.connectorColor, callout?.color.working(blending) ?? .zero)
        set(.connectorCasing, callout?.casing?.color.working(blending) ?? .zero)
        set(.connectorCasingWidth, Float(callout?.casing?.width ?? 0))
    }

    /// - Parameter start: where a ring without casing begins, in pixels outside of the border.
    fileprivate mutating func setRing(_ ring: Callout.Ring?, _ blending: Blending, start: Double = 0) {
        set(.ringColor, ring?.color.working(blending) ?? .zero)
        set(.ringCasing, ring?.casing?.color.working(blending) ?? .zero)
        set(.ringCasingWidth, Float(ring?.casing?.width ?? start))
        set(.ringWidth, ring.map { Float($0.width) } ?? -Self.faraway)
    }
}

/// The values of a source and its loupe that the shader of a callout reads.
private struct CalloutInputs {
    let options: ShaderOptions
    private let source: Border
    /// The loupe, if nothing is drawn under it.
    private let hole: Border?
    /// How many times smaller the source is than the loupe.
    private let zoom: Double
    /// The source's outline; nil for a disc.
    private let outline: OutlineTable?

    init(_ callout: CalloutPlan) {
        self.init(
            source: callout.source, hole: callout.hasHole ? callout.border : nil, zoom: callout.zoom,
            reach: callout.ring?.reach ?? 0)
    }

    /// For a band around the loupe itself.
    init(around loupe: Loupe, reach: Double) {
        let border = Border(of: loupe)
        self.init(source: border, hole: loupe.isSeenThrough ? border : nil, zoom: 1, reach: reach)
    }

    private init(source: Border, hole: Border?, zoom: Double, reach: Double) {
        (self.source, self.hole, self.zoom) = (source, hole, zoom)
        if case .outline(let shape) = source {
            // The source's tangents measure the loupe's border too, `zoom` times as far, so they are more exact by as much.
            let tangents = OutlineTangents(
                of: shape, seenIn: [source.block(grownBy: 1)], reach: reach + 0.5,
                tolerance: OutlineTangents.tolerance / (hole == nil ? 1 : zoom))
            outline = OutlineTable(tangents, of: shape)
        } else {
            outline = nil
        }
        options = (outline == nil ? [] : ShaderOptions.outline).union(hole == nil ? [] : .hole)
    }

    /// - Parameter origin: the canvas pixel that shader positions are relative to.
    func set(_ inputs: inout ShaderInputs, from origin: (x: Int, y: Int), onto canvas: CanvasTarget) {
        inputs.set(.pixelOrigin, integers: origin.x - canvas.x, origin.y - canvas.y)
        outline?.set(&inputs, from: origin)
        if case .disc(let source) = source {
            inputs.set(.sourceCenter, source.center.position(from: origin))
            inputs.set(.sourceRadius, Float(source.radius))
        }
        if let hole { set(hole, &inputs, from: origin) }
    }

    private func set(_ hole: Border, _ inputs: inout ShaderInputs, from origin: (x: Int, y: Int)) {
        if case .disc(let disc) = hole {
            inputs.set(.discCenter, disc.center.position(from: origin))
            inputs.set(.discRadius, Float(disc.radius))
        } else if let outline {
            let (source, loupe) = (source.center - outline.origin, hole.center.position(from: origin))
            inputs.set(.zoom, Float(zoom))
            inputs.set(.sourceShift, SIMD2(Float(source.dx), Float(source.dy)) - loupe / Float(zoom))
        }
    }
}
