// The ranges of the axes of touch screens, as getevent -p prints them.

import LoupeBase

/// The range of an axis of a touch screen, in its own units.
struct TouchAxis: Hashable {
    let minimum: Int
    let maximum: Int

    /// The number of units, as Android counts them: both ends belong to the axis.
    private var count: Double { Double(maximum) - Double(minimum) + 1 }

    /// The position of a unit on a canvas, as Android scales it.
    func position(of unit: Int, length: Double) -> Double {
        (Double(unit) - Double(minimum)) * length / count
    }
}

/// The axes of all devices in a text of `getevent -p` or `getevent -lp`.
///
/// ```
/// add device 1: /dev/input/event2
///     ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
///                 ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0
/// ```
struct AxisRanges {
    /// The axes of one device.
    struct Axes {
        var x: TouchAxis?
        var y: TouchAxis?
        /// The slot that the device has at first.
        var slot = 0
    }

    private var devices: [(path: String, axes: Axes)] = []

    /// Reads all lines of a text; lines that say nothing about an axis are ignored.
    init(_ bytes: [UInt8]) {
        for line in bytes.split(separator: UInt8(ascii: "\n")) { add(String(decoding: line, as: UTF8.self)) }
    }

    mutating func add(_ line: String) {
        let words = line.split { " \t\r,:".contains($0) }.map { String($0) }
        if line.hasPrefix("add device") {
            devices.append((words.last ?? "", Axes()))
            return
        }
        guard let index = words.firstIndex(of: "value"), index > 0, index + 1 < words.count else { return }
        if devices.isEmpty { devices.append(("", Axes())) }
        let last = devices.count - 1
        let (minimum, maximum) = (Self.number("min", in: words), Self.number("max", in: words))
        guard let minimum, let maximum, minimum < maximum else { return }
        let axis = TouchAxis(minimum: minimum, maximum: maximum)
        switch words[index - 1] {
        case "ABS_MT_POSITION_X", "0035": devices[last].axes.x = axis
        case "ABS_MT_POSITION_Y", "0036": devices[last].axes.y = axis
        case "ABS_MT_SLOT", "002f": devices[last].axes.slot = Int(words[index + 1]) ?? 0
        default: break
        }
    }

    private static func number(_ key: String, in words: [String]) -> Int? {
        guard let index = words.firstIndex(of: key), index + 1 < words.count else { return nil }
        return Int32(words[index + 1]).map { Int($0) }
    }

    /// The axes of a device. A text about a single touch screen is about any device.
    func axes(of path: String) -> Axes? {
        let screens = devices.filter { $0.axes.x != nil && $0.axes.y != nil }
        return (screens.first { $0.path == path } ?? (screens.count == 1 ? screens[0] : nil))?.axes
    }
}
