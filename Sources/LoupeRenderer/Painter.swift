import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders

/// Draws the layers of a plan: the only place that turns pieces into draw calls.
final class Painter {
    let context: Context
    let programs: ProgramCache
    /// Where draw calls are kept, while somebody wants to repeat them.
    var recorder: DrawRecorder?
    private let vertices: VertexBuffer
    private var framebuffers: [FramebufferRole: Framebuffer] = [:]

    init(_ context: Context, replacements: ShaderReplacements = .embedded) throws(GLError) {
        self.context = context
        programs = ProgramCache(context, replacements: replacements)
        vertices = try VertexBuffer(context)
    }

    /// A framebuffer for one purpose, used again from frame to frame: fresh memory costs more than drawing into it.
    ///
    /// What it holds is whatever was drawn last. It is at least as large as asked, and exactly so where rows
    /// of it will be read.
    func framebuffer(
        _ role: FramebufferRole, _ format: Texture.Format, width: Int, height: Int
    ) throws(GLError) -> Framebuffer {
        if let old = framebuffers[role], old.texture.format == format, role.fits(old, width, height) { return old }
        framebuffers[role] = nil
        let framebuffer = try Framebuffer(context, format: format, width: width, height: height)
        framebuffers[role] = framebuffer
        return framebuffer
    }

    /// The canvas that will be read, where one has been drawn.
    var lastCanvas: Framebuffer? { framebuffers[.canvas] }

    /// Draws a mesh with a program whose other uniforms `bind` sets.
    func draw(
        _ key: ProgramCache.Key, _ region: MeshRegion, in rects: [PixelRect], onto target: Target, blend: Blend,
        bind: @escaping (Program) -> Void
    ) throws(GLError) {
        let mesh = region.mesh(in: rects, from: (target.x, target.y))
        guard !mesh.isEmpty else { return }
        // What is repeated keeps its triangles on the device.
        let vertices = recorder == nil ? self.vertices : try VertexBuffer(context)
        let call = DrawCall(
            key: key, program: try programs[key], vertices: vertices, target: target, blend: blend, bind: bind)
        try vertices.upload(mesh)
        call.issue()
        recorder?.calls.append(call)
    }

    /// Fills blocks with a working colour.
    func fill(
        _ color: SIMD4<Float>, _ region: MeshRegion, in rects: [PixelRect], onto target: Target, blending: Blending
    ) throws(GLError) {
        let key = ProgramCache.Key.layer(.noEdge, .fill, blending)
        try draw(key, region, in: rects, onto: target, blend: .replace) { program in
            program.set(.fillColor, color)
            program.set(.opacity, 1)
        }
    }
}

/// What a framebuffer is used for; one of each lives as long as the painter.
enum FramebufferRole: Hashable {
    /// What is read in the end.
    case canvas
    /// The canvas with more than 8 bits a channel.
    case wideCanvas
    /// The base view, kept from frame to frame of a sequence.
    case base
    /// Where loupes are drawn more finely than the canvas is held.
    case loupeBlock
    /// What lay under the border of the loupe that is being drawn.
    case below
    /// The other half of the loupe that is being drawn.
    case otherHalf
    /// The first direction of the filter that is being run.
    case filteredRows
    /// Where fragments are counted.
    case count

    fileprivate func fits(_ framebuffer: Framebuffer, _ width: Int, _ height: Int) -> Bool {
        switch self {
        case .canvas, .wideCanvas, .base: framebuffer.width == width && framebuffer.height == height
        case .loupeBlock, .below, .otherHalf, .filteredRows, .count:
            framebuffer.width >= width && framebuffer.height >= height
        }
    }
}

/// A layer of the plan with everything on the device that its shaders read.
struct PaintableLayer {
    enum Source {
        case fill(SIMD4<Float>)
        case copy(Texture, dx: Int, dy: Int)
        /// From memory to a canvas that shows nothing else there.
        case moved(Image, dx: Int, dy: Int)
        case linear(HeldTexels, columns: AxisMapping, rows: AxisMapping)
        case filtered(FilteredRows)

        var kind: ContentKind {
            switch self {
            case .fill: .fill
            case .copy, .moved: .copy
            case .linear: .linear
            case .filtered(let rows): rows.texture.format == .rgba32UI ? .fineSeparable : .separable
            }
        }

        /// Whether there is nothing to see but ink.
        var isNothing: Bool {
            if case .fill(.zero) = self { true } else { false }
        }
    }

    let plan: LayerPlan
    let source: Source
    /// What its clip shaders lay it over; nil where they blend it with what is there.
    let backdrop: SIMD4<Float>?
    /// Its strokes: empty where none is in sight, else bands that hold every piece together.
    let ink: [InkSheet]
    /// Lines and differences for the corner shader; nil where no piece needs it.
    let tangents: Texture?
    /// Of `LayerPlan.unevenTangents`.
    let outline: OutlineSheet?
    let blending: Blending
    /// The canvas pixel that shader positions are told from.
    let pixelOrigin: (x: Int, y: Int)

    /// The pieces, cut to the rows that the source serves.
    private var pieces: [Piece] {
        guard case .filtered(let rows) = source else { return plan.pieces }
        return plan.pieces.compactMap { piece in
            piece.cut(
                to: PixelRect(
                    minX: piece.rect.minX, minY: rows.rows.lowerBound, maxX: piece.rect.maxX,
                    maxY: rows.rows.upperBound))
        }
    }

    /// Draws the layer's pieces that lie in a region: one draw call a shader, and one more for each sheet of ink.
    func paint(_ region: MeshRegion, onto target: Target, by painter: Painter) throws(GLError) {
        let groups = Dictionary(grouping: pieces, by: \.state)
        // In a fixed order, so that the same plan gives the same calls.
        for state in ClipState.allCases {
            guard let group = groups[state] else { continue }
            let blend: Blend = plan.isOpaque && (state == .noEdge || backdrop != nil) ? .replace : .over
            let rects = group.map(\.rect)
            try paintPlain(state, rects, blend, region, onto: target, by: painter)
            for sheet in ink {
                let inked = rects.flatMap { sheet.tiles.split($0).inked }
                try paint(state, inked, sheet, blend, region, onto: target, by: painter)
            }
        }
    }

    /// What lies outside of all ink, or more of it where that is quicker and ink will replace it.
    private func paintPlain(
        _ state: ClipState, _ rects: [PixelRect], _ blend: Blend, _ region: MeshRegion, onto target: Target,
        by painter: Painter
    ) throws(GLError) {
        if source.isNothing { return }
        if case .moved(let image, let dx, let dy) = source {
            return try move(rects, of: image, dx: dx, dy: dy, onto: target)
        }
        if state == .noEdge, plan.isOpaque, case .block = region, try copyTexels(of: rects, onto: target, by: painter) {
            return
        }
        let plain = ink.isEmpty ? rects : rects.flatMap { rect in ink.flatMap { $0.tiles.split(rect).plain } }
        try paint(state, plain, nil, blend, region, onto: target, by: painter)
    }

    private func paint(
        _ state: ClipState, _ rects: [PixelRect], _ sheet: InkSheet?, _ blend: Blend, _ region: MeshRegion,
        onto target: Target, by painter: Painter
    ) throws(GLError) {
        guard let shader = ClipShader(state, of: plan.outline), !rects.isEmpty else { return }
        let key = ProgramCache.Key.layer(
            shader, source.kind, blending, isInked: sheet != nil, hasGrid: plan.grid != nil)
        try painter.draw(key, region, in: rects, onto: target, blend: blend) { program in
            bindContent(program, target)
            bindClip(state, program, target)
            sheet?.bind(program, target)
            if let grid = plan.grid { bindGrid(grid, program, target) }
        }
    }

    /// Where texels and pixels are the same bytes in the same grid, moving them is all there is to shade: on a
    /// software device eleven times as fast as a shader that fetches each. False where they are not, or where a crop
    /// shows more than the texels there are.
    private func copyTexels(of rects: [PixelRect], onto target: Target, by painter: Painter) throws(GLError) -> Bool {
        guard case .copy(let texture, let dx, let dy) = source, blending == .srgb,
            texture.format == target.framebuffer.texture.format,
            rects.allSatisfy({ texture.holds($0, dx: dx, dy: dy) })
        else { return false }
        let image = try Framebuffer(painter.context, texture: texture)
        for rect in rects {
            try target.framebuffer.copy(
                x: rect.minX - target.x, y: rect.minY - target.y, width: rect.width, height: rect.height, from: image,
                dx: dx + target.x, dy: dy + target.y)
        }
        return true
    }

    /// Puts an image's texels into their places.
    private func move(_ rects: [PixelRect], of image: Image, dx: Int, dy: Int, onto target: Target) throws(GLError) {
        let texture = target.framebuffer.texture
        try image.pixels.withUnsafeBufferPointer { (bytes) throws(GLError) in
            guard let start = bytes.baseAddress else { return }
            for rect in rects {
                try texture.upload(
                    x: rect.minX - target.x, y: rect.minY - target.y, width: rect.width, height: rect.height,
                    from: start + ((rect.minY + dy) * image.width + rect.minX + dx) * 4, rowLength: image.width)
            }
        }
    }

    private func bindContent(_ program: Program, _ target: Target) {
        program.set(.opacity, Float(plan.opacity))
        switch source {
        case .fill(let color):
            program.set(.fillColor, color)
        case .copy(let texture, let dx, let dy):
            program.set(.image, texture, unit: 0)
            program.set(.texelShift, integers: dx + target.x, dy + target.y)
            program.set(.lastTexel, integers: texture.width - 1, texture.height - 1)
        case .moved:
            preconditionFailure("no shader draws what is moved")
        case .linear(let held, let columns, let rows):
            let texture = held.texture
            program.set(.image, texture, unit: 0)
            let x = columns.linearStart(pixel: pixelOrigin.x)
            let y = rows.linearStart(pixel: pixelOrigin.y)
            program.set(.texelBase, integers: x.texel - held.x, y.texel - held.y)
            program.set(.texelFraction, SIMD2(Float(x.fraction), Float(y.fraction)))
            program.set(.texelStep, SIMD2(Float(columns.scale), Float(rows.scale)))
            program.set(.lastTexel, integers: texture.width - 1, texture.height - 1)
            bindPlace(program, target)
        case .filtered(let rows):
            program.set(.filtered, rows.texture, unit: 0)
            program.set(.rowTable, rows.rowTable, unit: 1)
            program.set(.rowTaps, integer: rows.rowTaps)
            program.set(.filteredOrigin, integers: rows.firstColumn - target.x, rows.rows.lowerBound - target.y)
            program.set(.filteredFirstRow, integer: rows.texelRows.lowerBound)
            program.set(.filteredLastRow, integer: rows.texelRows.count - 1)
        }
    }

    private func bindGrid(_ grid: PlacedGrid, _ program: Program, _ target: Target) {
        let x = grid.columns.gridStart(pixel: pixelOrigin.x)
        let y = grid.rows.gridStart(pixel: pixelOrigin.y)
        program.set(.gridColor, grid.color.working(blending) * Float(grid.strength))
        program.set(.gridFraction, SIMD2(Float(x.fraction), Float(y.fraction)))
        program.set(.gridStep, SIMD2(Float(grid.columns.scale), Float(grid.rows.scale)))
        program.set(.gridBorders, SIMD4(Float(x.first), Float(y.first), Float(x.last), Float(y.last)))
        bindPlace(program, target)
    }

    private func bindPlace(_ program: Program, _ target: Target) {
        program.set(.pixelOrigin, integers: pixelOrigin.x - target.x, pixelOrigin.y - target.y)
    }

    private func bindClip(_ state: ClipState, _ program: Program, _ target: Target) {
        if state != .noEdge { program.set(.backdrop, backdrop ?? .zero) }
        if state == .singleEdge {
            bindPlace(program, target)
            program.set(.outlineEdges, outlineEdges(movedIn: Vector(dx: 0, dy: 0)))
        } else if state == .corner, let planes = plan.tangents, let texture = tangents {
            bindPlace(program, target)
            program.set(.outlineEdges, outlineEdges(movedIn: planes.edgeOrigin))
            program.set(.diagonalShift, Float(planes.edgeOrigin.dx - planes.edgeOrigin.dy))
            program.set(.edgeInset, Float(planes.origin.dx))
            program.set(.curveEnd, Float(planes.curveEnd))
            program.set(.tangents, texture, unit: 2)
            program.set(.tangentCount, integer: planes.planes.count)
        } else if state == .corner, let outline {
            bindPlace(program, target)
            outline.bind(program, from: pixelOrigin, unit: 2)
        }
    }

    /// From `pixelOrigin`.
    private func outlineEdges(movedIn shift: Vector) -> SIMD4<Float> {
        let rect = plan.outline.rect
        let (x, y) = (Double(pixelOrigin.x), Double(pixelOrigin.y))
        return SIMD4(
            Float(rect.minX + shift.dx - x), Float(rect.minY + shift.dy - y),
            Float(rect.maxX - shift.dx - x), Float(rect.maxY - shift.dy - y))
    }
}

extension Texture {
    /// Whether every pixel of a block has a texel at its own place moved by (`dx`, `dy`).
    fileprivate func holds(_ block: PixelRect, dx: Int, dy: Int) -> Bool {
        block.minX + dx >= 0 && block.minY + dy >= 0 && block.maxX + dx <= width && block.maxY + dy <= height
    }
}

extension Program {
    func set(_ uniform: Uniform, integer value: Int) { set(uniform.rawValue, integer: value) }
    func set(_ uniform: Uniform, integers x: Int, _ y: Int) { set(uniform.rawValue, integers: x, y) }
    func set(_ uniform: Uniform, _ value: Float) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ value: SIMD2<Float>) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ value: SIMD3<Float>) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ value: SIMD4<Float>) { set(uniform.rawValue, value) }
    func set(_ uniform: Uniform, _ vectors: [SIMD3<Float>]) { set(uniform.rawValue, vectors) }
    func set(_ uniform: Uniform, _ texture: Texture, unit: Int) { set(uniform.rawValue, texture, unit: unit) }
}
