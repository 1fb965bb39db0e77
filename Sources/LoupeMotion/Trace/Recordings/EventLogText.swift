import LoupeGeometry
import LoupeJSON

/// Writes touches as `getevent -lp` and `getevent -lt` print them: the ranges of the axes, then the events with
/// multi-touch protocol B.
struct EventLogText {
    private let x: TouchAxis
    private let y: TouchAxis
    private let canvas: (width: Double, height: Double)?
    private var text = ""

    /// The number of units for each canvas pixel where no ranges are given.
    private static let resolution = 100

    /// With ranges given, the canvas fills them. Without, a canvas has 100 units for each pixel, and without a canvas
    /// a unit is a pixel.
    init(_ options: RecordingOptions, _ touches: [TimedTouch]) throws(DocumentError) {
        canvas = options.canvas
        if let given = options.axes {
            guard let axes = AxisRanges(given).first else {
                throw DocumentError(at: .key(path: ""), "the text of --axes has no ranges of a touch screen")
            }
            guard options.canvas != nil else {
                throw DocumentError(at: .key(path: ""), "--axes needs --canvas, the size that fills the axes")
            }
            (x, y) = axes
        } else if let canvas = options.canvas {
            x = TouchAxis(minimum: 0, maximum: Int(canvas.width) * Self.resolution - 1)
            y = TouchAxis(minimum: 0, maximum: Int(canvas.height) * Self.resolution - 1)
        } else {
            x = Self.range(touches.map { $0.touch.position.x })
            y = Self.range(touches.map { $0.touch.position.y })
        }
    }

    private static func range(_ positions: [Double]) -> TouchAxis {
        let (low, high) = (positions.min() ?? 0, positions.max() ?? 0)
        return TouchAxis(minimum: Int(min(0, low.rounded())), maximum: Int(max(1, high.rounded())))
    }

    /// The text.
    func text(of touches: [TimedTouch], _ notes: inout RecordingNotes) -> String {
        var writer = self
        writer.text = header
        writer.write(touches, &notes)
        return writer.text
    }

    private var header: String {
        func axis(_ lead: String, _ name: String, _ low: Int, _ high: Int) -> String {
            "    \(lead)\(name.padded(to: 21)) : value 0, min \(low), max \(high), fuzz 0, flat 0, resolution 0\n"
        }
        return "add device 1: \(Self.device)\n  name:     \"loupe-render\"\n  events:\n"
            + axis("ABS (0003): ", "ABS_MT_SLOT", 0, Touch.greatestCount - 1)
            + axis("            ", "ABS_MT_TOOL_TYPE", 0, 2)
            + axis("            ", "ABS_MT_POSITION_X", x.minimum, x.maximum)
            + axis("            ", "ABS_MT_POSITION_Y", y.minimum, y.maximum)
            + axis("            ", "ABS_MT_TRACKING_ID", 0, 65_535)
            + "  input props:\n    INPUT_PROP_DIRECT\n"
    }

    private static let device = "/dev/input/event0"

    // MARK: - Events

    /// Touches of one time share a packet, each once.
    private mutating func write(_ touches: [TimedTouch], _ notes: inout RecordingNotes) {
        var slots: [Int?] = []
        var positions: [Int: (x: Int, y: Int)] = [:]
        var current = 0
        var index = 0
        while index < touches.count {
            let time = (touches[index].nanoseconds + 500) / 1000
            if time * 1000 != touches[index].nanoseconds { notes.add("time", "rounded to a microsecond") }
            var packet: [Touch] = []
            while index < touches.count, (touches[index].nanoseconds + 500) / 1000 == time,
                !packet.contains(where: { $0.id == touches[index].touch.id })
            {
                packet.append(touches[index].touch)
                index += 1
            }
            for touch in packet {
                let slot: Int
                if touch.phase == .began {
                    slot = slots.firstIndex(of: nil) ?? slots.count
                    if slot == slots.count { slots.append(nil) }
                    slots[slot] = touch.id
                } else {
                    slot = slots.firstIndex(of: touch.id) ?? 0
                }
                if slot != current { line(time, "ABS_MT_SLOT", slot) }
                current = slot
                if touch.phase == .began { line(time, "ABS_MT_TRACKING_ID", touch.id) }
                let place = unit(touch.position, &notes)
                let isEnd = touch.phase == .ended || touch.phase == .cancelled
                if !isEnd || positions[touch.id].map({ $0 != place }) ?? true {
                    line(time, "ABS_MT_POSITION_X", place.x)
                    line(time, "ABS_MT_POSITION_Y", place.y)
                }
                positions[touch.id] = place
                if touch.phase == .cancelled { line(time, "ABS_MT_TOOL_TYPE", "MT_TOOL_PALM") }
                if isEnd { line(time, "ABS_MT_TRACKING_ID", -1) }
            }
            event(time, "EV_SYN", "SYN_REPORT", "00000000")
            for touch in packet where touch.phase == .ended || touch.phase == .cancelled {
                if let slot = slots.firstIndex(of: touch.id) { slots[slot] = nil }
            }
        }
    }

    private func unit(_ position: Point, _ notes: inout RecordingNotes) -> (x: Int, y: Int) {
        let (width, height) = canvas ?? (Double(x.maximum - x.minimum + 1), Double(y.maximum - y.minimum + 1))
        let origin = canvas == nil ? Point(x: Double(x.minimum), y: Double(y.minimum)) : .zero
        let place = (
            x: x.unit(of: position.x - origin.x, length: width), y: y.unit(of: position.y - origin.y, length: height)
        )
        let back = Point(x: x.position(of: place.x, length: width), y: y.position(of: place.y, length: height))
        if (back + (origin - .zero)).distance(to: position) > 1e-9 {
            notes.add("position", "rounded to whole units of the axes")
        }
        return place
    }

    private mutating func line(_ time: Int64, _ code: String, _ value: Int) {
        let digits = String(UInt32(bitPattern: Int32(truncatingIfNeeded: value)), radix: 16)
        line(time, code, String(repeating: "0", count: 8 - digits.utf8.count) + digits)
    }

    private mutating func line(_ time: Int64, _ code: String, _ value: String) { event(time, "EV_ABS", code, value) }

    /// - Parameter time: In microseconds.
    private mutating func event(_ time: Int64, _ type: String, _ code: String, _ value: String) {
        let part = String(time % 1_000_000)
        let seconds = String(time / 1_000_000)
        let space = String(repeating: " ", count: max(0, 8 - seconds.utf8.count))
        let zeros = String(repeating: "0", count: 6 - part.utf8.count)
        text +=
            "[\(space)\(seconds).\(zeros)\(part)] \(Self.device): \(type.padded(to: 12)) \(code.padded(to: 20)) \(value)\n"
    }
}

extension String {
    /// The text, with spaces after it up to a length.
    fileprivate func padded(to length: Int) -> String {
        self + String(repeating: " ", count: max(0, length - utf8.count))
    }
}
