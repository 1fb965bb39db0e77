import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// The cutting into pieces against brute force: every pixel of the region once, by a shader that is exact there.
@Suite struct PieceTests {
    /// An outline and a loupe or canvas over it; a third of the numbers are whole or quarters, as people's are.
    struct Case {
        let outline: Outline
        let region: Region

        /// - Parameter isMixed: whether the corners differ from each other or along their edges.
        init(using random: inout SplitMix64, isMixed: Bool = false) {
            func number(_ range: ClosedRange<Double>) -> Double {
                let value = Double.random(in: range, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: return value.rounded()
                case 1: return (value * 4).rounded() / 4
                default: return value
                }
            }
            let zoom: Double = [1, 1, 2.5, 4, 16, 64].randomElement(using: &random) ?? 1
            let rect = Rect(
                x: number(-60...60), y: number(-60...60), width: max(0.3, number(0...90)) * zoom,
                height: max(0.3, number(0...90)) * zoom)
            let half = rect.shorterSide / 2
            let radius: Double =
                [0, half, number(0...half), min(half, number(0...12))].randomElement(using: &random) ?? 0
            let exponent: Double =
                [1, 2, 3.35, 4, 5, 8, number(1...8), number(1...1.4), number(1...32)].randomElement(using: &random) ?? 4
            let even = CornerRadii(min(max(radius, 0), half))
            let mixed = CornerRadii { _ in
                Int.random(in: 0..<5, using: &random) == 0
                    ? .zero : CornerRadius(x: number(0...rect.width), y: number(0...rect.height))
            }
            outline = Outline(
                rect: rect, radii: isMixed ? mixed.fitted(width: rect.width, height: rect.height) : even,
                exponent: exponent)
            let canvas = PixelRect(width: 64, height: 48)
            let corner = Point(x: rect.minX + number(-20...20), y: rect.maxY + number(-20...20))
            let centers = [corner, rect.center, Point(x: number(-10...70), y: number(-10...60))]
            let disc = Circle(
                center: centers.randomElement(using: &random) ?? corner, radius: max(1, number(1...40)))
            region =
                Bool.random(using: &random)
                ? Region(bounds: canvas) : Region(of: .disc(disc), deeperThan: -0.5, within: canvas)
        }

        func coverage(_ x: Int, _ y: Int) -> Double {
            outline.coverage(at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), magnification: 1)
        }

        var description: String { "\(outline) in \(region)" }
    }

    @Test("Every pixel lies in exactly one piece, whose shader is exact there", arguments: [false, true])
    func everyPixelHasAPiece(isMixed: Bool) {
        var random = SplitMix64(seed: 7)
        for _ in 0..<Sample.count(isMixed ? 250 : 1000, whole: isMixed ? 4000 : 10_000) {
            check(Case(using: &random, isMixed: isMixed))
        }
    }

    private func check(_ sample: Case) {
        let (outline, region) = (sample.outline, sample.region)
        if region.bounds.isEmpty { return }
        let pieces = outline.pieces(in: region)
        let tangents = OutlineTangents(of: outline, seenIn: pieces.filter { $0.state == .corner }.map(\.rect))
        var seen = Set<Int>()
        for piece in pieces {
            for y in piece.rect.minY..<piece.rect.maxY {
                for x in region.columns(inRow: y, of: piece.rect) {
                    #expect(seen.insert(y * 1000 + x).inserted, "\(x), \(y) lies in two pieces: \(sample.description)")
                    let (drawn, expected) = (coverage(of: piece, x, y, outline, tangents), sample.coverage(x, y))
                    if abs(drawn - expected) > 0.0005 {
                        Issue.record("\(x), \(y): \(piece) covers \(drawn), not \(expected): \(sample.description)")
                        return
                    }
                }
            }
        }
        #expect(seen.count == region.pixelCount, "\(sample.description)")
    }

    /// What the piece's shader computes, in double precision.
    private func coverage(
        of piece: Piece, _ x: Int, _ y: Int, _ outline: Outline, _ tangents: OutlineTangents
    ) -> Double {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        let distance =
            switch piece.state {
            case .outside: -1.0
            case .noEdge: 1.0
            case .singleEdge:
                min(px - outline.rect.minX, outline.rect.maxX - px, py - outline.rect.minY, outline.rect.maxY - py)
            case .corner: tangents.signedDistance(column: x, row: y, to: outline.rect)
            }
        return min(max(distance + 0.5, 0), 1)
    }

    @Test("Far from the outline too, lines made for that give its distance", arguments: [1, 1.3, 2, 4, 9])
    func deepAndFarDistances(exponent: Double) {
        let outline = Outline(
            rect: Rect(x: 20.3, y: 30, width: 70, height: 44),
            radii: CornerRadii { CornerRadius(x: $0.isLeft ? 40 : 8, y: $0.isTop ? 12 : 22) }, exponent: exponent)
        let canvas = PixelRect(width: 120, height: 110)
        let tangents = OutlineTangents(of: outline, seenIn: [canvas], depth: 200, reach: 60)
        for y in 0..<canvas.maxY {
            for x in 0..<canvas.maxX {
                let expected = outline.signedDistance(to: Point(x: Double(x) + 0.5, y: Double(y) + 0.5))
                #expect(abs(tangents.signedDistance(column: x, row: y, to: outline.rect) - expected) < 0.0005)
            }
        }
    }
}

extension OutlineTangents {
    /// The distance that the shaders compute, by the same steps, in double precision.
    fileprivate func signedDistance(column: Int, row: Int, to rect: Rect) -> Double {
        let (x, y) = (Double(column) + 0.5 - origin.x, Double(row) + 0.5 - origin.y)
        let edges = [
            origin.x + x - rect.minX, origin.y + y - rect.minY, rect.maxX - origin.x - x, rect.maxY - origin.y - y,
        ]
        return sections.reduce(edges.min() ?? 0) { least, section in
            let (u, v) = (section.outward.dx * x, section.outward.dy * y)
            guard u > section.least.dx, v > section.least.dy else { return least }
            return min(least, distance(x, y, to: section, along: section.isVertical ? v : u))
        }
    }

    private func distance(_ x: Double, _ y: Double, to section: Section, along axis: Double) -> Double {
        func distance(_ index: Int) -> Double { lines[index].a * x + lines[index].b * y + lines[index].c }
        var (low, high) = (section.lines.lowerBound, section.lines.upperBound - 1)
        while low < high {
            let middle = (low + high) / 2
            if distance(middle) > distance(middle + 1) && axis > lines[middle].turn {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return distance(low)
    }
}
