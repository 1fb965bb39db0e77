import LoupeRenderer

/// Checks a device's clocks before one is believed: several drivers tell times that are wrong, and
/// some say that they are done before they are.
public struct ClockCheck: Sendable {
    /// The best clock that passed.
    public let kind: ClockKind
    /// What each clock that was tried did, in words for people.
    public let findings: [String]

    /// The draw that clocks are checked with takes at least this long, in nanoseconds.
    static let leastWork = 20e6
    /// A timer query must tell this part of the wall time: less means that it saw only some of the work, more
    /// that it counts something else.
    static let timerRatio = 0.7...1.05
    /// After an honest fence, reading a pixel takes at most this part of the work: it has nothing left to wait for.
    static let readAfterFence = 0.2

    /// Asks the device to draw something so many times; each time must cost the same.
    public typealias Draw = (_ times: Int) throws(RenderError) -> Void

    /// - Parameter works: different things to draw, at least one. A clock must be right for each of them: one that
    ///   counts only the last of several targets or tiles is right for some.
    public init(_ device: any TimedDevice, works: [Draw]) throws(RenderError) {
        var findings: [String] = []
        var (isTimerRight, isFenceRight) = (true, true)
        for draw in works {
            let times = try Self.timesForLeastWork(device, draw)
            if let ratio = try Self.timerToWall(device, times, draw) {
                findings.append("timer queries tell \(ratio.percent) of the wall time")
                isTimerRight = isTimerRight && Self.timerRatio.contains(ratio)
            } else {
                findings.append(device.hasTimer ? "timer queries are disjoint" : "there are no timer queries")
                isTimerRight = false
            }
            let rest = try Self.readAfterFence(device, times, draw)
            findings.append("reading a pixel after a fence takes \(rest.percent) of the work's time")
            isFenceRight = isFenceRight && rest <= Self.readAfterFence
        }
        kind = isTimerRight ? .timerQuery : isFenceRight ? .fence : .finish
        self.findings = findings
    }

    /// How often to draw for enough work, the wall until one pixel is read: what no driver can shorten.
    private static func timesForLeastWork(_ device: any TimedDevice, _ draw: Draw) throws(RenderError) -> Int {
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

    /// The median of three, so that one interruption does not decide; nil where there is no result to be had.
    private static func timerToWall(_ device: any TimedDevice, _ times: Int, _ draw: Draw) throws(RenderError)
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
            if let told = try device.timerResult() { ratios.append(told / wall) }
        }
        return ratios.isEmpty ? nil : ratios.median
    }

    /// What part of the work's whole time passes between a fence and a pixel that has been read.
    private static func readAfterFence(_ device: any TimedDevice, _ times: Int, _ draw: Draw) throws(RenderError)
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
    fileprivate var percent: String { "\((self * 100).text(places: 1)) %" }
}
