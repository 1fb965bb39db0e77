import LoupeRenderer

/// What a clock needs of a device: ways to wait for it, and what it says of its own time.
///
/// A renderer's device is one; a test's, which may lie, is another.
public protocol TimedDevice {
    /// Monotonic, nanoseconds.
    var now: Double { get }
    /// Whether it answers timer queries at all.
    var hasTimer: Bool { get }

    /// glFinish.
    func finish() throws(RenderError)
    /// Puts a fence behind what was drawn, and waits for it.
    func waitForFence() throws(RenderError)
    /// Reads one pixel of what was drawn.
    func readPixel() throws(RenderError)

    func beginTimer()
    func endTimer()
    /// Nanoseconds between the two; nil where the device's clock was disjoint.
    func timerResult() throws(RenderError) -> Double?
}
