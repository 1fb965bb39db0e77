import LoupeRenderer

/// Checks a device's clocks before one is used: several drivers report wrong times, and some signal that work is done
/// before it is.
public struct ClockCheck: Sendable {
    /// The best clock that passed.
    public let kind: ClockKind
    /// What each clock did in the check with all works, one sentence each.
    public let findings: [String]

    /// The work that clocks are checked with takes at least this long, in nanoseconds.
    static let leastWork = 20e6
    /// A timer query must report this part of the wall time. Less means that it measures only some of the work, more that
    /// it measures something else.
    static let timerRatio = 0.7...1.05
    /// After a fence that waits, reading a pixel takes at most this part of the work's time: nothing is left to wait for.
    static let readAfterFence = 0.2

    /// Draws something a number of times; each time must cost the same.
    public typealias Draw = (_ times: Int) throws -> Void

    /// Checks every clock of a device.
    ///
    /// - Parameters:
    ///   - device: the device to check.
    ///   - works: different things to draw, at least one. A clock must be right for all of them: one that measures only
    ///     the last of several targets or tiles is right for some.
    /// - Throws: a renderer's error if drawing fails.
    public init(_ device: any TimedDevice, works: [Draw]) throws {
        var (ratios, rests): ([Double], [Double]) = ([], [])
        for draw in works {
            let times = try Self.timesForLeastWork(device, draw)
            if let ratio = try Self.timerToWall(device, times, draw) { ratios.append(ratio) }
            rests.append(try Self.readAfterFence(device, times, draw))
        }
        let isTimerRight = ratios.count == works.count && ratios.allSatisfy(Self.timerRatio.contains)
        let isFenceRight = rests.allSatisfy { $0 <= Self.readAfterFence }
        kind = isTimerRight ? .timerQuery : isFenceRight ? .fence : .finish
        let timer =
            if !device.hasTimer {
                "there are no timer queries"
            } else if ratios.isEmpty {
                "timer queries are disjoint"
            } else {
                "timer queries report \(Self.range(ratios)) of the wall time"
                    + (ratios.count < works.count ? ", or are disjoint" : "")
            }
        findings = [timer, "reading a pixel after a fence takes \(Self.range(rests)) of the work's time"]
    }

    /// The parts of all works in percent: one number where they are equal.
    private static func range(_ parts: [Double]) -> String {
        let (least, most) = ((parts.min() ?? 0).percent, (parts.max() ?? 0).percent)
        return least == most ? "\(least) %" : "\(least) to \(most) %"
    }

    /// How often to draw for ``leastWork``, by the wall time until a pixel has been read, which no driver can shorten.
    private static func timesForLeastWork(_ device: any TimedDevice, _ draw: Draw) throws -> Int {
        var times = 1
        while true {
            try device.readPixel()
            let start = device.now
            try draw(times)
            try device.readPixel()
            let wall = device.now - start
            if wall >= leastWork || times >= 1 << 20 { return times }
            let wanted = Double(times) * 1.25 * leastWork / max(wall, 1000)
            times = min(max(times + 1, Int(wanted)), times * 16)
        }
    }

    /// The timer query's time as a part of the wall time, the median of three so that one interruption does not decide;
    /// nil without a result.
    private static func timerToWall(_ device: any TimedDevice, _ times: Int, _ draw: Draw) throws
        -> Double?
    {
        guard device.hasTimer else { return nil }
        var ratios: [Double] = []
        for _ in 0..<3 {
            try device.finish()
            let start = device.now
            device.beginTimer()
            try draw(times)
            device.endTimer()
            try device.finish()
            let wall = device.now - start
            if let time = try device.timerResult() { ratios.append(time / wall) }
        }
        return ratios.isEmpty ? nil : ratios.median
    }

    /// The part of the work's time that passes between a fence and the reading of a pixel; the median of three.
    private static func readAfterFence(_ device: any TimedDevice, _ times: Int, _ draw: Draw) throws
        -> Double
    {
        var rests: [Double] = []
        for _ in 0..<3 {
            try device.finish()
            let start = device.now
            try draw(times)
            try device.waitForFence()
            let passed = device.now
            try device.readPixel()
            rests.append((device.now - passed) / (device.now - start))
        }
        return rests.median
    }
}

extension Double {
    fileprivate var percent: String { (self * 100).text(places: 1) }
}

/// Draws until times are stable: clock frequencies that rise with use have risen, and caches are filled.
enum WarmUp {
    /// Times are stable when two successive medians differ by less than this part.
    private static let tolerance = 0.02
    /// Batches per median.
    private static let rounds = 5
    /// The longest time to warm up, in nanoseconds, for machines whose times never become stable.
    private static let longest = 3e9

    /// Draws until times are stable, three seconds at most.
    static func run(_ device: any TimedDevice, _ draw: ClockCheck.Draw) throws {
        let start = device.now
        var before = Double.infinity
        while device.now - start < longest {
            var times: [Double] = []
            for _ in 0..<rounds {
                let begin = device.now
                try draw(4)
                try device.finish()
                times.append(device.now - begin)
            }
            if abs(times.median / before - 1) < tolerance { return }
            before = times.median
        }
    }
}
