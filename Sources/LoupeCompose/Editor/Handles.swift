import LoupeBase
import LoupePlan
import LoupeScene

/// A part of a loupe that a hand can take hold of.
package struct Handle: Hashable, Sendable {
    package enum Part: String, Hashable, Sendable, CaseIterable {
        /// The loupe itself: where it lies.
        case loupe
        /// The source that it shows.
        case focus
        /// The connector: loupe and source together.
        case both
        /// The loupe's size.
        case radius
        /// The source's size.
        case zoom
    }

    package var part: Part
    /// The loupe's index.
    package var loupe: Int

    package init(_ part: Part, of loupe: Int) { (self.part, self.loupe) = (part, loupe) }
}

extension FigureEditor {
    /// How far a hand may miss a handle, in pixels of the screen, for a mouse; a finger may miss it by twice as much.
    package static let reach = 9.0

    /// The diagonal to the lower right, on which the handle of the radius lies.
    private static let diagonal = 0.5.squareRoot()

    /// A loupe as it is shown: its rim's width and its place follow from the style, and no edit needs them.
    private func loupe(_ index: Int) -> Loupe { figure.loupes[index].loupe }

    /// Half the source's sides, in canvas pixels.
    private func sourceReach(_ index: Int) -> Vector { (1 / loupe(index).zoom) * loupe(index).halfSides }

    /// The middle of what a loupe shows.
    package func shownFocus(_ index: Int) -> Point { page.scene(in: figure.frame).shownFocus(of: loupe(index)) }

    /// Where a handle lies, in canvas pixels.
    package func position(of handle: Handle) -> Point {
        let loupe = loupe(handle.loupe)
        switch handle.part {
        case .loupe: return loupe.center
        case .focus: return shownFocus(handle.loupe)
        case .both: return loupe.center + 0.5 * (shownFocus(handle.loupe) - loupe.center)
        case .radius: return loupe.center + Self.corner(of: loupe, loupe.halfSides)
        case .zoom:
            let source = sourceReach(handle.loupe)
            // Never so near to the source's middle that the source can't be taken hold of.
            let least = 2.2 * Self.reach * unit
            let corner = Self.corner(of: loupe, source)
            return shownFocus(handle.loupe) + max(1, least / max(corner.length, 1e-9)) * corner
        }
    }

    /// From the middle of a loupe, or of its source, to its handle.
    private static func corner(of loupe: Loupe, _ half: Vector) -> Vector {
        switch loupe.shape {
        case .circle: Vector(dx: diagonal * half.dx, dy: diagonal * half.dy)
        case .rectangle: half
        }
    }

    /// The handles that are shown: those of the selected loupe.
    package var handles: [Handle] {
        guard let selection else { return [] }
        let parts: [Handle.Part] =
            figure.loupes[selection].magnifiesInPlace ? [.loupe, .radius, .zoom] : [.loupe, .focus, .radius, .zoom]
        return parts.map { Handle($0, of: selection) }
    }

    /// What lies under a hand: small handles first, then loupes from the top, then what they show, then connectors.
    /// - Parameter reach: how far the hand may miss, in pixels of the screen.
    package func handle(at point: Point, reach: Double = Self.reach) -> Handle? {
        let reach = reach * unit
        let small = handles.filter { $0.part == .radius || $0.part == .zoom }
        if let nearest = small.map({ ($0, position(of: $0).distance(to: point)) }).min(by: { $0.1 < $1.1 }),
            nearest.1 <= reach
        {
            return nearest.0
        }
        // The selected loupe is above all others for the hand.
        var order = Array(figure.loupes.indices.reversed())
        if let selection { order = [selection] + order.filter { $0 != selection } }
        for index in order where covers(loupe(index).halfSides, of: index, around: loupe(index).center, point) {
            return Handle(.loupe, of: index)
        }
        for index in order where !figure.loupes[index].magnifiesInPlace {
            let ring = loupe(index).callout?.ring?.width ?? 0
            let wide = sourceReach(index) + Vector(dx: ring + reach / 2, dy: ring + reach / 2)
            if covers(wide, of: index, around: shownFocus(index), point) { return Handle(.focus, of: index) }
        }
        for index in order where loupe(index).callout?.connector != nil {
            let (start, end) = (shownFocus(index), loupe(index).center)
            if Self.distance(from: point, to: start, end) <= max(reach / 2, 1.5 * unit) {
                return Handle(.both, of: index)
            }
        }
        return nil
    }

    /// Whether a loupe's shape of some half sides covers a point.
    private func covers(_ half: Vector, of index: Int, around center: Point, _ point: Point) -> Bool {
        let offset = point - center
        switch loupe(index).shape {
        case .circle: return offset.length <= half.dx
        case .rectangle: return abs(offset.dx) <= half.dx && abs(offset.dy) <= half.dy
        }
    }

    /// The distance from a point to a straight line between two others.
    private static func distance(from point: Point, to start: Point, _ end: Point) -> Double {
        let way = end - start
        let square = way.dot(way)
        guard square > 0 else { return point.distance(to: start) }
        let part = ((point - start).dot(way) / square).clamped(to: 0...1)
        return point.distance(to: start + part * way)
    }
}
