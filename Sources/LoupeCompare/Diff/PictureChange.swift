import LoupeBase
import LoupeImaging

/// A change of a picture, as one sentence that a comparison's numbers do not say.
public enum PictureChange: Hashable, Sendable {
    /// The whole picture lies elsewhere.
    case shifted(Shift)
    /// Red, green and blue of almost all pixels are higher by about these steps.
    case evenColors(red: Int, green: Int, blue: Int)
    /// All pixels of one colour have another one; both are RGBA.
    case oneColor(from: [UInt8], to: [UInt8])
    /// Only pixels on edges differ, each a mixture of its neighbours in both pictures.
    case onlyAntialiasing
    /// The picture is as its scene describes it, and the reference is not.
    case outdatedReference
    /// A loupe lies elsewhere, in canvas pixels.
    case loupeMoved(loupe: Int, x: Double, y: Double)
    /// A loupe's border is too far out by so many pixels, or too far in where they are negative.
    case loupeResized(loupe: Int, pixels: Double)

    /// The name in results.
    public var kind: String {
        switch self {
        case .shifted: "shift"
        case .evenColors: "even-colors"
        case .oneColor: "one-color"
        case .onlyAntialiasing: "only-antialiasing"
        case .outdatedReference: "outdated-reference"
        case .loupeMoved: "loupe-moved"
        case .loupeResized: "rim-size"
        }
    }

    /// The change in results: its kind, and the sentence.
    package var json: JSONValue { ["kind": .string(kind), "text": .string(description)] }
}

extension PictureChange: CustomStringConvertible {
    /// One sentence without a full stop. Loupes are counted from 1.
    public var description: String {
        switch self {
        case .shifted(let shift): "the picture is shifted by \(shift) px"
        case .evenColors(let red, let green, let blue): Self.sentence(evenly: [red, green, blue])
        case .oneColor(let from, let to): "one colour changed: \(Self.hex(from)) is drawn as \(Self.hex(to))"
        case .onlyAntialiasing: "only anti-aliasing differs"
        case .outdatedReference:
            "the picture matches its scene, but the reference does not: perhaps the scene was changed"
        case .loupeMoved(let loupe, let x, let y):
            "loupe \(loupe + 1) is shifted by (\(Self.text(x)), \(Self.text(y))) px"
        case .loupeResized(let loupe, let pixels):
            "the rim of loupe \(loupe + 1) is \(Self.text(abs(pixels))) px too far \(pixels > 0 ? "out" : "in")"
        }
    }

    private static func sentence(evenly steps: [Int]) -> String {
        if Set(steps).count == 1 { return "all colours are \(abs(steps[0])) \(steps[0] > 0 ? "higher" : "lower")" }
        let named = zip(["red", "green", "blue"], steps).filter { $1 != 0 }.map { "\($0) by \($1)" }
        return "all colours differ evenly, \(named.joined(separator: ", "))"
    }

    /// To a tenth.
    private static func text(_ number: Double) -> String { JSONValue.number((number * 10).rounded() / 10).line }

    private static func hex(_ color: [UInt8]) -> String {
        let bytes = color[3] == 255 ? color.dropLast() : color[...]
        return "#" + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension PictureChange {
    /// What two pictures that differ say by themselves: that the picture is shifted, that its colours are, or that only
    /// anti-aliasing differs; nil where none of these is the case.
    ///
    /// - Parameter difference: the result of comparing these two pictures.
    public static func find(_ difference: Difference, reference: Image, actual: Image) -> PictureChange? {
        guard difference.differingPixels > 0, difference.excluded == nil else { return nil }
        let pair = PicturePair(reference, actual)
        return pair.withWords { a, b in
            let pixels = ChangedPixels(a, b, difference)
            return pixels.evenColors ?? pixels.oneColor ?? pixels.shift ?? pixels.onlyAntialiasing
        }
    }
}

/// Tests of the pixels that differ.
private struct ChangedPixels {
    let reference: PixelGrid
    let actual: PixelGrid
    let difference: Difference

    init(_ reference: PixelGrid, _ actual: PixelGrid, _ difference: Difference) {
        (self.reference, self.actual, self.difference) = (reference, actual, difference)
    }

    private var pixelCount: Int { reference.width * reference.height }

    private static func channels(_ word: UInt32) -> SIMD4<Int32> {
        SIMD4(Int32(word & 255), Int32(word >> 8 & 255), Int32(word >> 16 & 255), Int32(word >> 24))
    }

    /// Calls `body` with both pixels of each place that differs, until it answers false.
    private func forEachDiffering(_ body: (_ column: Int, _ row: Int) -> Bool) {
        for run in difference.runs {
            for column in run.columns where !body(column, Int(run.row)) { return }
        }
    }

    // MARK: - Colours

    /// How many pixels differ evenly at least, as a part of all, and as a part of those that could change.
    private static let (leastEven, leastFitting) = (0.1, 0.999)

    var evenColors: PictureChange? {
        guard difference.differingPixels >= 64,
            Double(difference.differingPixels) >= Self.leastEven * Double(pixelCount)
        else { return nil }
        // The most frequent step of each channel, among pixels where it could not be cut off.
        var counts = [Int](repeating: 0, count: 3 * 511)
        forEachDiffering { column, row in
            let (a, b) = (Self.channels(reference[column, row]), Self.channels(actual[column, row]))
            for channel in 0..<3 where b[channel] > 0 && b[channel] < 255 {
                counts[channel * 511 + Int(b[channel] - a[channel]) + 255] += 1
            }
            return true
        }
        let steps = (0..<3).map { channel in
            ((0..<511).max { counts[channel * 511 + $0] < counts[channel * 511 + $1] } ?? 255) - 255
        }
        guard steps.contains(where: { $0 != 0 }) else { return nil }
        let step = SIMD4(Int32(steps[0]), Int32(steps[1]), Int32(steps[2]), 0)
        var (judged, fitting) = (0, 0)
        let mostOthers = Int((1 - Self.leastFitting) * Double(pixelCount))
        var colors = Set<UInt32>()
        for index in 0..<pixelCount {
            let (from, to) = (UInt32(littleEndian: reference.words[index]), UInt32(littleEndian: actual.words[index]))
            let (a, b) = (Self.channels(from), Self.channels(to))
            let raised = a &+ step
            let expected = pointwiseMin(pointwiseMax(raised, SIMD4(repeating: 0)), SIMD4(repeating: 255))
            let off = pointwiseMax(b &- expected, expected &- b)
            // A colour that is cut off, as white is, says nothing where it stays.
            if from == to, raised != expected { continue }
            judged += 1
            // A pixel that stayed would fit a step of 1.
            guard off.max() <= 1, from != to else {
                if judged - fitting > mostOthers { return nil }
                continue
            }
            fitting += 1
            if colors.count < Self.leastColors { colors.insert(from) }
        }
        // Where few colours changed, that one of them did says more.
        guard Double(fitting) >= Self.leastEven * Double(pixelCount), colors.count >= Self.leastColors,
            Double(fitting) >= Self.leastFitting * Double(judged)
        else { return nil }
        return .evenColors(red: steps[0], green: steps[1], blue: steps[2])
    }

    private static let leastColors = 8

    var oneColor: PictureChange? {
        guard difference.differingPixels >= 16 else { return nil }
        var counts: [UInt64: Int] = [:]
        forEachDiffering { column, row in
            counts[UInt64(reference[column, row]) << 32 | UInt64(actual[column, row]), default: 0] += 1
            return counts.count < 4096
        }
        guard counts.count < 4096, let (key, count) = counts.max(by: { $0.value < $1.value }),
            Double(count) >= 0.9 * Double(difference.differingPixels)
        else { return nil }
        let (from, to) = (UInt32(truncatingIfNeeded: key >> 32), UInt32(truncatingIfNeeded: key))
        // It is the colour that changed only where it changed everywhere.
        let all = reference.words.count { UInt32(littleEndian: $0) == from }
        guard Double(count) >= 0.9 * Double(all) else { return nil }
        // Pixels of a soft edge often have one colour too, but they fill no area.
        var inner = 0
        forEachDiffering { column, row in
            if isInside(column, row, of: from) { inner += 1 }
            return true
        }
        guard 4 * inner >= count else { return nil }
        return .oneColor(from: Self.bytes(from), to: Self.bytes(to))
    }

    /// Whether a pixel and its four neighbours have a colour in the reference.
    private func isInside(_ column: Int, _ row: Int, of color: UInt32) -> Bool {
        guard column > 0, row > 0, column + 1 < reference.width, row + 1 < reference.height else { return false }
        return [(0, 0), (-1, 0), (1, 0), (0, -1), (0, 1)].allSatisfy { reference[column + $0.0, row + $0.1] == color }
    }

    private static func bytes(_ word: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }

    // MARK: - A shift

    /// The part of the difference that a shift of the whole picture explains: one of a part of it makes the rest differ.
    private static let leastExplained = 0.8
    /// The side of the block in the middle from which a shift is told, in pixels.
    private static let reach = 512

    var shift: PictureChange? {
        guard movesEdges,
            let found = Shift.find(LumaPlane(reference), LumaPlane(actual), reach: Self.reach),
            found.explained >= Self.leastExplained
        else { return nil }
        return .shifted(found)
    }

    /// A cheap test that most pictures fail: whether some of the edges changed at all.
    private var movesEdges: Bool {
        var (edges, moved) = (0, 0)
        for row in stride(from: 1, to: reference.height - 1, by: max(reference.height / 128, 1)) {
            for column in stride(from: 1, to: reference.width - 1, by: 1) {
                let word = reference[column, row]
                let (left, above) = (reference[column - 1, row], reference[column, row - 1])
                if word == left, word == above { continue }
                let (here, beside, over) = (Self.channels(word), Self.channels(left), Self.channels(above))
                let across = pointwiseMax(here, beside) &- pointwiseMin(here, beside)
                let down = pointwiseMax(here, over) &- pointwiseMin(here, over)
                guard pointwiseMax(across, down).max() >= 24 else { continue }
                edges += 1
                if reference[column, row] != actual[column, row] { moved += 1 }
            }
        }
        return edges >= 16 && Double(moved) >= 0.3 * Double(edges)
    }

    // MARK: - Anti-aliasing

    var onlyAntialiasing: PictureChange? {
        guard difference.differingPixels >= 4 else { return nil }
        let regions = difference.regions.filter { $0.differingPixels > 0 }.map(\.region)
        let edges: Set<PictureRegion> = [.pageEdge, .corner, .rim]
        guard edges.isSuperset(of: regions) else { return nil }
        var isSoft = true
        forEachDiffering { column, row in
            let (mine, other) = (Self.channels(reference[column, row]), Self.channels(actual[column, row]))
            isSoft = [reference, actual].allSatisfy { picture in
                let (low, high) = neighbours(column, row, in: picture)
                return [mine, other].allSatisfy { ($0 &- low).min() >= 0 && (high &- $0).min() >= 0 }
            }
            return isSoft
        }
        return isSoft ? .onlyAntialiasing : nil
    }

    /// The smallest and the largest channels of a pixel's up to eight neighbours. Anti-aliasing mixes these; a thin line of
    /// another colour is no mixture of what lies around it in both pictures.
    private func neighbours(
        _ column: Int, _ row: Int, in picture: PixelGrid
    ) -> (low: SIMD4<Int32>, high: SIMD4<Int32>) {
        var (low, high) = (SIMD4<Int32>(repeating: 255), SIMD4<Int32>(repeating: 0))
        for y in max(row - 1, 0)...min(row + 1, picture.height - 1) {
            for x in max(column - 1, 0)...min(column + 1, picture.width - 1) where (x, y) != (column, row) {
                let color = Self.channels(picture[x, y])
                (low, high) = (pointwiseMin(low, color), pointwiseMax(high, color))
            }
        }
        return (low, high)
    }
}
