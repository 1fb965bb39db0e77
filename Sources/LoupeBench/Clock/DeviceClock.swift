import LoupeRenderer

/// Times batches of drawing in one of the ways.
public struct DeviceClock {
    public let kind: ClockKind
    private let device: any TimedDevice
    /// How many results were thrown away since the device's clock was disjoint.
    public private(set) var disjointCount = 0

    public init(_ kind: ClockKind, on device: any TimedDevice) {
        self.kind = kind
        self.device = device
    }

    /// Nanoseconds that the drawing took, from an idle device to an idle device; nil where the result must be thrown away.
    public mutating func time(_ draw: () throws(RenderError) -> Void) throws(RenderError) -> Double? {
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
