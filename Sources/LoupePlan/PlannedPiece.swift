import LoupeBase
import LoupeScene

/// A piece of a layer as one view draws it.
package struct PlannedPiece: Hashable, Sendable {
    /// The kind of shader that draws a piece.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The shader without an edge.
        case noEdge = "no-edge"
        /// The shader for the nearest straight edge.
        case singleEdge = "single-edge"
        /// The shader for corners.
        case corner
        /// Any of them with strokes.
        case ink
        /// The background.
        case fill
    }

    /// The view that shows it: 0 for the base view, n for the loupe n − 1.
    package let view: Int
    /// The layer's index in the scene; nil for the background.
    package let layer: Int?
    /// What draws it.
    package let kind: Kind
    /// Every pixel of it lies in this block of the canvas.
    package let block: PixelRect
    /// The corners of its convex polygon in canvas pixels: those of the block, or what of the block lies in a disc.
    package let corners: [SIMD2<Double>]

    /// The columns of a row of pixels whose centres lie in the polygon.
    package func columns(inRow row: Int) -> Range<Int> {
        let y = Double(row) + 0.5
        var (low, high) = (Double.infinity, -Double.infinity)
        for (start, end) in zip(corners, corners.dropFirst() + corners.prefix(1))
        where min(start.y, end.y) <= y && y <= max(start.y, end.y) && start.y != end.y {
            let x = start.x + (y - start.y) / (end.y - start.y) * (end.x - start.x)
            (low, high) = (min(low, x), max(high, x))
        }
        guard low < high else { return 0..<0 }
        let first = Int((low - 0.5).rounded(.up))
        return first..<max(first, Int((high - 0.5).rounded(.up)))
    }
}

extension DrawPlan {
    /// Every piece in the order in which it is drawn: view by view, in each the background, then the layers from the bottom.
    ///
    /// Shadows, rims, callouts and marks, which no piece of a layer draws, are left out, and so are the second halves of split
    /// loupes.
    package var plannedPieces: [PlannedPiece] {
        views.enumerated().flatMap { index, view in
            let shape = PieceShape(of: view, in: scene)
            let background = shape.isTransparent ? [] : view.background
            let fills = background.compactMap { shape.piece(.fill, $0, view: index, layer: nil) }
            return view.layers.filter { $0.isVisible }.reduce(into: fills) { pieces, layer in
                pieces += layer.kinds.compactMap { shape.piece($0.kind, $0.block, view: index, layer: layer.index) }
            }
        }
    }
}

/// The region that cuts a view's pieces.
private struct PieceShape {
    private let disc: DiscRings?
    let isTransparent: Bool

    init(of view: ViewPlan, in scene: Scene) {
        guard case .loupe(let index) = view.view.kind else {
            (disc, isTransparent) = (nil, false)
            return
        }
        let loupe = scene.loupes[index]
        disc = loupe.outline == nil ? DiscRings(of: loupe) : nil
        isTransparent = loupe.outside == .transparent
    }

    func piece(_ kind: PlannedPiece.Kind, _ block: PixelRect, view: Int, layer: Int?) -> PlannedPiece? {
        let polygon = disc.map { $0.polygon(in: block) } ?? GridPolygon(block)
        guard !block.isEmpty, polygon.corners.count >= 3 else { return nil }
        return PlannedPiece(view: view, layer: layer, kind: kind, block: block, corners: polygon.corners)
    }
}

extension LayerPlan {
    /// The blocks of its pieces, cut where strokes may be.
    fileprivate var kinds: [(kind: PlannedPiece.Kind, block: PixelRect)] {
        let ink = ink(limit: 1 << 24) { _ in .zero }
        return pieces.flatMap { piece -> [(kind: PlannedPiece.Kind, block: PixelRect)] in
            guard let shader = Shader(piece.state) else { return [] }
            let kind: PlannedPiece.Kind =
                switch shader {
                case .singleEdge: .singleEdge
                case .corner: .corner
                default: .noEdge
                }
            if ink.isEmpty { return [(kind: kind, block: piece.rect)] }
            return ink.flatMap { band in
                let (inked, plain) = band.split(piece.rect)
                return plain.map { (kind: kind, block: $0) } + inked.map { (kind: .ink, block: $0) }
            }
        }
    }
}
