import LoupeBase

/// The distance by which one picture is shifted against another as a whole.
public struct Shift: Hashable, Sendable, CustomStringConvertible {
    /// How far the actual picture lies to the right of the reference, in pixels.
    public let x: Double
    /// How far it lies below the reference, in pixels.
    public let y: Double
    /// The part of the difference of both pictures that the shift explains, 0…1.
    public let explained: Double

    /// `(x, y)`, to a hundredth of a pixel.
    public var description: String { "(\(Self.text(x)), \(Self.text(y)))" }

    private static func text(_ number: Double) -> String {
        let rounded = (number * 100).rounded() / 100
        return rounded == rounded.rounded() ? "\(Int(rounded))" : "\(rounded)"
    }

    /// A shift that explains less than this part of the difference is not reported.
    static let leastExplained = 0.5
    /// A shorter shift is not reported, in pixels.
    private static let shortest = 0.03

    /// The shift of the actual picture, where it explains most of the difference; nil where none does.
    /// - Parameter reach: The largest part of the pictures that is looked at, in pixels each way, around the middle.
    static func find(_ reference: LumaPlane, _ actual: LumaPlane, reach: Int) -> Shift? {
        let width = min(reference.width, actual.width, reach)
        let height = min(reference.height, actual.height, reach)
        guard width >= 8, height >= 8 else { return nil }
        let (left, top) = ((reference.width - width) / 2, (reference.height - height) / 2)
        let middle = PixelRect(minX: left, minY: top, maxX: left + width, maxY: top + height)
        let before = reference.distance(to: actual, shiftedBy: (0, 0))
        guard before > 0 else { return nil }
        let coarse = reference.cropped(to: middle).wholeShift(to: actual.cropped(to: middle))
        let whole = reference.nearest(to: actual, around: (Double(coarse.x), Double(coarse.y)), from: 1, to: 1)
        let part = reference.nearest(to: actual, around: whole.shift, from: 0.5, to: 1.0 / 128)
        // The fraction has to be worth its decimals.
        let best = part.distance < whole.distance - 0.02 * before ? part : whole
        let found = Shift(x: best.shift.x, y: best.shift.y, explained: 1 - best.distance / before)
        return found.explained > leastExplained && hypot(found.x, found.y) >= shortest ? found : nil
    }
}

/// A picture's brightness.
struct LumaPlane: Sendable {
    let width: Int
    let height: Int
    /// Row by row, 0…255, translucent pixels over black.
    let values: [Float]

    init(_ grid: PixelGrid) {
        (width, height) = (grid.width, grid.height)
        values = grid.words.map { word in
            let word = UInt32(littleEndian: word)
            let color = SIMD3(Float(word & 255), Float(word >> 8 & 255), Float(word >> 16 & 255))
            return (color * SIMD3(0.299, 0.587, 0.114)).sum() * Float(word >> 24) / 255
        }
    }

    private init(width: Int, height: Int, values: [Float]) {
        (self.width, self.height, self.values) = (width, height, values)
    }

    fileprivate func cropped(to block: PixelRect) -> LumaPlane {
        LumaPlane(
            width: block.width, height: block.height,
            values: (block.minY..<block.maxY).flatMap { values[$0 * width + block.minX..<$0 * width + block.maxX] })
    }

    /// How far another plane lies to the right and below, in whole pixels, where both differ least. At least half of the
    /// smaller one's sides overlap. Of equal shifts the shortest.
    func wholeShift(to other: LumaPlane) -> (x: Int, y: Int) { wholeShifts(to: other).first ?? (0, 0) }

    /// The best shifts: of all where the planes are small, and else those near the best of planes half as large.
    private func wholeShifts(to other: LumaPlane) -> [(x: Int, y: Int)] {
        let (wide, high) = (min(width, other.width), min(height, other.height))
        let (across, down) = (wide < 32 ? 1 : 2, high < 32 ? 1 : 2)
        var candidates: [(x: Int, y: Int)] = []
        if across == 1, down == 1 {
            let (farX, farY) = (max(width, other.width) - wide / 2, max(height, other.height) - high / 2)
            for y in -farY...farY { candidates += (-farX...farX).map { ($0, y) } }
        } else {
            let coarse = reduced(across, down).wholeShifts(to: other.reduced(across, down))
            let near = coarse.flatMap { shift in
                (0..<9).map { PixelPlace(x: across * shift.x + $0 % 3 - 1, y: down * shift.y + $0 / 3 - 1) }
            }
            candidates = Set(near).map { ($0.x, $0.y) }
        }
        let judged = candidates.filter { shift in
            2 * (min(other.width, width + shift.x) - max(0, shift.x)) >= wide
                && 2 * (min(other.height, height + shift.y) - max(0, shift.y)) >= high
        }.map { shift in
            (shift, distance(to: other, shiftedBy: (Double(shift.x), Double(shift.y))), abs(shift.x) + abs(shift.y))
        }
        return judged.sorted { ($0.1, $0.2, $0.0.x, $0.0.y) < ($1.1, $1.2, $1.0.x, $1.0.y) }.prefix(Self.kept)
            .map(\.0)
    }

    /// How many shifts of the smaller planes are looked at again in the larger ones.
    private static let kept = 8

    private struct PixelPlace: Hashable { let x, y: Int }

    /// The means of blocks of so many pixels.
    private func reduced(_ across: Int, _ down: Int) -> LumaPlane {
        let (columns, rows) = (width / across, height / down)
        let means = [Float](unsafeUninitializedCapacity: columns * rows) { means, count in
            for y in 0..<rows {
                for x in 0..<columns {
                    var sum: Float = 0
                    for row in 0..<down {
                        let start = (y * down + row) * width + x * across
                        for column in 0..<across { sum += values[start + column] }
                    }
                    means[y * columns + x] = sum / Float(across * down)
                }
            }
            count = columns * rows
        }
        return LumaPlane(width: columns, height: rows, values: means)
    }

    /// The mean difference of the pixels that both have where the other lies so far to the right and below; ∞ where there
    /// are none. Between pixels, the plane is interpolated by the cubic of Catmull and Rom.
    func distance(to other: LumaPlane, shiftedBy shift: (x: Double, y: Double)) -> Double {
        let (wholeX, wholeY) = (Int(shift.x.rounded(.down)), Int(shift.y.rounded(.down)))
        return distance(
            to: other, whole: (wholeX, wholeY), Self.weights(at: 1 - (shift.x - Double(wholeX))),
            Self.weights(at: 1 - (shift.y - Double(wholeY))))
    }

    /// The shift around another one with the least distance, by Hooke and Jeeves's direct search: a step each way as long as
    /// that helps, then half of it.
    func nearest(
        to other: LumaPlane, around start: (x: Double, y: Double), from longest: Double, to shortest: Double
    ) -> (shift: (x: Double, y: Double), distance: Double) {
        var best = (shift: start, distance: distance(to: other, shiftedBy: start))
        var step = longest
        while step >= shortest {
            let before = best.distance
            for way in [(step, 0), (-step, 0), (0, step), (0, -step)] {
                let shift = (best.shift.x + way.0, best.shift.y + way.1)
                // Far away there is little left to compare.
                guard abs(shift.0 - start.x) <= 4, abs(shift.1 - start.y) <= 4 else { continue }
                let distance = distance(to: other, shiftedBy: shift)
                if distance < best.distance { best = (shift, distance) }
            }
            if best.distance == before { step /= 2 }
        }
        return best
    }

    /// The weights of four samples; the place is `part` after the second.
    private static func weights(at part: Double) -> SIMD4<Float> {
        let t = Float(part)
        return SIMD4(
            ((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
            (0.5 * t - 0.5) * t * t)
    }

    /// Compares `other` at (x, y) with this plane at (x − shift, y − shift).
    private func distance(
        to other: LumaPlane, whole: (x: Int, y: Int), _ across: SIMD4<Float>, _ down: SIMD4<Float>
    ) -> Double {
        // The four samples lie at x − whole − 2 … x − whole + 1.
        let columns = max(whole.x + 2, 0)..<max(min(other.width, width + whole.x - 1), max(whole.x + 2, 0))
        let rows = max(whole.y + 2, 0)..<max(min(other.height, height + whole.y - 1), max(whole.y + 2, 0))
        guard !columns.isEmpty, !rows.isEmpty else { return .infinity }
        // No more rows than a result of three digits needs.
        let step = max(rows.count / 256, 1)
        var (sum, count) = (0.0, 0)
        values.withUnsafeBufferPointer { values in
            for y in Swift.stride(from: rows.lowerBound, to: rows.upperBound, by: step) {
                let start = (y - whole.y - 2) * width
                for x in columns {
                    let left = start + x - whole.x - 2
                    var value: Float = 0
                    for row in 0..<4 where down[row] != 0 {
                        let at = left + row * width
                        let four = SIMD4(values[at], values[at + 1], values[at + 2], values[at + 3])
                        value += down[row] * (across * four).sum()
                    }
                    sum += Double(abs(other.values[y * other.width + x] - value))
                }
                count += columns.count
            }
        }
        return sum / Double(count)
    }
}
