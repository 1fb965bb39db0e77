import LoupeBase
import LoupeScene

/// Callouts: the ring around a loupe's source with the connector to the loupe, and the casing of a rim.
extension FramePasses {
    /// Ring and connector as one shape, over what the canvas holds, where they can be seen and nowhere else.
    mutating func add(_ callout: CalloutPlan, onto canvas: CanvasTarget) {
        let cut = callout.cut(in: plan.canvas)
        addFill(callout.color.working(blending), in: cut.filled, onto: canvas, blend: .over)
        if cut.shaded.isEmpty { return }
        // The source's border measures the loupe's too, `zoom` times as far, so it is more exact by as much.
        let source = BorderInputs(
            callout.source, seenIn: [callout.source.block(grownBy: 1)], reach: (callout.ring?.reach ?? 0) + 0.5,
            tolerance: OutlineTangents.tolerance / (callout.hasHole ? callout.zoom : 1))
        var inputs = ShaderInputs()
        source.set(&inputs, onto: canvas)
        inputs.setConnector(callout, from: source.origin, blending)
        inputs.setRing(callout.ring, blending)
        if callout.hasHole {
            inputs.setHole(callout.border, of: callout.source, zoom: callout.zoom, from: source.origin)
        }
        addDraw(
            ShaderProgram(.callout, source.options.union(callout.hasHole ? .hole : [])), in: cut.shaded, onto: canvas,
            blend: .over, inputs)
    }

    /// The casing of a loupe's rim, around the loupe.
    mutating func add(_ casing: Casing, of loupe: Loupe, onto canvas: CanvasTarget) {
        let border = Border(of: loupe)
        let around = Region(of: border, deeperThan: -casing.width - 0.5, within: plan.canvas)
        let blocks = around.blocks(without: Region(of: border, deeperThan: 0.5, within: around.bounds))
        if blocks.isEmpty { return }
        let source = BorderInputs(border, seenIn: [border.block(grownBy: 1)], reach: casing.width + 0.5)
        var inputs = ShaderInputs()
        source.set(&inputs, onto: canvas)
        inputs.setConnector(nil, from: source.origin, blending)
        // It begins a pixel inside the loupe, which covers that pixel, so that no gap shows through the feather.
        inputs.setRing(Callout.Ring(width: casing.width + 1, color: casing.color), blending, start: -1)
        if loupe.isSeenThrough { inputs.setHole(border, of: border, zoom: 1, from: source.origin) }
        addDraw(
            ShaderProgram(.callout, source.options.union(loupe.isSeenThrough ? .hole : [])), in: blocks, onto: canvas,
            blend: .over, inputs)
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

    /// The loupe, under which nothing is drawn: its border is the source's, `zoom` times as large.
    fileprivate mutating func setHole(
        _ loupe: Border, of source: Border, zoom: Double, from origin: (x: Int, y: Int)
    ) {
        let (x, y) = (Double(origin.x), Double(origin.y))
        set(.zoom, Float(zoom))
        set(
            .sourceShift,
            SIMD2(
                Float(source.center.x - x - (loupe.center.x - x) / zoom),
                Float(source.center.y - y - (loupe.center.y - y) / zoom)))
    }
}
