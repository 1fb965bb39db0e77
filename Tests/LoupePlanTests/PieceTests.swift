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

        init(using random: inout SplitMix64) {
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
            outline = Outline(rect: rect, radius: min(max(radius, 0), half), exponent: exponent)
            let canvas = PixelRect(width: 64, height: 48)
            let corner = Point(x: rect.minX + number(-20...20), y: rect.maxY + number(-20...20))
            let centers = [corner, rect.center, Point(x: number(-10...70), y: number(-10...60))]
            let disc = Circle(
                center: centers.randomElement(using: &random) ?? corner, radius: max(1, number(1...40)) + 0.5)
            region =
                Bool.random(using: &random)
                ? Region(bounds: canvas) : Region(bounds: canvas.intersection(disc.pixelBounds), disc: disc)
        }

        func coverage(_ x: Int, _ y: Int) -> Double {
            outline.coverage(at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), magnification: 1)
        }

        var description: String { "\(outline) in \(region)" }
    }

    @Test func everyPixelLiesInExactlyOnePieceWhoseShaderIsExactThere() {
        var random = SplitMix64(seed: 7)
        for _ in 0..<Sample.count(1000, whole: 10_000) {
            let sample = Case(using: &random)
            check(sample)
        }
    }

    private func check(_ sample: Case) {
        let (outline, region) = (sample.outline, sample.region)
        let bounds = region.bounds
        guard !bounds.isEmpty else { return }
        var owners = [Piece?](repeating: nil, count: bounds.pixelCount)
        for piece in outline.pieces(in: region) {
            for y in piece.rect.minY..<piece.rect.maxY {
                for x in region.columns(inRow: y, of: piece.rect) {
                    let index = (y - bounds.minY) * bounds.width + x - bounds.minX
                    #expect(owners[index] == nil, "pixel \(x), \(y) lies in two pieces of \(sample.description)")
                    owners[index] = piece
                }
            }
        }
        let corners = outline.pieces(in: region).filter { $0.state == .corner }.map(\.rect)
        let tangents = CornerTangents(of: outline, seenIn: corners)
        var states = Set<Bool>()
        for y in bounds.minY..<bounds.maxY {
            for x in region.columns(inRow: y, of: bounds) {
                let expected = sample.coverage(x, y)
                guard let piece = owners[(y - bounds.minY) * bounds.width + x - bounds.minX] else {
                    Issue.record("pixel \(x), \(y) lies in no piece of \(sample.description)")
                    continue
                }
                let drawn = coverage(of: piece, x, y, outline, tangents)
                if abs(drawn - expected) > 0.0005 {
                    Issue.record(
                        "pixel \(x), \(y): \(piece.state) covers \(drawn), not \(expected): \(sample.description)")
                    return
                }
                states.insert(expected == 1)
            }
        }
    }

    /// What the piece's shader computes, in double precision.
    private func coverage(
        of piece: Piece, _ x: Int, _ y: Int, _ outline: Outline, _ tangents: CornerTangents
    ) -> Double {
        let (px, py) = (Double(x) + 0.5, Double(y) + 0.5)
        let distance: Double
        switch piece.state {
        case .outside: return 0
        case .noEdge: return 1
        case .singleEdge:
            let rect = outline.rect
            distance = min(px - rect.minX, rect.maxX - px, py - rect.minY, rect.maxY - py)
        case .corner: distance = tangents.signedDistance(column: x, row: y, of: outline)
        }
        return min(max(distance + 0.5, 0), 1)
    }
}
