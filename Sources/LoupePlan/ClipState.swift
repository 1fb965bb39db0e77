import LoupeBase
import LoupeScene

/// The clip shader that a region of a layer needs, from the cheapest to the most expensive
/// (specification, section 7).
package enum ClipState: String, Hashable, Sendable, CaseIterable {
    /// The layer covers nothing here: no layer shader runs at all.
    case outside
    /// The layer covers everything here: sampled, never clipped.
    case noEdge = "no-edge"
    /// One straight edge is in sight: the distance to the rect's straight edges.
    case singleEdge = "single-edge"
    /// A corner zone is in sight: the distance to the superellipse.
    case corner
}

extension ClipState {
    /// The most expensive state that any pixel of `region` needs. The states of its pieces are chosen by
    /// `Outline.pieces(in:)`.
    package init(of outline: Outline, in region: Region) {
        self.init(of: outline, in: region, cutInto: outline.pieces(in: region))
    }

    /// The same for a region that is cut already.
    init(of outline: Outline, in region: Region, cutInto pieces: [Piece]) {
        if outline.isWholly(.outside, in: region, cutInto: pieces) {
            self = .outside
        } else if outline.isWholly(.noEdge, in: region, cutInto: pieces) {
            self = .noEdge
        } else if outline.needsCorner(region) {
            self = .corner
        } else {
            self = .singleEdge
        }
    }
}

extension Outline {
    /// Whether the coverage at every pixel of the region is 0, for `outside`, or 1, for `noEdge`.
    ///
    /// Corner pieces are cut with a margin, so the distance itself decides for a region that only touches one.
    fileprivate func isWholly(_ state: ClipState, in region: Region, cutInto pieces: [Piece]) -> Bool {
        pieces.allSatisfy { piece in
            guard piece.state == .corner else { return piece.state == state }
            return isEveryDistance(in: piece.rect, of: region) { state == .noEdge ? $0 >= 0.5 : $0 <= -0.5 }
        }
    }

    private func isEveryDistance(in rect: PixelRect, of region: Region, _ condition: (Double) -> Bool) -> Bool {
        (rect.minY..<rect.maxY).allSatisfy { y in
            region.columns(inRow: y, of: rect).allSatisfy { x in
                condition(signedDistance(to: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), within: 1))
            }
        }
    }

    /// Whether a pixel of the region lies in a corner zone, or between edges so close to each
    /// other that a pixel sees two of them.
    fileprivate func needsCorner(_ region: Region) -> Bool {
        isThin || cornerZones.contains { region.meets($0) }
    }

    /// The pixels whose centres lie in the four corner zones: the rectangles in which the outline curves, extended by half
    /// a pixel. The zone of a square corner is the pixel around it.
    private var cornerZones: [PixelRect] {
        CornerPosition.allCases.map { position in
            let radius = radii[position]
            return PixelRect(
                AxisBands.zone(from: position.isLeft ? rect.minX : rect.maxX - radius.x, radius: radius.x),
                AxisBands.zone(from: position.isTop ? rect.minY : rect.maxY - radius.y, radius: radius.y))
        }
    }
}
