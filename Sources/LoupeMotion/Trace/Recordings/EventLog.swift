import LoupeBase

/// Reads the text of Android's `getevent -lt` of a touch screen with multi-touch protocol B, which may begin with the
/// axis ranges that `getevent -lp` prints.
///
/// ```
/// [   12345.678901] /dev/input/event2: EV_ABS       ABS_MT_TRACKING_ID   0000002a
/// [   12345.678901] /dev/input/event2: EV_ABS       ABS_MT_POSITION_X    0000021c
/// [   12345.678901] /dev/input/event2: EV_SYN       SYN_REPORT           00000000
/// ```
/// Events up to a `SYN_REPORT` belong together. A slot keeps its position from one touch to the next, since a device
/// sends only what changes. A tool of the type `MT_TOOL_PALM` is a cancelled touch, as Android has it.
struct EventLog {
    /// The names of the codes that matter, and of the types; logs without `-l` have the hexadecimal numbers.
    private static let codes: [String: Code] = [
        "ABS_MT_SLOT": .slot, "002f": .slot, "ABS_MT_POSITION_X": .x, "0035": .x, "ABS_MT_POSITION_Y": .y, "0036": .y,
        "ABS_MT_TRACKING_ID": .tracking, "0039": .tracking, "ABS_MT_TOOL_TYPE": .tool, "0037": .tool,
    ]
    private enum Code { case slot, x, y, tracking, tool }

    /// The content of a slot. The position stays after a touch has ended.
    private struct Slot {
        var tracking: Int?
        var x: Int?
        var y: Int?
        /// The touch that the trace knows.
        var touch: Int?
        var isPalm = false
        var hasMoved = false
    }

    private let options: RecordingOptions
    private var ranges = AxisRanges()
    /// The device whose touches are read: the first one that reports touches. Empty if the lines name no device.
    private var device: String?
    private var slots: [Int: Slot] = [:]
    private var current: Int?
    /// The slots of the current packet, in the order in which they occur.
    private var changed: [Int] = []
    private var isDropping = false

    /// What the program says of devices that it can't read.
    private static let complaints = ["could not", "couldn't"]

    /// Whether a text is a log of events or the description of devices, by its first line that is no complaint.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        var start = bytes.drop { " \t\r\n".utf8.contains($0) }
        while complaints.contains(where: { start.starts(with: $0.utf8) }) {
            start = start.drop { $0 != UInt8(ascii: "\n") }.drop { " \t\r\n".utf8.contains($0) }
        }
        guard start.first == UInt8(ascii: "[") else { return start.starts(with: "add device".utf8) }
        // The elements of a JSON array are objects.
        return start.dropFirst().first { !" \t\r\n".utf8.contains($0) }.map { !"{]".utf8.contains($0) } ?? false
    }

    static func read(
        _ bytes: [UInt8], _ options: RecordingOptions, into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        var log = EventLog(options: options)
        var (number, last) = (0, 1)
        var isInDescription = true
        for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            number += 1
            let text = String(decoding: line, as: UTF8.self)
            guard text.utf8.contains(where: { !" \t\r".utf8.contains($0) }) else { continue }
            last = number
            if text.hasPrefix("[") {
                isInDescription = false
                do throws(DocumentError) {
                    try log.add(text, line: number, into: &builder)
                } catch {
                    // A recording ends by Ctrl-C, amid a line.
                    guard line.endIndex == bytes.endIndex, number > 1 else { throw error }
                    builder.notes.add("line that ends too early, the last one")
                }
            } else if text.hasPrefix("add device") || (isInDescription && text.hasPrefix(" ")) {
                isInDescription = true
                log.ranges.add(text)
            } else if !(complaints + ["remove device"]).contains(where: { text.hasPrefix($0) }) {
                throw TraceDecoder.error(
                    "\"\(text.prefix(40))\" is no event: it has no time in brackets; record with getevent -lt",
                    line: number)
            }
        }
        return .text(line: last, column: 1)
    }

    private init(options: RecordingOptions) { self.options = options }

    // MARK: - Lines

    private mutating func add(
        _ text: String, line: Int, into builder: inout RecordingBuilder
    ) throws(DocumentError) {
        guard let end = text.firstIndex(of: "]"), let time = Self.time(text[..<end].dropFirst()) else {
            throw TraceDecoder.error("the event does not begin with a time such as [  12345.678901]", line: line)
        }
        var words = text[text.index(after: end)...].split { " \t\r".contains($0) }.map { String($0) }
        let device = words.first?.hasSuffix(":") == true ? String(words.removeFirst().dropLast()) : ""
        // getevent -r adds the rate of packets, such as "rate 60".
        if words.count == 5, words[3] == "rate" { words.removeLast(2) }
        guard words.count == 3 else {
            throw TraceDecoder.error(
                "the event has \(words.count) words after its device; a type, a code and a value are needed", line: line
            )
        }
        switch words[0] {
        case "EV_ABS", "0003": try addAxis(words[1], words[2], device, line, &builder.notes)
        case "EV_SYN", "0000":
            guard device == (self.device ?? device) else { return }
            try synchronize(words[1], time, line, into: &builder)
        default: break
        }
    }

    /// Seconds with up to nine decimals, in nanoseconds: ten digits of seconds and nine decimals are more than a `Double`
    /// has.
    private static func time(_ text: Substring) -> Int64? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].utf8.count <= 9, !parts[1].isEmpty else { return nil }
        var digits = String(parts[1])
        while digits.utf8.count < 9 { digits += "0" }
        let number = parts[0].filter { $0 != " " } + digits
        let isPlain = number.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x39 }
        return isPlain ? Int64(number).flatMap { $0 < 9_000_000_000_000_000_000 ? $0 : nil } : nil
    }

    private mutating func addAxis(
        _ name: String, _ text: String, _ device: String, _ line: Int, _ notes: inout RecordingNotes
    ) throws(DocumentError) {
        guard let code = Self.codes[name] else { return }
        let owner = self.device ?? device
        self.device = owner
        guard device == owner else {
            return notes.add("touch event of \(device)", "left out; those of \(owner) are read")
        }
        let value = try Self.value(text, line: line)
        guard code != .slot else {
            guard (0...1000).contains(value) else {
                throw TraceDecoder.error("the slot \(value) is out of range; allowed is 0…1000", line: line)
            }
            current = value
            return
        }
        let slot = current ?? ranges.axes(of: owner)?.slot ?? 0
        current = slot
        if !changed.contains(slot) { changed.append(slot) }
        switch code {
        case .slot: break
        case .x: slots[slot, default: Slot()].x = value
        case .y: slots[slot, default: Slot()].y = value
        case .tracking: slots[slot, default: Slot()].tracking = value < 0 ? nil : value
        case .tool: slots[slot, default: Slot()].isPalm = value == 2
        }
        if code == .x || code == .y { slots[slot]?.hasMoved = true }
    }

    private static func value(_ text: String, line: Int) throws(DocumentError) -> Int {
        let tools = ["MT_TOOL_FINGER": 0, "MT_TOOL_PEN": 1, "MT_TOOL_PALM": 2]
        if let tool = tools[text] { return tool }
        guard text.utf8.count <= 8, let bits = UInt32(text, radix: 16) else {
            throw TraceDecoder.error(
                "\"\(text.prefix(40))\" is not a value of up to eight hexadecimal digits", line: line)
        }
        return Int(Int32(bitPattern: bits))
    }

    // MARK: - Packets

    private mutating func synchronize(
        _ name: String, _ time: Int64, _ line: Int, into builder: inout RecordingBuilder
    ) throws(DocumentError) {
        switch name {
        case "SYN_REPORT", "0000":
            let packet = changed
            changed = []
            if isDropping {
                isDropping = false
                return
            }
            for slot in packet { try report(slot, time, line, into: &builder) }
        case "SYN_DROPPED", "0003":
            builder.notes.add("SYN_DROPPED", "the device lost events; touches may lack some")
            (isDropping, changed) = (true, [])
        case "SYN_MT_REPORT", "0002":
            throw TraceDecoder.error(
                "SYN_MT_REPORT is of multi-touch protocol A, which does not tell touches apart; protocol B is needed",
                line: line)
        default: break
        }
    }

    /// Adds the events of one slot at the end of a packet.
    private mutating func report(
        _ number: Int, _ time: Int64, _ line: Int, into builder: inout RecordingBuilder
    ) throws(DocumentError) {
        guard var slot = slots[number] else { return }
        defer { slots[number] = slot }
        let hasMoved = slot.hasMoved
        slot.hasMoved = false
        guard slot.tracking != nil || slot.touch != nil else {
            return builder.notes.add("event of a touch that began before the recording")
        }
        // A device sends only what changes, so a recording that begins amid a touch may not have both coordinates yet.
        guard let x = slot.x, let y = slot.y else {
            return builder.notes.add("event of a touch whose position is not known yet")
        }
        let position = try canvasPoint(x, y, line: line)
        if let touch = slot.touch, slot.tracking != touch {
            try builder.add(
                touch, slot.isPalm ? .cancelled : .ended, at: position, nanoseconds: time, .text(line: line, column: 1))
            slot.touch = nil
            slot.isPalm = false
        }
        if let tracking = slot.tracking, slot.touch == nil {
            try builder.add(tracking, .began, at: position, nanoseconds: time, .text(line: line, column: 1))
            slot.touch = tracking
        } else if let touch = slot.touch, hasMoved {
            try builder.add(touch, .moved, at: position, nanoseconds: time, .text(line: line, column: 1))
        }
    }

    private func canvasPoint(_ x: Int, _ y: Int, line: Int) throws(DocumentError) -> Point {
        guard let canvas = options.canvas else { return Point(x: Double(x), y: Double(y)) }
        guard let axes = ranges.axes(of: device ?? ""), let across = axes.x, let down = axes.y else {
            throw TraceDecoder.error(
                "the ranges of the axes of \(device.map { $0.isEmpty ? "the device" : $0 } ?? "the device") are not known, so positions can't be scaled; put the output of getevent -lp before the events",
                line: line)
        }
        // As Android scales them: both ends belong to an axis.
        func scaled(_ unit: Int, _ axis: ClosedRange<Int>, _ length: Double) -> Double {
            (Double(unit) - Double(axis.lowerBound)) * length / Double(axis.count)
        }
        return Point(x: scaled(x, across, canvas.width), y: scaled(y, down, canvas.height))
    }
}
