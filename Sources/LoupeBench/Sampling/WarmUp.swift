import LoupeRenderer

/// Draws until the device keeps its pace: clocks that rise with use have risen, caches are filled.
enum WarmUp {
    /// Stable when the medians of two runs of rounds next to each other differ by less than this part.
    private static let tolerance = 0.02
    private static let rounds = 5
    /// Nanoseconds, for machines that never keep their pace.
    private static let longest = 3e9

    static func run(_ device: any TimedDevice, _ draw: ClockCheck.Draw) throws(RenderError) {
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
