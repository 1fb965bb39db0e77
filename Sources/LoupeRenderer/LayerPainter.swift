import LoupeGLES
import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene
import LoupeShaders

/// A layer of the plan with everything on the device that its shaders read.
struct PaintableLayer {
    enum Source {
        case fill(SIMD4<Float>)
        case copy(Texture, dx: Int, dy: Int)
        /// An image in memory, uploaded to a canvas that shows nothing else there.
        case moved(Image, dx: Int, dy: Int)
        case linear(HeldTexels, columns: AxisMapping, rows: AxisMapping)
        case filtered(FilteredRows)

        var kind: ContentKind {
            switch self {
            case .fill: .fill
            case .copy, .moved: .copy
            case .linear: .linear
            case .filtered: .separable
            }
        }

        var options: ShaderOptions {
            if case .filtered(let rows) = self, rows.texture.format == .rgba32UI { .fineRows } else { [] }
        }

        /// Whether it shows nothing but ink.
        var isNothing: Bool {
            if case .fill(.zero) = self { true } else { false }
        }
    }

    let plan: LayerPlan
    let source: Source
    /// What its clip shaders composite it over; nil where they blend it with what is there.
    let backdrop: SIMD4<Float>?
    /// Its strokes: none where no stroke shows, otherwise bands that together hold every piece.
    let ink: [InkTexture]
    /// Lines and differences for the corner shader; nil where no piece needs it.
    let tangents: Texture?
    /// The same for corners that differ.
    let outline: OutlineTexture?
    /// Where the lines on the borders of its texels are; nil where it has none.
    let gridLines: Texture?
    let blending: Blending
    /// The canvas pixel that shader positions are relative to.
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

    /// Draws the layer's pieces that lie in a region: one draw call a shader, and one more for each band of ink.
    func paint(_ region: MeshRegion, onto target: Target, by painter: Painter) throws(GLError) {
        let groups = Dictionary(grouping: pieces) { $0.state }
        // In a fixed order, so that the same plan gives the same calls.
        for state in ClipState.allCases {
            guard let group = groups[state] else { continue }
            let blend: Blend = plan.isOpaque && (state == .noEdge || backdrop != nil) ? .replace : .over
            let rects = group.map { $0.rect }
            try paintPlain(state, rects, blend, region, onto: target, by: painter)
            for strokes in ink {
                let inked = rects.flatMap { strokes.tiles.split($0).inked }
                try paint(state, inked, strokes, blend, region, onto: target, by: painter)
            }
        }
    }

    /// Draws what lies outside of all ink, or more where that is faster and ink replaces it afterwards.
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
        _ state: ClipState, _ rects: [PixelRect], _ strokes: InkTexture?, _ blend: Blend, _ region: MeshRegion,
        onto target: Target, by painter: Painter
    ) throws(GLError) {
        guard let shader = Shader(state, of: plan.outline), !rects.isEmpty else { return }
        var options = blending.options.union(source.options)
        if strokes != nil { options.insert(.ink) }
        if plan.grid != nil { options.insert(.grid) }
        let described = ShaderProgram(shader, options, content: source.kind)
        try painter.draw(described, region, in: rects, onto: target, blend: blend) { program in
            if described.uniforms.contains(.opacity) { program.set(.opacity, Float(plan.opacity)) }
            bindContent(program, target)
            bindClip(state, program, target)
            strokes?.bind(program, target)
            bindGrid(program, target)
        }
    }

    /// Copies texels to pixels without a shader where they are the same bytes on the same grid, which on a software device is
    /// eleven times as fast. Returns false where they are not, where a crop shows more than the image's texels, and where
    /// shaders are replaced, so that a replaced one draws all that it would.
    private func copyTexels(of rects: [PixelRect], onto target: Target, by painter: Painter) throws(GLError) -> Bool {
        guard case .copy(let texture, let dx, let dy) = source, blending == .srgb,
            painter.programs.replacements.isEmpty, texture.format == target.framebuffer.texture.format,
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

    /// Uploads an image's texels to their pixels.
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
        switch source {
        case .fill(let color):
            program.set(.fillColor, color * Float(plan.opacity))
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
            bindOrigin(program, target)
        case .filtered(let rows):
            program.set(.filtered, rows.texture, unit: 0)
            program.set(.rowTable, rows.rowTable, unit: 1)
            program.set(.rowTaps, integer: rows.rowTaps)
            program.set(.filteredOrigin, integers: rows.firstColumn - target.x, rows.rows.lowerBound - target.y)
            program.set(.filteredFirstRow, integer: rows.texelRows.lowerBound)
            program.set(.filteredLastRow, integer: rows.texelRows.count - 1)
        }
    }

    private func bindGrid(_ program: Program, _ target: Target) {
        guard let grid = plan.grid, let gridLines else { return }
        let block = plan.shadedBlock
        program.set(.gridColor, grid.color.working(blending) * Float(grid.strength))
        program.set(.gridLines, gridLines, unit: 5)
        program.set(.gridOrigin, integers: block.minX - target.x, block.minY - target.y)
        program.set(.gridColumns, integer: block.width)
    }

    private func bindOrigin(_ program: Program, _ target: Target) {
        program.set(.pixelOrigin, integers: pixelOrigin.x - target.x, pixelOrigin.y - target.y)
    }

    private func bindClip(_ state: ClipState, _ program: Program, _ target: Target) {
        if state != .noEdge { program.set(.backdrop, backdrop ?? .zero) }
        if state == .singleEdge {
            bindOrigin(program, target)
            program.set(.outlineEdges, outlineEdges(movedIn: Vector(dx: 0, dy: 0)))
        } else if state == .corner, case .uniform(let planes) = plan.tangents, let texture = tangents {
            bindOrigin(program, target)
            program.set(.outlineEdges, outlineEdges(movedIn: planes.edgeOrigin))
            program.set(.diagonalShift, Float(planes.edgeOrigin.dx - planes.edgeOrigin.dy))
            program.set(.edgeInset, Float(planes.origin.dx))
            program.set(.curveEnd, Float(planes.curveEnd))
            program.set(.tangents, texture, unit: 2)
            program.set(.tangentCount, integer: planes.planes.count)
        } else if state == .corner, let outline {
            bindOrigin(program, target)
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
    /// Whether every pixel of a block, moved by (`dx`, `dy`), has a texel.
    fileprivate func holds(_ block: PixelRect, dx: Int, dy: Int) -> Bool {
        block.minX + dx >= 0 && block.minY + dy >= 0 && block.maxX + dx <= width && block.maxY + dy <= height
    }
}

extension FramePainter {
    /// The strokes of each layer.
    func ink(of view: ViewPlan) throws(GLError) -> [[InkTexture]] {
        let limit = InkTexture.entryLimit(of: painter.context)
        return try view.layers.map { (layer) throws(GLError) in
            try layer.ink(limit: limit) { $0.working(blending) }.map { (tiles) throws(GLError) in
                try InkTexture(tiles, on: painter.context)
            }
        }
    }

    /// Calls `body` with the layer ready to be drawn: whole, or band by band where filtering it would take much memory.
    func forEachPart(
        of layer: LayerPlan, ink: [InkTexture], in view: ViewPlan, over background: SIMD4<Float>?,
        _ body: (PaintableLayer) throws(GLError) -> Void
    ) throws(GLError) {
        var tangents: Texture?
        var outline: OutlineTexture?
        switch layer.tangents {
        case .uniform(let planes): tangents = try Texture(painter.context, planes)
        case .mixed(let lines): outline = try OutlineTexture(lines, of: layer.outline, on: painter.context)
        case nil: break
        }
        let gridLines = try layer.grid.map { (grid) throws(GLError) in
            try Texture.table(painter.context, grid.lines(in: layer.shadedBlock))
        }
        func part(_ source: PaintableLayer.Source) -> PaintableLayer {
            PaintableLayer(
                plan: layer, source: source, backdrop: layer.isBottom ? background : nil, ink: ink,
                tangents: tangents, outline: outline, gridLines: gridLines, blending: blending,
                pixelOrigin: (view.region.bounds.minX, view.region.bounds.minY))
        }
        switch layer.sampling {
        case .fill(let color):
            try body(part(.fill(color.working(blending))))
        case .copy(let dx, let dy):
            if let use = LayerUse(layer, in: view), case .moved(let image) = parts[use] {
                return try body(part(.moved(image, dx: dx, dy: dy)))
            }
            let held = texels(of: layer, in: view)
            try body(part(.copy(held.texture, dx: dx - held.x, dy: dy - held.y)))
        case .linear(let columns, let rows):
            try body(part(.linear(texels(of: layer, in: view), columns: columns, rows: rows)))
        case .drawn:
            let held = texels(of: layer, in: view)
            try body(part(.copy(held.texture, dx: -held.x, dy: -held.y)))
        case .separable(let columns, let rows):
            let limit = painter.context.info.limits.textureSize
            let block = layer.shadedBlock
            if let use = LayerUse(layer, in: view), case .filtered(let texture, let block) = parts[use] {
                let filtered = try FilteredRows(finished: texture, block: block, on: painter.context)
                return try body(part(.filtered(filtered)))
            }
            for band in rows.bands(of: block, textureLimit: limit) {
                let filtered = try filter(
                    texels(of: layer, in: view), columns: columns, block.minX..<block.maxX, rows: rows, band)
                try body(part(.filtered(filtered)))
            }
        }
    }

    private func texels(of layer: LayerPlan, in view: ViewPlan) -> HeldTexels {
        if let use = LayerUse(layer, in: view), case .excerpt(let texels) = parts[use] { return texels }
        guard let path = layer.imagePath, let texture = textures[path] else {
            preconditionFailure("the renderer looks for every image before it draws")
        }
        return HeldTexels(texture: texture, x: 0, y: 0)
    }

    /// The first pass of a separable filter, for some output columns and a band of output rows.
    private func filter(
        _ held: HeldTexels, columns: FilterTable, _ pixels: Range<Int>, rows: FilterTable, _ band: Range<Int>
    ) throws(GLError) -> FilteredRows {
        let image = held.texture
        let texelRows = rows.texelRows(of: band)
        let block = PixelRect(width: pixels.count, height: texelRows.count)
        let isFine = plan.depth == .sixteen
        let framebuffer = try painter.framebuffer(
            .filteredRows, isFine ? .rgba32UI : .rgba16UI, width: block.width, height: block.height)
        let columnTable = try Texture.table(
            painter.context, columns.entries(of: pixels, from: held.x, isFine: isFine))
        let lightTable =
            blending == .linear && !isFine ? try Texture.table(painter.context, FilterChannel.table(.linear)) : nil
        try painter.draw(
            ShaderProgram(.horizontalPass, blending.options.union(isFine ? .fineRows : [])), .block, in: [block],
            onto: Target(framebuffer: framebuffer, x: 0, y: 0), blend: .replace
        ) { program in
            program.set(.image, image, unit: 0)
            program.set(.columnTable, columnTable, unit: 1)
            program.set(.columnTaps, integer: columns.taps)
            if let lightTable { program.set(.lightTable, lightTable, unit: 2) }
            program.set(.firstTexelRow, integer: texelRows.lowerBound - held.y)
            program.set(.lastTexel, integers: image.width - 1, image.height - 1)
        }
        return FilteredRows(
            texture: framebuffer.texture,
            rowTable: try Texture.table(painter.context, rows.entries(of: band, isFine: isFine)), rowTaps: rows.taps,
            firstColumn: pixels.lowerBound, rows: band, texelRows: texelRows)
    }
}

/// A layer's texels after the first pass of a separable filter, for a band of output rows.
struct FilteredRows {
    let texture: Texture
    /// Weights of the second pass, for the rows of the band.
    let rowTable: Texture
    let rowTaps: Int
    /// The output column of the texture's column 0.
    let firstColumn: Int
    /// The output rows that the band serves.
    let rows: Range<Int>
    /// The texel rows that the texture holds from its row 0 on; it may be larger.
    let texelRows: Range<Int>
}

extension FilteredRows {
    /// Rows that both passes have filtered already: each output row takes its own as it is.
    init(finished texture: Texture, block: PixelRect, on context: Context) throws(GLError) {
        let entries = (0..<block.height).flatMap { [Float($0), Float(FilterTable.wholeUnit)] }
        self.init(
            texture: texture, rowTable: try Texture.table(context, entries), rowTaps: 1, firstColumn: block.minX,
            rows: block.minY..<block.maxY, texelRows: 0..<block.height)
    }
}

extension FilterTable {
    /// The largest size of a band of filtered rows, in bytes.
    private static let bandBytes = 64 << 20

    /// The rows of a block, cut so that a band's filtered rows fit a texture and little memory.
    func bands(of block: PixelRect, textureLimit: Int) -> [Range<Int>] {
        guard !block.isEmpty else { return [] }
        let limit = max(1, min(textureLimit, Self.bandBytes / (8 * block.width)))
        var bands: [Range<Int>] = []
        var start = block.minY
        for row in block.minY..<block.maxY where texelRows(of: start..<(row + 1)).count > limit && row > start {
            bands.append(start..<row)
            start = row
        }
        return bands + [start..<block.maxY]
    }

    /// The texels that a range of pixels needs, without padding.
    func texelRows(of pixels: Range<Int>) -> Range<Int> {
        let firsts = pixels.map { firstTexels[$0 - firstPixel] }
        let low = firsts.min() ?? 0
        let high = (firsts.max() ?? 0) + taps
        return low..<max(low + 1, min(high, texels.upperBound))
    }

    /// For `tableEntry` of the shaders: each pixel's first texel, then its weights.
    /// - Parameters:
    ///   - first: the texel that is number 0 on the device.
    ///   - isFine: whether the weights are those of `FINE_ROWS`, fractions of 1, and not whole numbers.
    func entries(of pixels: Range<Int>, from first: Int = 0, isFine: Bool) -> [Float] {
        pixels.flatMap { pixel in
            let index = pixel - firstPixel
            let weights =
                isFine
                ? weights[(index * taps)..<((index + 1) * taps)].map(Float.init)
                : wholeWeights(ofPixelAt: index).map(Float.init)
            return [Float(firstTexels[index] - first)] + weights
        }
    }
}
