import LoupeGeometry
import LoupeJSON

/// A quantity of a model within a span of time, as a polyline with few corners.
struct FittedCurve {
    let quantity: Quantity
    /// Times in seconds from the start of the span; two corners of the same time are a jump.
    let corners: [(time: Double, value: Double)]
    let least: Double
    let greatest: Double

    var range: Double { greatest - least }
    /// Whether the value never changes.
    var isConstant: Bool { range < 1e-9 * max(1, abs(greatest)) }
}

/// The polylines of a model's curves within a span of time, and how far they are off.
public struct CurveFit {
    private let curves: MotionCurves
    private let samples: [CurveSample]
    /// In seconds.
    let range: ClosedRange<Double>
    /// The greatest error allowed, as a part of the range of each quantity's values.
    public let tolerance: Double

    /// The allowed values of the tolerance.
    public static let toleranceRange: ClosedRange<Double> = 0.000_01...0.5
    /// The tolerance if nothing else is asked for.
    public static let defaultTolerance = 0.002

    /// The time between samples at first, in seconds.
    private static let step = 0.000_5

    /// In seconds.
    private static let slack = 0.000_02

    /// Samples a model's curves.
    /// - Parameters:
    ///   - range: The span of time, in seconds.
    ///   - tolerance: The greatest error, as a part of the range of each quantity's values; see `toleranceRange`.
    public init(_ model: Session.Model, range: ClosedRange<Double>, tolerance: Double = CurveFit.defaultTolerance) {
        curves = MotionCurves(model)
        self.range = range
        self.tolerance = tolerance
        let coarse = curves.samples(in: range, step: Self.step)
        samples = CurveRefinement(curves, coarse, tolerance: tolerance / 10).samples
    }

    var quantities: [Quantity] { curves.quantities }
    /// In seconds.
    var duration: Double { range.upperBound - range.lowerBound }

    /// The least and the greatest value of a quantity.
    func limits(of index: Int) -> (least: Double, greatest: Double) {
        samples.reduce((Double.infinity, -Double.infinity)) { limits, sample in
            (min(limits.0, sample.values[index]), max(limits.1, sample.values[index]))
        }
    }

    /// A quantity's polyline, which uses nine tenths of the tolerance, so that rounding has room.
    func curve(of index: Int) -> FittedCurve {
        let limits = limits(of: index)
        var chosen: [(time: Double, value: Double)] = []
        for sample in samples {
            let next = (time: sample.time - range.lowerBound, value: sample.values[index])
            if let last = chosen.last, last.time == next.time, !CurveSample.isJump(from: last.value, to: next.value) {
                continue
            }
            chosen.append(next)
        }
        let allowed = 0.9 * tolerance * max(limits.greatest - limits.least, 1e-12)
        return FittedCurve(
            quantity: quantities[index], corners: PolylineFit.corners(of: chosen, tolerance: allowed),
            least: limits.least, greatest: limits.greatest)
    }

    /// The greatest distance of a polyline from a quantity's curve, in its unit, at every sample and between any two.
    /// A jump may be `slack` early or late, as times are rounded when they are written.
    /// - Parameter corners: Times in seconds from the start of the span.
    func error(of corners: [(time: Double, value: Double)], for index: Int) -> Double {
        var (error, next) = (0.0, 0)
        for (sample, following) in zip(samples, samples.dropFirst()) where following.time - sample.time > Self.slack {
            for part in [0.0, 0.5, 1.0] {
                let time = sample.time + part * (following.time - sample.time)
                // At a jump the value before it belongs to the span that ends there.
                let value: Double =
                    switch part {
                    case 0: sample.values[index]
                    case 1: following.values[index]
                    default: curves.values(at: time)[index]
                    }
                let middle = (sample.time + following.time) / 2 - range.lowerBound
                while next < corners.count, corners[next].time <= middle { next += 1 }
                error = max(error, abs(value - Self.value(of: corners, before: next, at: time - range.lowerBound)))
            }
        }
        return error
    }

    /// The value of a polyline at a time, on the straight piece before a corner.
    private static func value(of corners: [(time: Double, value: Double)], before next: Int, at time: Double) -> Double
    {
        guard next > 0 else { return corners[0].value }
        guard next < corners.count else { return corners[corners.count - 1].value }
        let (from, to) = (corners[next - 1], corners[next])
        return from.value + (to.value - from.value) * (time - from.time) / (to.time - from.time)
    }
}

/// Samples between which the curves are nearly straight: more of them where they bend, and two at the same time where
/// they jump, as a spring does that stops when its duration is over.
private struct CurveRefinement {
    private(set) var samples: [CurveSample]
    private let curves: MotionCurves
    /// In the units of the quantities.
    private let tolerances: [Double]

    /// What changes within this time is a jump, in seconds.
    private static let instant = 1e-8

    /// - Parameter tolerance: A part of the range of each quantity's values.
    init(_ curves: MotionCurves, _ coarse: [CurveSample], tolerance: Double) {
        self.curves = curves
        tolerances = curves.quantities.indices.map { index in
            let values = coarse.map { $0.values[index] }
            return tolerance * max((values.max() ?? 0) - (values.min() ?? 0), 1e-9)
        }
        samples = Array(coarse.prefix(1))
        for (sample, next) in zip(coarse, coarse.dropFirst()) { append(from: sample, to: next) }
    }

    private mutating func append(from sample: CurveSample, to next: CurveSample) {
        let duration = next.time - sample.time
        guard duration > Self.instant else {
            let isJump = zip(sample.values, next.values).contains { CurveSample.isJump(from: $0, to: $1) }
            if duration > 0, isJump { samples.append(CurveSample(time: next.time, values: sample.values)) }
            return samples.append(next)
        }
        // Before the next sample, which may be one after an event.
        let middle = CurveSample(
            time: sample.time + duration / 2, values: curves.values(at: sample.time + duration / 2))
        let isStraight = tolerances.indices.allSatisfy { index in
            let line = (sample.values[index] + next.values[index]) / 2
            return curves.quantities[index].isGoal || abs(middle.values[index] - line) <= tolerances[index]
        }
        guard !isStraight else { return samples.append(next) }
        append(from: sample, to: middle)
        append(from: middle, to: next)
    }
}

/// How well an exported curve follows its quantity.
public struct CurveReport: Hashable, Sendable {
    /// The key of the quantity, such as `offset.y`.
    public let key: String
    /// The number of the polyline's corners; 1 for a quantity that never changes.
    public let corners: Int
    /// The greatest error, in the quantity's unit.
    public let error: Double
    /// The range of the quantity's values, in its unit.
    public let range: Double
    let unit: Quantity.Unit

    /// The error as a part of the range.
    public var relativeError: Double { range > 0 ? error / range : 0 }

    /// One line, such as `offset.y: 14 corners, off by at most 0.43 points, 0.0018 of its range`.
    public var line: String {
        guard corners > 1 else { return "\(key): never changes" }
        let unit =
            switch self.unit {
            case .points: " points"
            case .times: "×"
            case .number: ""
            }
        let part = relativeError.roundedUp
        return "\(key): \(corners) corners, off by at most \(error.roundedUp)\(unit), \(part) of its range"
    }
}

extension Double {
    /// Two digits that are not below the number, which is 0 or more.
    var roundedUp: String {
        guard self > 1e-9 else { return "0" }
        var scale = 1.0
        while self * scale < 10 { scale *= 10 }
        while self * scale > 100 { scale /= 10 }
        return ((self * scale - 1e-9).rounded(.up) / scale).jsonText
    }

    /// Rounded to a number of decimals.
    func rounded(decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (self * scale).rounded() / scale
        return rounded == 0 ? 0 : rounded
    }
}
