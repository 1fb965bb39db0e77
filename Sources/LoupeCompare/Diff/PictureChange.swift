import LoupeBase
import LoupeImaging
import LoupeScene

/// A change of a picture, as one sentence that a comparison's numbers do not say.
public enum PictureChange: Hashable, Sendable {
    /// The whole picture lies so many pixels further to the right and down.
    case shifted(x: Int, y: Int)
    /// All pixels of one colour have another one; both are RGBA.
    case oneColor(from: [UInt8], to: [UInt8])
    /// The text of a page of a PDF has other words: those that each page has more often than the other.
    case text(from: [String], to: [String])
    /// A page of a PDF has the same words, of which some lie elsewhere: the topmost of them, and how far to the right and down
    /// it lies, in pixels of 1/96 inch. And whether no pixel elsewhere differs.
    case textMoved(_ word: String, x: Int, y: Int, others: Int, isAll: Bool)

    /// The name in results.
    public var kind: String {
        switch self {
        case .shifted: "shift"
        case .oneColor: "one-color"
        case .text: "text"
        case .textMoved: "text-moved"
        }
    }

    /// The change in results: its kind, and the sentence.
    package var json: JSONValue { ["kind": .string(kind), "text": .string(description)] }
}

extension PictureChange: CustomStringConvertible {
    /// One sentence without a full stop.
    public var description: String {
        switch self {
        case .shifted(let x, let y): "the picture is shifted by (\(x), \(y)) px"
        case .oneColor(let from, let to): "one colour changed: \(Self.hex(from)) is drawn as \(Self.hex(to))"
        case .text(let from, []): "text is gone: \(Self.quoted(from))"
        case .text([], let to): "text was added: \(Self.quoted(to))"
        case .text(let from, let to): "text changed: \(Self.quoted(from)) is now \(Self.quoted(to))"
        case .textMoved(let word, let x, let y, let others, let isAll):
            "text moved and \(isAll ? "none changed" : "more than text changed"): \(Self.quoted([word])) by (\(x), \(y)) px"
                + (others == 0 ? "" : others == 1 ? " and another word" : " and \(others) other words")
        }
    }

    private static func quoted(_ words: [String]) -> String {
        "“\(words.prefix(6).joined(separator: " ").quotable)\(words.count > 6 ? " …" : "")”"
    }

    private static func hex(_ color: [UInt8]) -> String {
        Color(red: color[0], green: color[1], blue: color[2], alpha: color[3]).hex
    }
}

extension PictureChange {
    /// What changed from the reference to the actual picture; nil where that is not sure.
    ///
    /// - Parameter difference: The result of comparing these two pictures.
    package static func find(_ difference: Difference, reference: Image, actual: Image) -> PictureChange? {
        guard difference.referenceSize == difference.actualSize, difference.excluded == nil else { return nil }
        var difference = difference
        // A metric of errors counts other pixels than those that changed, and a mean may be too large without any. Changes are
        // found in 8 bits.
        if difference.errorMap != nil || difference.differingPixels == 0 || difference.depth == 16 {
            let counting = Comparison(metric: .channel(Tolerance(1)))
            difference = (try? counting.compare(reference: reference.flattened, actual: actual.flattened)) ?? difference
        }
        guard difference.differingPixels > 0 else { return nil }
        return reference.withWords { a in
            actual.withWords { b in
                let pixels = ChangedPixels(reference: a, actual: b, difference: difference)
                return pixels.oneColor ?? pixels.shift
            }
        }
    }
}

/// Tests of the pixels that differ.
private struct ChangedPixels {
    let reference: PixelGrid
    let actual: PixelGrid
    let difference: Difference

    private static func channels(_ word: UInt32) -> SIMD4<Int32> {
        SIMD4(Int32(word & 255), Int32(word >> 8 & 255), Int32(word >> 16 & 255), Int32(word >> 24))
    }

    /// Calls `body` with both pixels of each place that differs, until it answers false.
    private func forEachDiffering(_ body: (_ column: Int, _ row: Int) -> Bool) {
        for run in difference.runs {
            for column in run.columns where !body(column, Int(run.row)) { return }
        }
    }

    // MARK: - A colour

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

    /// The side of the block in the middle in which a shift is looked for, in pixels.
    private static let reach = 512

    var shift: PictureChange? {
        guard movesEdges else { return nil }
        let (width, height) = (min(reference.width, Self.reach), min(reference.height, Self.reach))
        let (left, top) = ((reference.width - width) / 2, (reference.height - height) / 2)
        let middle = PixelRect(minX: left, minY: top, maxX: left + width, maxY: top + height)
        let found = LumaPlane(reference, in: middle).offset(of: LumaPlane(actual, in: middle))
        let whole = PixelRect(width: reference.width, height: reference.height)
        guard found.explains(reference, actual, in: whole) else { return nil }
        return .shifted(x: found.x, y: found.y)
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
}
