import LoupeBase
import LoupeScene

/// Everything that will be drawn, decided before any drawing: views, layers, pieces, shaders, pixels.
///
/// A pure function of the scene and its images' sizes. The renderer carries it out and decides
/// nothing; statistics, benchmarks and tests read it without a GPU.
package struct DrawPlan: Sendable {
    /// What is drawn.
    package let scene: Scene
    /// The depth of the picture that is drawn.
    package let depth: SampleDepth
    /// The base view, then one for each loupe in order.
    package let views: [ViewPlan]
    /// The other halves of split loupes, by the loupe's index in `Scene.loupes`: views of the whole loupe.
    package let otherHalves: [Int: ViewPlan]
    /// The visible callouts, in the order of their loupes. They are drawn before any loupe.
    package let callouts: [CalloutPlan]
    /// The bars of the scale bars, drawn over all loupes.
    package let bars: [BarPlan]
    /// All text, drawn last: that of the scale bars, then the labels.
    package let textRuns: [TextRun]
    private let images: [ImagePath: ImageTraits]
    private let policy: ShaderPolicy

    /// - Parameters:
    ///   - images: the size of every image that the scene's layers show and whether it is opaque, by path.
    ///   - policy: how the shaders are chosen; anything but `.pieces` is for comparison.
    ///   - last: the plan of the frame before, whose views are reused where they are the same.
    package init(
        _ scene: Scene, images: [ImagePath: ImageTraits], policy: ShaderPolicy = .pieces, depth: SampleDepth = .eight,
        after last: DrawPlan? = nil
    ) {
        self.scene = scene
        self.depth = depth
        self.images = images
        self.policy = policy
        let known = last.flatMap { $0.showsSamePage(as: scene, images: images, policy: policy) ? $0 : nil }
        views = scene.views.map {
            known?.viewPlan(of: $0, in: scene) ?? ViewPlan($0, of: scene, images: images, policy: policy)
        }
        let halves = scene.loupes.indices.compactMap { index in
            scene.loupes[index].split.map { split in
                let other = scene.showing(split.image)
                return (index, ViewPlan(.loupe(index, of: scene), of: other, images: images, policy: policy))
            }
        }
        otherHalves = Dictionary(uniqueKeysWithValues: halves)
        callouts = scene.loupes.compactMap { CalloutPlan(of: $0, in: scene) }
        let scaleBars = scene.scaleBars.compactMap { $0.plan(in: scene) }
        bars = scaleBars.map { $0.bar }
        textRuns = scaleBars.map { $0.run } + scene.labels.compactMap { TextRun($0, in: scene) }
    }

    /// Every pixel of the picture.
    package var canvas: PixelRect { scene.canvas.pixels }

    /// Whether colours are blended in linear light.
    package var isLinear: Bool { scene.blending == .linear }

    /// The images that the scene's layers show.
    package var imagePaths: [ImagePath] { scene.imagePaths }

    /// The size of an image, in pixels; nil for one that the plan was not made with.
    func size(of path: ImagePath) -> ImageSize? { images[path]?.size }

    /// The plan of a block of a picture that is stretched to a rect. The picture is its only image.
    /// - Parameter size: of the picture, in pixels.
    package static func stretching(_ size: ImageSize, to rect: Rect, showing block: PixelRect) -> DrawPlan {
        let path = ImagePath("picture")
        let place = Rect(
            x: rect.x - Double(block.minX), y: rect.y - Double(block.minY), width: rect.width, height: rect.height)
        let scene = Scene(
            canvas: Scene.Canvas(width: block.width, height: block.height, background: .color(.transparent)),
            layers: [Layer(content: .image(path: path), rect: place)], loupes: [])
        return DrawPlan(scene, images: [path: ImageTraits(size: size, isOpaque: false)])
    }

    /// A sentence for each loupe with a grid that is nowhere seen, as the texels in it are too small for lines between them
    /// (specification, section 5.7).
    package var unseenGrids: [String] {
        views.compactMap { view in
            guard case .loupe(let index) = view.view.kind, scene.loupes[index].grid != nil,
                view.layers.contains(where: { $0.isVisible && $0.imagePath != nil }),
                !view.layers.contains(where: { $0.isVisible && $0.grid != nil })
            else { return nil }
            return "\(scene.name(ofLoupe: index)) shows no grid, as the page's pixels are too small in it; magnify more"
        }
    }

    /// Whether everything but the loupes that a view depends on is the same.
    private func showsSamePage(
        as scene: Scene, images: [ImagePath: ImageTraits], policy: ShaderPolicy
    ) -> Bool {
        self.scene.canvas == scene.canvas && self.scene.layers == scene.layers && self.images == images
            && self.policy == policy
    }

    /// The plan of a view in a scene that shows the same page; nil where the view is another one.
    private func viewPlan(of view: View, in scene: Scene) -> ViewPlan? {
        if case .loupe(let index) = view.kind {
            guard index < self.scene.loupes.count, self.scene.loupes[index] == scene.loupes[index] else { return nil }
        }
        return views.first { $0.view == view }
    }

    /// The views, then the other halves of split loupes, both in the order of their loupes.
    package var viewsAndHalves: [ViewPlan] { views + otherHalves.sorted { $0.key < $1.key }.map { $0.value } }

    /// The vector pictures of all views, with the layers that show them.
    package var drawnUses: [(use: LayerUse, picture: DrawnVector)] {
        viewsAndHalves.flatMap { view in
            view.layers.compactMap { layer in
                guard layer.isVisible, case .drawn(let block) = layer.sampling, let use = LayerUse(layer, in: view)
                else { return nil }
                let loupe = view.view.loupe(in: scene)
                return (use, DrawnVector(path: use.image, strokeScale: loupe?.strokeScale ?? 1, block: block))
            }
        }
    }

    /// The vector pictures of all views, each once.
    package var drawnPictures: [DrawnVector] {
        var pictures: [DrawnVector] = []
        for (_, picture) in drawnUses where !pictures.contains(picture) { pictures.append(picture) }
        return pictures
    }

    /// What is drawn over all loupes, from bottom to top: the bands of the scale bars, then all text.
    package var overlays: [Overlay] {
        bars.flatMap { $0.bands }.map { .band($0.rect, $0.color) } + textRuns.map { .text($0) }
    }
}

/// A block of a vector picture that is drawn for a view.
package struct DrawnVector: Hashable, Sendable {
    /// The picture.
    package let path: ImagePath
    /// What the widths and dashes of an SVG's strokes are times.
    package let strokeScale: Double
    /// Where it lies, and what is drawn of it.
    package let block: DrawnBlock
}

/// The facts about an image that the plan needs.
package struct ImageTraits: Hashable, Sendable {
    /// In pixels.
    package let size: ImageSize
    /// Whether every pixel is opaque.
    package let isOpaque: Bool
    /// Whether each view draws it anew, at its own resolution.
    package let isVector: Bool

    /// What the plan needs to know of an image; a raster image by default.
    package init(size: ImageSize, isOpaque: Bool, isVector: Bool = false) {
        self.size = size
        self.isOpaque = isOpaque
        self.isVector = isVector
    }
}

/// A rule for which shader draws which pixels.
package enum ShaderPolicy: String, Hashable, Sendable, CaseIterable {
    /// Each pixel by the cheapest shader that is exact there.
    case pieces
    /// The page's part of the region by the shader of the region's state: one shader for a loupe, as the article draws it.
    case article
    /// The whole region by the shader of its state, without pieces.
    case wholeDisc = "whole-disc"
    /// The whole region by the corner shader, whatever the state.
    case general
}

/// One view: its region, and the layers in it from bottom to top.
package struct ViewPlan: Sendable {
    /// Where it looks, and how much it magnifies.
    package let view: View
    /// The pixels that it covers.
    package let region: Region
    /// Those of them that are drawn lie in this block.
    private(set) var drawn: PixelRect
    /// Where the background is drawn; in a transparent loupe, where what lies under it stays. Everywhere else an opaque
    /// layer hides the background, or composites itself over it.
    package private(set) var background: [PixelRect]
    /// One plan for each layer of the scene, from bottom to top.
    package private(set) var layers: [LayerPlan]
    /// The frame around a loupe's centre texel, over all layers.
    package let mark: PlacedMark?

    /// Its index in `DrawPlan.views`: 0 for the canvas, n for the loupe n − 1.
    package var index: Int {
        switch view.kind {
        case .base: 0
        case .loupe(let index): index + 1
        }
    }

    init(_ view: View, of scene: Scene, images: [ImagePath: ImageTraits], policy: ShaderPolicy) {
        self.view = view
        let region = Region(of: view, in: scene)
        (self.region, drawn) = (region, region.bounds)
        let loupe = view.loupe(in: scene)
        let extent = view.extent(in: scene)
        layers = scene.layers.indices.map { index in
            let layer = scene.layers[index]
            return LayerPlan(
                index: index, layer: layer, view: view, region: region, extent: extent, loupe: loupe,
                image: layer.imagePath.flatMap { images[$0] }, policy: policy)
        }
        mark = loupe.flatMap { loupe in
            loupe.mark.flatMap { PlacedMark($0, of: loupe, in: view, layers: scene.layers, images: images) }
        }
        background = [region.bounds]
        guard let hiding = layers.firstIndex(where: { $0.isVisible && $0.isOpaque }) else { return }
        layers[hiding].isBottom =
            hiding == layers.firstIndex(where: { $0.isVisible }) && layers[...hiding].allSatisfy { $0.shadow == nil }
            && scene.canvas.background.plainColor != nil
        background = .joined(layers[hiding].pieces.filter(layers[hiding].leavesBackground).map { $0.rect })
    }

    /// Whether any of the background is seen.
    package var showsBackground: Bool {
        !background.isEmpty || layers.contains { $0.isBottom && $0.pieces.contains { $0.state != .noEdge } }
    }

    /// The view restricted to the pixels of a block. Each of them is drawn as in the whole view.
    package func cut(to block: PixelRect) -> ViewPlan {
        var part = self
        part.drawn = block
        part.background = background.map { $0.intersection(block) }.filter { !$0.isEmpty }
        part.layers = layers.map { $0.cut(to: block) }
        return part
    }
}

/// One layer in one view.
package struct LayerPlan: Sendable {
    /// Its index in `Scene.layers`.
    package let index: Int
    /// What it shows; nil for a plain colour.
    package let imagePath: ImagePath?
    /// The most expensive shader that any pixel of the region needs.
    package let state: ClipState
    /// A partition of the region, or of the part that is drawn: every pixel lies in exactly one piece.
    package private(set) var pieces: [Piece]
    /// Its border, in output pixels.
    package let outline: Outline
    /// How its pixels get their colour.
    package let sampling: Sampling
    /// 0 … 1.
    package let opacity: Double
    /// Whether the layer hides what lies below it wherever its coverage is 1.
    package let isOpaque: Bool
    /// Whether it is opaque and the first thing drawn over the background. Then its clip shaders can composite it over the
    /// background's colour themselves.
    public fileprivate(set) var isBottom = false
    /// The tangent lines that the corner shader measures distance to; nil where no piece needs it.
    let tangents: OutlineTangents?
    /// The lines on the borders of its texels; nil where none shows.
    package let grid: PlacedGrid?
    /// Its shadow in output pixels, drawn before it outside of its border; nil for none.
    package let shadow: Loupe.Shadow?

    let region: Region
    private let view: View
    private let strokes: [Stroke]

    init(
        index: Int, layer: Layer, view: View, region: Region, extent: PixelRect, loupe: Loupe?, image: ImageTraits?,
        policy: ShaderPolicy
    ) {
        self.index = index
        imagePath = layer.imagePath
        self.region = region
        self.view = view
        strokes = layer.strokes
        outline = layer.outline(in: view)
        let cut = outline.pieces(in: region)
        state = ClipState(of: outline, in: region, cutInto: cut)
        pieces = policy.pieces(cut, state: state, in: region)
        shadow = layer.shadow?.scaled(by: view.magnification)
        opacity = layer.opacity
        isOpaque = layer.opacity == 1 && (image?.isOpaque ?? layer.fillColor?.isOpaque ?? false)
        let shaded = Self.shadedBlock(of: pieces)
        let filter = loupe.map { $0.filter.filter(for: layer, of: image, in: view) } ?? layer.filter
        grid = loupe?.grid.flatMap { grid in
            image.flatMap { PlacedGrid(grid, of: layer, in: view, imageSize: $0.size) }
        }
        sampling = Sampling(of: layer, in: view, image: image, filter: filter, over: shaded, extent: extent)
        let corners = pieces.filter { $0.state == .corner }.map { $0.rect }
        tangents = corners.isEmpty ? nil : OutlineTangents(of: outline, seenIn: corners)
    }

    /// Every pixel that a shader draws lies in this block.
    package var shadedBlock: PixelRect { Self.shadedBlock(of: pieces) }

    private static func shadedBlock(of pieces: [Piece]) -> PixelRect {
        .union(of: pieces.filter { $0.state != .outside }.map { $0.rect })
    }

    /// Whether the background has to be drawn under a piece.
    fileprivate func leavesBackground(_ piece: Piece) -> Bool {
        isBottom ? piece.state == .outside : piece.state != .noEdge
    }

    fileprivate func cut(to block: PixelRect) -> LayerPlan {
        var part = self
        part.pieces = pieces.compactMap { $0.cut(to: block) }
        return part
    }

    /// The layer's strokes over the shaded block, in bands of rows from top to bottom; none where no stroke is visible.
    ///
    /// They are not stored, since a sequence of frames seldom draws its base view.
    /// - Parameters:
    ///   - limit: the largest number of entries in a band with more than one row of tiles.
    ///   - colors: converts a colour to the working space, premultiplied.
    package func ink(limit: Int, colors: (Color) -> SIMD4<Float>) -> [InkTiles] {
        guard !strokes.isEmpty, isVisible else { return [] }
        let bands = InkTiles.bands(
            of: strokes, colors: strokes.map { colors($0.color) }, in: view, of: region, over: shadedBlock,
            limit: limit)
        return bands.contains(where: { $0.hasInk }) ? bands : []
    }

    /// Whether the layer has any stroke, in sight or not.
    package var hasStrokes: Bool { !strokes.isEmpty }

    /// Whether any shader runs for this layer.
    package var isVisible: Bool { opacity > 0 && pieces.contains { $0.state != .outside } }

    /// How many pixels of the region a shader draws.
    package func pixelCount(_ state: ClipState) -> Int {
        pieces.filter { $0.state == state }.reduce(0) { $0 + region.pixelCount(in: $1.rect) }
    }
}

extension ShaderPolicy {
    fileprivate func pieces(_ cut: [Piece], state: ClipState, in region: Region) -> [Piece] {
        if cut.isEmpty { return [] }
        switch self {
        case .pieces:
            // As pieces are cut with a margin, a region without any edge may touch a corner's piece.
            let isWhole = state == .outside || state == .noEdge
            return isWhole ? [Piece(rect: region.bounds, state: state)] : cut
        case .article:
            let page = PixelRect.union(of: cut.filter { $0.state != .outside }.map { $0.rect })
            let rest = region.bounds.without(page).map { Piece(rect: $0, state: .outside) }
            return (page.isEmpty ? [] : [Piece(rect: page, state: state)]) + rest
        case .wholeDisc:
            return [Piece(rect: region.bounds, state: state)]
        case .general:
            return [Piece(rect: region.bounds, state: .corner)]
        }
    }
}

extension View {
    /// The loupe that it is the view of; nil for the base view.
    func loupe(in scene: Scene) -> Loupe? {
        switch kind {
        case .base: nil
        case .loupe(let index): scene.loupes[index]
        }
    }
}

extension LoupeFilter {
    /// A plain colour has no texels to filter.
    fileprivate func filter(for layer: Layer, of image: ImageTraits?, in view: View) -> Filter {
        filter(atTexelSize: image.map { layer.texelSize(of: $0.size, in: view) } ?? 0)
    }
}

extension Layer {
    fileprivate var fillColor: Color? {
        if case .fill(let color) = content { color } else { nil }
    }
}

/// The precision of a canvas's channels while it is drawn.
package enum CanvasPrecision: Hashable, Sendable {
    /// 8 bits, as in the output.
    case bytes
    /// Half floats: a sixteenth of an 8-bit step.
    case halves
    /// 32-bit floats.
    case floats
}

extension DrawPlan {
    /// The precision with which the picture is within the tolerance of the specification, section 9.
    ///
    /// Each blend into 8 bits rounds twice, so one translucent layer may leave too many pixels off by 2. A translucent
    /// canvas is divided by its alpha in the end, which magnifies rounding errors, and linear light needs finer steps
    /// in the dark than half floats have. A dithered picture is rounded once, when it is written: if each draw were, a pixel
    /// under three shadows would be off by 3.
    package var precision: CanvasPrecision {
        if depth == .sixteen || scene.blending == .linear || !scene.canvas.background.isOpaque { return .floats }
        let isTranslucent =
            views.first?.layers.contains { $0.opacity > 0 && !$0.isOpaque || $0.shadow != nil } ?? false
        return isTranslucent || isDithered ? .halves : .bytes
    }

    /// The precision of the blocks in which loupes and their shadows are drawn. Over a canvas of bytes, only a
    /// translucent loupe needs more, and only there.
    ///
    /// - Parameter roundsOnce: whether a shadow composited over bytes is rounded once. Fixed-function blending rounds twice,
    ///   so that a shadow needs more than bytes too.
    func loupePrecision(roundsOnce: Bool) -> CanvasPrecision {
        let blendsTwice = scene.loupes.contains {
            $0.shadow != nil && !roundsOnce || $0.outside == .transparent || $0.opacity < 1
        }
        let isTranslucent = otherHalves.values.contains { $0.layers.contains { $0.opacity > 0 && !$0.isOpaque } }
        return precision == .bytes && (blendsTwice || isTranslucent) ? .halves : precision
    }
}
