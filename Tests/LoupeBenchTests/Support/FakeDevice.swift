import LoupeBench
import LoupeRenderer

/// A device in virtual time whose clocks can be made wrong.
final class FakeDevice: TimedDevice {
    /// The part of the true time that timer queries report, by the kind of work; 1 for kinds that are missing.
    var timerFactor: [Work: Double] = [:]
    var hasTimer = true
    /// Whether fences wait for everything drawn.
    var hasHonestFences = true
    /// The nanoseconds of drawing once.
    var cost = 1e6
    /// How many of the next timer results are disjoint.
    var disjointResults = 0

    enum Work: Hashable { case frames, oneLayer }

    private(set) var now = 0.0
    private(set) var batches: [Double] = []
    private var pending = 0.0
    private var timed: (work: Work, time: Double)?

    func draw(_ work: Work, _ times: Int) {
        now += 1000
        pending += cost * Double(times)
        batches.append(cost * Double(times))
        timed = (work, (timed?.time ?? 0) + cost * Double(times))
    }

    private func wait() {
        now += pending + 500
        pending = 0
    }

    func finish() throws { wait() }
    func readPixel() throws { wait() }
    func waitForFence() throws { if hasHonestFences { wait() } else { now += 500 } }
    func beginTimer() { timed = nil }
    func endTimer() {}

    func timerResult() throws -> Double? {
        wait()
        if disjointResults > 0 {
            disjointResults -= 1
            return nil
        }
        return timed.map { $0.time * (timerFactor[$0.work] ?? 1) }
    }
}
