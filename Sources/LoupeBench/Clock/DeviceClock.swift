import LoupeRenderer

/// The ways to measure how long a device took for a batch, the most precise first.
public enum ClockKind: String, Hashable, Sendable, CaseIterable {
    /// The device's own clock (GL_EXT_disjoint_timer_query).
    case timerQuery = "timer query"
    /// Wall time until a fence is passed.
    case fence
    /// Wall time until glFinish returns.
    case finish = "glFinish"
}

/// What a clock needs from a device: ways to wait for it, and its timer queries. ``RendererDevice`` is the real one; tests
/// have one whose clocks can be wrong.
public protocol TimedDevice {
    /// Monotonic time in nanoseconds.
    var now: Double { get }
    /// Whether it supports timer queries.
    var hasTimer: Bool { get }

    /// Waits for everything drawn, by glFinish.
    func finish() throws
    /// Inserts a fence after everything drawn and waits for it.
    func waitForFence() throws
    /// Reads one pixel of the target, which waits for everything drawn.
    func readPixel() throws

    /// Starts a timer query.
    func beginTimer()
    /// Ends the timer query.
    func endTimer()
    /// Nanoseconds between start and end; nil if the device's clock was disjoint.
    func timerResult() throws -> Double?
}

/// A renderer's device.
public struct RendererDevice: TimedDevice {
    private let renderer: Renderer
    private let timer: TimerQuery?
    private let start = ContinuousClock.now

    /// The device of a renderer, whose context must be current.
    public init(_ renderer: Renderer) {
        self.renderer = renderer
        timer = renderer.makeTimer()
    }

    /// Nanoseconds since this value was made.
    public var now: Double { (ContinuousClock.now - start) / .nanoseconds(1) }
    /// Whether the device has timer queries.
    public var hasTimer: Bool { timer != nil }

    /// Waits by glFinish.
    public func finish() throws { try renderer.finish() }
    /// Reads one pixel of the canvas.
    public func readPixel() throws { try renderer.readPixel() }
    /// Waits for a new fence.
    public func waitForFence() throws { try renderer.waitForFence() }
    /// Starts a timer query.
    public func beginTimer() { timer?.begin() }
    /// Ends the timer query.
    public func endTimer() { timer?.end() }
    /// The timer query's nanoseconds; nil if the device's clock was disjoint.
    public func timerResult() throws -> Double? { try timer?.result().map(Double.init) }
}

/// Times batches of drawing in one way.
public struct DeviceClock {
    /// The way it measures.
    public let kind: ClockKind
    private let device: any TimedDevice
    /// How many results were discarded because the device's clock was disjoint.
    public private(set) var disjointCount = 0

    /// A clock of this kind for a device.
    public init(_ kind: ClockKind, on device: any TimedDevice) {
        self.kind = kind
        self.device = device
    }

    /// Nanoseconds that the drawing took, from an idle device to an idle device; nil if the clock was disjoint, so the
    /// result must be discarded.
    public mutating func time(_ draw: () throws -> Void) throws -> Double? {
        try device.finish()
        switch kind {
        case .timerQuery:
            device.beginTimer()
            try draw()
            device.endTimer()
            let result = try device.timerResult()
            if result == nil { disjointCount += 1 }
            return result
        case .fence:
            let start = device.now
            try draw()
            try device.waitForFence()
            return device.now - start
        case .finish:
            let start = device.now
            try draw()
            try device.finish()
            return device.now - start
        }
    }
}
