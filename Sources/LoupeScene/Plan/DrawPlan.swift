import LoupeGeometry

/// Everything that will be drawn, decided before any drawing: views, layers, pieces, shaders, pixels.
///
/// A pure function of the scene and its images' sizes. The renderer carries it out and decides
/// nothing; statistics, benchmarks and tests read it without a GPU.
public struct DrawPlan: Sendable {
    public let scene: Scene
    /// The base view, then one for each loupe in order.
    public let views: [ViewPlan]

    /// - Parameters:
    ///   - images: the size of every image that the scene's layers show and whether it is opaque, by path.
    ///   - policy: how the shaders are chosen; anything but `.pieces` is for comparison.
    public init(_ scene: Scene, images: [String: ImageTraits], policy: ShaderPolicy = .pieces) {
        self.scene = scene
        views = scene.views.map { ViewPlan($0, of: scene, images: images, policy: policy) }
    }
}

/// What the plan needs to know of an image.
public struct ImageTraits: Hashable, Sendable {
    public let size: ImageSize
    public let isOpaque: Bool

    public init(size: ImageSize, isOpaque: Bool) {
        self.size = size
        self.isOpaque = isOpaque
    }
}

/// Which shader draws which pixels.
public enum ShaderPolicy: String, Hashable, Sendable, CaseIterable {
    /// Each pixel by the cheapest shader that is exact there.
    case pieces
    /// The whole region by the shader of its state, as the original article has it.
    case wholeDisc = "whole-disc"
    /// The whole region by the corner shader, whatever the state.
    case general
}

/// One view: its region, and the layers in it from bottom to top.
public struct ViewPlan: Sendable {
    public let view: View
    public let region: Region
    /// Where the background shows; everywhere else an opaque layer hides it.
    public let background: [PixelRect]
    public let layers: [LayerPlan]

    init(_ view: View, of scene: Scene, images: [String: ImageTraits], policy: ShaderPolicy) {
        self.view = view
        let region = Region(of: view, in: scene)
        self.region = region
        let filter = view.filter(in: scene)
        layers = scene.layers.indices.map { index in
            let layer = scene.layers[index]
            return LayerPlan(
                index: index, layer: layer, view: view, region: region, filter: filter ?? layer.filter,
                image: layer.imagePath.flatMap { images[$0] }, policy: policy)
        }
        let hiding = layers.first { $0.isOpaque }
        background = hiding?.pieces.filter { $0.state != .noEdge }.map(\.rect) ?? [region.bounds]
    }
}

/// One layer in one view.
public struct LayerPlan: Sendable {
    /// By its place in `Scene.layers`.
    public let index: Int
    public let state: ClipState
    /// A partition of the region: every pixel lies in exactly one piece.
    public let pieces: [Piece]
    public let outline: PlacedOutline
    public let sampling: Sampling
    /// 0 … 1.
    public let opacity: Double
    /// Whether the layer hides what lies below it wherever its coverage is 1.
    public let isOpaque: Bool
    /// What the corner shader measures to; nil where no piece needs it.
    public let tangents: CornerTangents?

    let region: Region

    init(
        index: Int, layer: Layer, view: View, region: Region, filter: Filter, image: ImageTraits?,
        policy: ShaderPolicy
    ) {
        self.index = index
        self.region = region
        outline = PlacedOutline(of: layer, in: view)
        let cut = outline.pieces(in: region)
        state = ClipState(of: outline, in: region, cutInto: cut)
        pieces = policy.pieces(cut, state: state, region: region)
        opacity = layer.opacity
        isOpaque = layer.opacity == 1 && (image?.isOpaque ?? layer.fillColor?.isOpaque ?? false)
        let shaded = pieces.filter { $0.state != .outside }.map(\.rect)
        sampling = Sampling(of: layer, in: view, imageSize: image?.size, filter: filter, over: .union(of: shaded))
        let corners = pieces.filter { $0.state == .corner }.map(\.rect)
        tangents = corners.isEmpty ? nil : CornerTangents(of: outline, seenIn: corners)
    }

    /// Whether any shader runs for this layer.
    public var isVisible: Bool { opacity > 0 && pieces.contains { $0.state != .outside } }

    /// How many pixels each shader is asked to shade.
    public func pixelCount(_ state: ClipState) -> Int {
        pieces.filter { $0.state == state }.reduce(0) { $0 + region.pixelCount(in: $1.rect) }
    }
}

extension ShaderPolicy {
    fileprivate func pieces(_ cut: [Piece], state: ClipState, region: Region) -> [Piece] {
        switch self {
        case .pieces:
            return cut
        case .wholeDisc:
            let edges = Set(cut.compactMap(\.edge))
            // The single-edge shader measures one edge: two are too many, and edges between pixels leave no piece to tell.
            let whole: ClipState = state == .singleEdge && edges.count != 1 ? .corner : state
            return [Piece(rect: region.bounds, state: whole, edge: whole == .singleEdge ? edges.first : nil)]
        case .general:
            return [Piece(rect: region.bounds, state: .corner)]
        }
    }
}

extension View {
    /// The filter that the view brings, if any.
    fileprivate func filter(in scene: Scene) -> Filter? {
        switch kind {
        case .base: nil
        case .loupe(let index): scene.loupes[index].filter
        }
    }
}

extension Layer {
    public var imagePath: String? {
        if case .image(let path) = content { path } else { nil }
    }

    fileprivate var fillColor: Color? {
        if case .fill(let color) = content { color } else { nil }
    }
}

extension PixelRect {
    /// The smallest block that holds all of these; empty where there are none.
    static func union(of rects: [PixelRect]) -> PixelRect {
        guard let first = rects.first else { return PixelRect(width: 0, height: 0) }
        return rects.dropFirst().reduce(first) {
            PixelRect(
                minX: min($0.minX, $1.minX), minY: min($0.minY, $1.minY),
                maxX: max($0.maxX, $1.maxX), maxY: max($0.maxY, $1.maxY))
        }
    }
}

extension DrawPlan {
    /// Whether 8 bits a channel are too few while drawing: each blend rounds, division by alpha
    /// magnifies what was rounded, and linear light needs finer steps in the dark.
    public var needsWideCanvas: Bool {
        let translucent = views.first?.layers.count { $0.opacity > 0 && !$0.isOpaque } ?? 0
        let shadows = scene.loupes.count { $0.shadow != nil }
        let overlaps = max(0, scene.loupes.count - 1)
        return scene.blending == .linear || !scene.canvas.background.isOpaque
            || translucent + shadows + overlaps > 1
    }
}
