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
    /// Its pixels are those of the view's region in this block of the canvas.
    package let block: PixelRect
}

extension DrawPlan {
    /// Every piece in the order in which it is drawn: view by view, in each the background, then the layers from the bottom.
    ///
    /// Shadows, rims, callouts and marks, which no piece of a layer draws, are left out, and so are the second halves of split
    /// loupes.
    package var plannedPieces: [PlannedPiece] {
        views.enumerated().flatMap { index, view in
            func piece(_ kind: PlannedPiece.Kind, _ block: PixelRect, layer: Int?) -> PlannedPiece? {
                view.region.meets(block) ? PlannedPiece(view: index, layer: layer, kind: kind, block: block) : nil
            }
            let hasFills = view.view.loupe(in: scene)?.outside != .transparent
            let fills = hasFills ? view.background.compactMap { piece(.fill, $0, layer: nil) } : []
            return view.layers.filter { $0.isVisible }.reduce(into: fills) { pieces, layer in
                pieces += layer.kinds.compactMap { piece($0.kind, $0.block, layer: layer.index) }
            }
        }
    }
}

extension LayerPlan {
    /// The blocks of its pieces, cut where strokes may be.
    fileprivate var kinds: [(kind: PlannedPiece.Kind, block: PixelRect)] {
        let ink = ink(limit: 1 << 24) { _ in .zero }
        return pieces.flatMap { piece -> [(kind: PlannedPiece.Kind, block: PixelRect)] in
            // None where nothing is drawn.
            guard let kind = PlannedPiece.Kind(rawValue: piece.state.rawValue) else { return [] }
            if ink.isEmpty { return [(kind: kind, block: piece.rect)] }
            return ink.flatMap { band in
                let (inked, plain) = band.split(piece.rect)
                return plain.map { (kind: kind, block: $0) } + inked.map { (kind: .ink, block: $0) }
            }
        }
    }
}
