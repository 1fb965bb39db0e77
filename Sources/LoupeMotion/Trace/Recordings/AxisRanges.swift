// The ranges of the axes of touch screens, as getevent -p prints them.

import LoupeBase

/// The axes of all devices in the output of `getevent -p` or `getevent -lp`, which are added line by line.
///
/// ```
/// add device 1: /dev/input/event2
///     ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
///                 ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0
/// ```
struct AxisRanges {
    /// The axes of one device, in its own units.
    struct Axes {
        var x: ClosedRange<Int>?
        var y: ClosedRange<Int>?
        /// The slot that the device has at first.
        var slot = 0
    }

    private var devices: [(path: String, axes: Axes)] = []

    /// Adds a line; one that says nothing about an axis is ignored.
    mutating func add(_ line: String) {
        let words = line.split { " \t\r,:".contains($0) }.map { String($0) }
        if line.hasPrefix("add device") { devices.append((words.last ?? "", Axes())) }
        func number(_ key: String) -> Int? {
            words.firstIndex(of: key).flatMap { $0 + 1 < words.count ? Int32(words[$0 + 1]) : nil }.map { Int($0) }
        }
        guard let index = words.firstIndex(of: "value"), index > 0, let value = number("value"),
            let minimum = number("min"), let maximum = number("max"), minimum < maximum
        else { return }
        if devices.isEmpty { devices.append(("", Axes())) }
        let last = devices.count - 1
        switch words[index - 1] {
        case "ABS_MT_POSITION_X", "0035": devices[last].axes.x = minimum...maximum
        case "ABS_MT_POSITION_Y", "0036": devices[last].axes.y = minimum...maximum
        case "ABS_MT_SLOT", "002f": devices[last].axes.slot = value
        default: break
        }
    }

    /// The axes of a device. A text about a single touch screen is about any device.
    func axes(of path: String) -> Axes? {
        let screens = devices.filter { $0.axes.x != nil && $0.axes.y != nil }
        return (screens.first { $0.path == path } ?? (screens.count == 1 ? screens[0] : nil))?.axes
    }
}
