import LoupeBase
import LoupeScene

/// A layer of a view with everything that its shaders read.
struct LayerPasses {
    enum Source {
        case fill(SIMD4<Float>)
        case copy(HeldImage, dx: Int, dy: Int)
        /// An image in memory, uploaded to a canvas that shows nothing else there.
        case upload(LayerUse, dx: Int, dy: Int)
        case linear(HeldImage, columns: AxisMapping, rows: AxisMapping)
        case filtered(FilteredLayerRows)

        var kind: ContentKind {
            switch self {
            case .fill: .fill
            case .copy, .upload: .copy
            case .linear: .linear
            case .filtered: .separable
            }
        }

        var options: ShaderOptions {
            if case .filtered(let rows) = self, rows.isFine { .fineRows } else { [] }
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
    let ink: [InkTable]
    /// What the corner shader measures distance to; nil where no piece needs it.
    let outline: OutlineTable?
    /// Where the lines on the borders of its texels are; nil where it has none.
    let gridLines: FloatTexture?
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

    /// The steps that draw the layer's pieces: one draw call a shader, and one more for each band of ink.
    func steps(onto target: CanvasTarget) -> [DrawStep] {
        let groups = Dictionary(grouping: pieces) { $0.state }
        // In a fixed order, so that the same plan gives the same calls.
        return ClipState.allCases.flatMap { state -> [DrawStep] in
            guard let group = groups[state] else { return [] }
            let blend: BlendMode = plan.isOpaque && (state == .noEdge || backdrop != nil) ? .replace : .over
            let rects = group.map { $0.rect }
            var steps = plainSteps(state, rects, blend, onto: target)
            for strokes in ink {
                let inked = rects.flatMap { strokes.tiles.split($0).inked }
                steps += pass(state, inked, strokes, blend, onto: target)
            }
            return steps
        }
    }

    /// Draws what lies outside of all ink, or more where that is faster and ink replaces it afterwards.
    private func plainSteps(
        _ state: ClipState, _ rects: [PixelRect], _ blend: BlendMode, onto target: CanvasTarget
    ) -> [DrawStep] {
        if source.isNothing { return [] }
        if case .upload(let use, let dx, let dy) = source {
            return [.upload(use, rects, dx: dx, dy: dy, to: target)]
        }
        // Where texels can be copied, which on a software device is eleven times as fast as a shader, all of them are.
        if let texels = texels(state, rects) {
            return pass(state, rects, nil, blend, onto: target, texels: texels)
        }
        let plain = ink.isEmpty ? rects : rects.flatMap { rect in ink.flatMap { $0.tiles.split(rect).plain } }
        return pass(state, plain, nil, blend, onto: target)
    }

    /// The image whose texels are the pixels of some blocks unchanged; nil where they are not, or where a crop shows more
    /// than the image's texels.
    private func texels(_ state: ClipState, _ rects: [PixelRect]) -> (use: LayerUse, dx: Int, dy: Int)? {
        guard state == .noEdge, plan.isOpaque, plan.region.isBlock, blending == .srgb,
            case .copy(let image, let dx, let dy) = source
        else { return nil }
        let held = PixelRect(minX: -dx, minY: -dy, maxX: image.width - dx, maxY: image.height - dy)
        return rects.allSatisfy { held.intersection($0) == $0 } ? (image.use, dx, dy) : nil
    }

    private func pass(
        _ state: ClipState, _ rects: [PixelRect], _ strokes: InkTable?, _ blend: BlendMode, onto target: CanvasTarget,
        texels: (use: LayerUse, dx: Int, dy: Int)? = nil
    ) -> [DrawStep] {
        let blocks = plan.region.blocks(in: rects)
        guard let shader = Shader(state), !blocks.isEmpty else { return [] }
        var options = blending.options.union(source.options)
        if strokes != nil { options.insert(.ink) }
        if plan.grid != nil { options.insert(.grid) }
        let program = ShaderProgram(shader, options, content: source.kind)
        var inputs = ShaderInputs()
        inputs.set(.opacity, Float(plan.opacity))
        setContent(&inputs, target)
        setClip(state, &inputs, target)
        strokes?.set(&inputs, target)
        setGrid(&inputs, target)
        return [.draw(Pass(program, in: blocks, onto: target, blend: blend, texels: texels, inputs))]
    }

    private func setContent(_ inputs: inout ShaderInputs, _ target: CanvasTarget) {
        switch source {
        case .fill(let color):
            inputs.set(.fillColor, color * Float(plan.opacity))
        case .copy(let image, let dx, let dy):
            inputs.set(.image, .image(image.use))
            inputs.set(.texelShift, integers: dx + target.x, dy + target.y)
            inputs.set(.lastTexel, integers: image.width - 1, image.height - 1)
        case .upload:
            preconditionFailure("no shader draws what is uploaded")
        case .linear(let image, let columns, let rows):
            inputs.set(.image, .image(image.use))
            let x = columns.linearStart(pixel: pixelOrigin.x)
            let y = rows.linearStart(pixel: pixelOrigin.y)
            inputs.set(.texelBase, integers: x.texel - image.x, y.texel - image.y)
            inputs.set(.texelFraction, SIMD2(Float(x.fraction), Float(y.fraction)))
            inputs.set(.texelStep, SIMD2(Float(columns.scale), Float(rows.scale)))
            inputs.set(.lastTexel, integers: image.width - 1, image.height - 1)
            setOrigin(&inputs, target)
        case .filtered(let rows):
            inputs.set(.filtered, rows.texture)
            inputs.set(.rowTable, rows.rowTable)
            inputs.set(.rowTaps, integer: rows.rowTaps)
            inputs.set(.filteredOrigin, integers: rows.firstColumn - target.x, rows.rows.lowerBound - target.y)
            inputs.set(.filteredFirstRow, integer: rows.texelRows.lowerBound)
            inputs.set(.filteredLastRow, integer: rows.texelRows.count - 1)
        }
    }

    private func setGrid(_ inputs: inout ShaderInputs, _ target: CanvasTarget) {
        guard let grid = plan.grid, let gridLines else { return }
        let block = plan.shadedBlock
        inputs.set(.gridColor, grid.color.working(blending) * Float(grid.strength))
        inputs.set(.gridLines, gridLines)
        inputs.set(.gridOrigin, integers: block.minX - target.x, block.minY - target.y)
        inputs.set(.gridColumns, integer: block.width)
    }

    private func setOrigin(_ inputs: inout ShaderInputs, _ target: CanvasTarget) {
        inputs.set(.pixelOrigin, integers: pixelOrigin.x - target.x, pixelOrigin.y - target.y)
    }

    private func setClip(_ state: ClipState, _ inputs: inout ShaderInputs, _ target: CanvasTarget) {
        if state != .noEdge { inputs.set(.backdrop, backdrop ?? .zero) }
        if state == .singleEdge {
            setOrigin(&inputs, target)
            let (rect, x, y) = (plan.outline.rect, Double(pixelOrigin.x), Double(pixelOrigin.y))
            inputs.set(
                .outlineEdges,
                SIMD4(Float(rect.minX - x), Float(rect.minY - y), Float(rect.maxX - x), Float(rect.maxY - y)))
        } else if state == .corner, let outline {
            setOrigin(&inputs, target)
            outline.set(&inputs, from: pixelOrigin)
        }
    }
}

/// A texture of an image's texels, or of a block of them.
struct HeldImage {
    let use: LayerUse
    /// The texel that the texture's first one is.
    let x: Int
    /// The texel that the texture's first one is.
    let y: Int
    /// In texels.
    let width: Int
    /// In texels.
    let height: Int

    init(_ use: LayerUse, _ block: PixelRect) {
        (self.use, x, y, width, height) = (use, block.minX, block.minY, block.width, block.height)
    }
}

/// A layer's texels after the first pass of a separable filter, for a band of output rows.
struct FilteredLayerRows {
    let texture: TextureName
    /// Whether it holds the bits of floats.
    var isFine = false
    /// Weights of the second pass, for the rows of the band.
    let rowTable: FloatTexture
    let rowTaps: Int
    /// The output column of the texture's column 0.
    let firstColumn: Int
    /// The output rows that the band serves.
    let rows: Range<Int>
    /// The texel rows that the texture holds from its row 0 on; it may be larger.
    let texelRows: Range<Int>
}

extension FilteredLayerRows {
    /// Rows that both passes have filtered already: each output row takes its own as it is.
    init(finished use: LayerUse, _ block: PixelRect) {
        let entries = (0..<block.height).flatMap { [Float($0), Float(FilterTable.wholeUnit)] }
        self.init(
            texture: .image(use), rowTable: FloatTexture(table: entries), rowTaps: 1, firstColumn: block.minX,
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
                ? weights[(index * taps)..<((index + 1) * taps)].map { Float($0) }
                : wholeWeights(ofPixelAt: index).map { Float($0) }
            return [Float(firstTexels[index] - first)] + weights
        }
    }
}
