import LoupeGeometry

/// Which clip shader a region of a layer needs, from the cheapest to the dearest (SPEC 7).
public enum ClipState: String, Hashable, Sendable, CaseIterable, Comparable {
    /// The layer covers nothing here: no layer shader runs at all.
    case outside
    /// The layer covers everything here: sampled, never clipped.
    case noEdge = "no-edge"
    /// One straight edge is in sight: one signed distance to a line.
    case singleEdge = "single-edge"
    /// A corner zone is in sight: the distance to the superellipse.
    case corner

    public static func < (a: ClipState, b: ClipState) -> Bool { a.cost < b.cost }

    private var cost: Int {
        switch self {
        case .outside: 0
        case .noEdge: 1
        case .singleEdge: 2
        case .corner: 3
        }
    }
}

extension ClipState {
    /// The one choice among the shaders: the dearest state that any pixel of `region` needs.
    public init(of outline: PlacedOutline, in region: Region) {
        self.init(of: outline, in: region, cutInto: outline.pieces(in: region))
    }

    /// The same, where the region has been cut already.
    init(of outline: PlacedOutline, in region: Region, cutInto pieces: [Piece]) {
        let states = Set(pieces.map(\.state))
        if states.isSubset(of: [.outside]) {
            self = .outside
        } else if outline.covers(region, cutInto: pieces) {
            self = .noEdge
        } else if outline.needsCorner(region) {
            self = .corner
        } else {
            self = .singleEdge
        }
    }
}

extension PlacedOutline {
    /// Whether the coverage is 1 at every pixel of the region. Pieces are cut with a margin, so a
    /// region that only touches a corner piece is settled by the distance itself.
    fileprivate func covers(_ region: Region, cutInto pieces: [Piece]) -> Bool {
        pieces.allSatisfy { piece in
            switch piece.state {
            case .noEdge: true
            case .outside, .singleEdge: false
            case .corner: isCoveredThroughout(piece.rect, of: region)
            }
        }
    }

    private func isCoveredThroughout(_ rect: PixelRect, of region: Region) -> Bool {
        let planes = CornerTangents(of: self, seenIn: [rect])
        return (rect.minY..<rect.maxY).allSatisfy { y in
            region.columns(inRow: y, of: rect).allSatisfy { x in
                planes.signedDistance(column: x, row: y, of: self) >= 0.5
            }
        }
    }

    /// Whether a pixel of the region lies in a corner zone, or between edges so close to each
    /// other that a pixel sees two of them.
    fileprivate func needsCorner(_ region: Region) -> Bool {
        isThin || cornerZones.contains { region.meets($0) }
    }
}
