import LoupeBase
import TestSupport
import Testing

@testable import LoupePlan
@testable import LoupeScene

/// `ClipState` against the table of the specification, section 7, read literally and applied pixel by pixel.
@Suite struct ClipStateTests {
    @Test func stateIsThatOfTheTableWhereverTheLoupeIs() {
        var random = SplitMix64(seed: 11)
        var seen: [ClipState: Int] = [:]
        let count = Sample.count(1000, whole: 10_000)
        for _ in 0..<count {
            let sample = PieceTests.Case(using: &random)
            // Two edges in one pixel need the corner shader, wherever the corners are.
            if sample.outline.isThin { continue }
            let state = ClipState(of: sample.outline, in: sample.region)
            #expect(state == sample.tableState, "\(sample.description)")
            seen[state, default: 0] += 1
        }
        for state in ClipState.allCases { #expect(seen[state, default: 0] > count * 3 / 100, "\(seen)") }
    }
}

extension PieceTests.Case {
    /// Specification, section 7: the rows of its table in this order: outside, no-edge, corner, and what remains.
    fileprivate var tableState: ClipState {
        // Rounding makes an edge that lies between pixels cover 1e-14 of one.
        let rounding = 1e-9
        let coverages = pixels.map { coverage($0.x, $0.y) }
        if coverages.allSatisfy({ $0 < rounding }) { return .outside }
        if coverages.allSatisfy({ $0 > 1 - rounding }) { return .noEdge }
        return pixels.contains(where: isInCornerZone) ? .corner : .singleEdge
    }

    private var pixels: [(x: Int, y: Int)] {
        (region.bounds.minY..<max(region.bounds.minY, region.bounds.maxY)).flatMap { y in
            region.columns(inRow: y, of: region.bounds).map { (x: $0, y: y) }
        }
    }

    /// Whether a pixel's centre lies in the r×r square of some corner, grown by half a pixel.
    private func isInCornerZone(_ pixel: (x: Int, y: Int)) -> Bool {
        func isInZone(_ center: Double, _ low: Double, _ high: Double) -> Bool {
            let reach = outline.radii.largest + 0.5
            return (low - 0.5 <= center && center <= low + reach) || (high - reach <= center && center <= high + 0.5)
        }
        return isInZone(Double(pixel.x) + 0.5, outline.rect.minX, outline.rect.maxX)
            && isInZone(Double(pixel.y) + 0.5, outline.rect.minY, outline.rect.maxY)
    }
}
