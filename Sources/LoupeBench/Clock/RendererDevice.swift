import LoupeRenderer
import LoupeScene

/// The device of a renderer.
public struct RendererDevice: TimedDevice {
    private let renderer: Renderer
    private let timer: DeviceTimer?
    private let start = ContinuousClock.now

    public init(_ renderer: Renderer) {
        self.renderer = renderer
        timer = renderer.makeTimer()
    }

    public var now: Double { (ContinuousClock.now - start) / .nanoseconds(1) }
    public var hasTimer: Bool { timer != nil }

    public func finish() throws(RenderError) { try renderer.finish() }
    public func readPixel() throws(RenderError) { try renderer.readPixel() }
    public func waitForFence() throws(RenderError) { try renderer.waitForFence() }
    public func beginTimer() { timer?.begin() }
    public func endTimer() { timer?.end() }
    public func timerResult() throws(RenderError) -> Double? { try timer?.nanoseconds() }
}
