import Glibc
import LoupeGeometry

/// How far one picture is shifted against another as a whole.
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
        let peak = PhaseCorrelation.peak(reference, actual, in: middle)
        let whole = reference.nearest(to: actual, around: (Double(peak.x), Double(peak.y)), from: 1, to: 1)
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

    /// The mean difference of the pixels that both have where the other lies so far to the right and below; ∞ where there
    /// are none. Between pixels, the plane is interpolated by the cubic of Catmull and Rom or linearly, whichever is closer.
    func distance(to other: LumaPlane, shiftedBy shift: (x: Double, y: Double)) -> Double {
        let (wholeX, wholeY) = (Int(shift.x.rounded(.down)), Int(shift.y.rounded(.down)))
        let (partX, partY) = (shift.x - Double(wholeX), shift.y - Double(wholeY))
        let kernels = partX == 0 && partY == 0 ? [Kernel.linear] : [.cubic, .linear]
        return kernels.map { kernel in
            distance(
                to: other, whole: (wholeX, wholeY), kernel.weights(at: 1 - partX), kernel.weights(at: 1 - partY))
        }.min() ?? .infinity
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

    private enum Kernel {
        case linear, cubic

        /// The weights of four samples; the place is `part` after the second.
        func weights(at part: Double) -> SIMD4<Float> {
            let t = Float(part)
            switch self {
            case .linear: return SIMD4(0, 1 - t, t, 0)
            case .cubic:
                return SIMD4(
                    ((-0.5 * t + 1) * t - 0.5) * t, (1.5 * t - 2.5) * t * t + 1, ((-1.5 * t + 2) * t + 0.5) * t,
                    (0.5 * t - 0.5) * t * t)
            }
        }
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

/// The phase correlation of two pictures (C. D. Kuglin and D. C. Hines, "The phase correlation image alignment method",
/// 1975).
enum PhaseCorrelation {
    /// How far the second picture lies to the right of and below the first, in whole pixels.
    /// - Parameter block: The part of both pictures that is looked at.
    static func peak(_ first: LumaPlane, _ second: LumaPlane, in block: PixelRect) -> (x: Int, y: Int) {
        var grid = crossPower(first, second, in: block)
        let power = zip(grid.real, grid.imaginary).map { hypot($0, $1) }
        // Waves that neither picture has are noise, and would count as much as the others.
        let floor = 0.1 * power.reduce(0, +) / Double(power.count) + .leastNormalMagnitude
        for index in power.indices {
            grid.real[index] /= power[index] + floor
            grid.imaginary[index] /= power[index] + floor
        }
        grid.transform(backwards: true)
        var best = 0
        for index in grid.real.indices where grid.real[index] > grid.real[best] { best = index }
        let (x, y) = (best % grid.width, best / grid.width)
        return (x > grid.width / 2 ? x - grid.width : x, y > grid.height / 2 ? y - grid.height : y)
    }

    /// Conjugate of the first times the second: its phase falls by 2π for each period that a wave has moved.
    private static func crossPower(_ first: LumaPlane, _ second: LumaPlane, in block: PixelRect) -> FourierGrid {
        // One as the real, the other as the imaginary part: one transform for both.
        var grid = FourierGrid(
            width: FourierGrid.side(atLeast: block.width), height: FourierGrid.side(atLeast: block.height))
        grid.real = windowed(first, in: block, grid)
        grid.imaginary = windowed(second, in: block, grid)
        grid.transform()
        var cross = grid
        for v in 0..<grid.height {
            for u in 0..<grid.width {
                let here = v * grid.width + u
                let there = (grid.height - v) % grid.height * grid.width + (grid.width - u) % grid.width
                let a = ((grid.real[here] + grid.real[there]) / 2, (grid.imaginary[here] - grid.imaginary[there]) / 2)
                let b = ((grid.imaginary[here] + grid.imaginary[there]) / 2, (grid.real[there] - grid.real[here]) / 2)
                cross.real[here] = a.0 * b.0 + a.1 * b.1
                cross.imaginary[here] = a.0 * b.1 - a.1 * b.0
            }
        }
        return cross
    }

    /// The numbers of a block less their mean, weighted by Hann's window, in the top left of a grid.
    private static func windowed(_ plane: LumaPlane, in block: PixelRect, _ grid: FourierGrid) -> [Double] {
        func window(_ count: Int) -> [Double] {
            (0..<count).map { 0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(count)) }
        }
        let (across, down) = (window(block.width), window(block.height))
        var (numbers, sum, weights) = (grid.real, 0.0, 0.0)
        for y in 0..<block.height {
            for x in 0..<block.width {
                let weight = across[x] * down[y]
                let value = weight * Double(plane.values[(block.minY + y) * plane.width + block.minX + x])
                numbers[y * grid.width + x] = value
                sum += value
                weights += weight
            }
        }
        let mean = weights > 0 ? sum / weights : 0
        for y in 0..<block.height {
            for x in 0..<block.width { numbers[y * grid.width + x] -= mean * across[x] * down[y] }
        }
        return numbers
    }
}
