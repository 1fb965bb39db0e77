import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// The cutting of outlines whose corners differ, against brute force: every pixel of the region once, by a shader that
/// is exact there.
@Suite struct MixedCornerPieceTests {
    private struct Case {
        let outline: Outline
        let region: Region

        init(using random: inout SplitMix64) {
            func number(_ range: ClosedRange<Double>) -> Double {
                let value = Double.random(in: range, using: &random)
                return Bool.random(using: &random) ? value.rounded() : value
            }
            let zoom: Double = [1, 1, 4, 64].randomElement(using: &random) ?? 1
            let rect = Rect(
                x: number(-60...60), y: number(-60...60), width: max(0.3, number(0...90)) * zoom,
                height: max(0.3, number(0...90)) * zoom)
            let wanted = CornerRadii { _ in
                Int.random(in: 0..<5, using: &random) == 0
                    ? .zero : CornerRadius(x: number(0...rect.width), y: number(0...rect.height))
            }
            let exponent: Double =
                [1, 2, 2, 3.35, 4, 8, number(1...8), number(1...1.4), number(1...32)].randomElement(using: &random) ?? 4
            outline = Outline(
                rect: rect, radii: wanted.fitted(width: rect.width, height: rect.height), exponent: exponent)
            let canvas = PixelRect(width: 64, height: 48)
            let corner = Point(x: rect.minX + number(-20...20), y: rect.maxY + number(-20...20))
            let disc = Circle(center: corner, radius: number(1...40) + 0.5)
            region =
                Bool.random(using: &random)
                ? Region(bounds: canvas) : Region(bounds: canvas.intersection(disc.pixelBounds), disc: disc)
        }

        func coverage(_ x: Int, _ y: Int) -> Double {
            outline.coverage(at: Point(x: Double(x) + 0.5, y: Double(y) + 0.5), magnification: 1)
        }
    }

    @Test func everyPixelLiesInExactlyOnePieceWhoseShaderIsExactThere() {
        var random = SplitMix64(seed: 11)
        for _ in 0..<Sample.count(250, whole: 4000) {
            let sample = Case(using: &random)
            guard !sample.outline.hasUniformCorners else { continue }
            check(sample)
        }
    }

    private func check(_ sample: Case) {
        let (outline, region) = (sample.outline, sample.region)
        let bounds = region.bounds
        guard !bounds.isEmpty else { return }
        let pieces = outline.pieces(in: region)
        let corners = pieces.filter { $0.state == .corner }.map(\.rect)
        let tangents = OutlineTangents(of: outline, seenIn: corners)
        var seen = Set<Int>()
        for piece in pieces {
            for y in piece.rect.minY..<piece.rect.maxY {
                for x in region.columns(inRow: y, of: piece.rect) {
                    #expect(seen.insert(y * 1000 + x).inserted, "pixel \(x), \(y) lies in two pieces of \(outline)")
                    let drawn = coverage(of: piece, x, y, outline, tangents)
                    let expected = sample.coverage(x, y)
                    if abs(drawn - expected) > 0.0005 {
                        Issue.record("pixel \(x), \(y): \(piece) covers \(drawn), not \(expected): \(outline)")
                        return
                    }
                }
            }
        }
        #expect(seen.count == region.pixelCount)
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
            case .corner: tangents.signedDistance(column: x, row: y)
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
                #expect(abs(tangents.signedDistance(column: x, row: y) - expected) < 0.0005)
            }
        }
    }
}
