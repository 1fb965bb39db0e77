import LoupeGeometry
import LoupeJSON

/// Reads the input events of a performance trace of Chrome DevTools: `{"traceEvents": […]}` or the array alone.
///
/// What such traces have depends on the version of Chrome:
/// - `EventDispatch` of `mousedown`, `mousemove` and `mouseup` with `x`, `y` and `timestamp` in `args.data`, where the
///   category `disabled-by-default-devtools.timeline.inputs` was recorded. Touches have no positions there: Chromium
///   156 writes only their type. Positions of `pointer…` and `touch…` events are read if there are any.
/// - `InputLatency::TouchStart`, `TouchMove`, `TouchEnd` and `TouchCancel` with `args.coordinates` of up to two
///   touches, in versions before about 2018.
enum PerformanceTrace {
    static func read(_ bytes: [UInt8], into builder: inout RecordingBuilder) throws(DocumentError) -> Int {
        var inputs = TraceInputs()
        let last = try JSONRecords.forEach(in: bytes, member: "traceEvents") { value, line throws(DocumentError) in
            try inputs.add(value, line: line)
        }
        for event in try inputs.touches(&builder.notes, lastLine: last) {
            try builder.add(event.id, event.phase, at: event.position, nanoseconds: event.time, line: event.line)
        }
        return last
    }
}

/// The input events of a performance trace, by where their positions come from.
private struct TraceInputs {
    struct Event {
        var id: Int
        let phase: Touch.Phase
        var position: Point
        /// In nanoseconds.
        let time: Int64
        let line: Int
    }

    /// An event of `InputLatency` with the positions of all touches.
    struct LatencyEvent {
        let phase: Touch.Phase
        let positions: [Point]
        let time: Int64
        let line: Int
    }

    private var pointers: [Event] = []
    private var touches: [Event] = []
    private var mouse: [Event] = []
    private var latencies: [LatencyEvent] = []
    /// The times at which `InputLatency` events began, by their name and identifier.
    private var begun: [String: Int64] = [:]
    /// The lines of touches that began without a position.
    private var hidden: [Int] = []
    private var idleMoves = 0

    private static let types: [(prefix: String, phases: [String: Touch.Phase])] = [
        ("pointer", ["down": .began, "move": .moved, "up": .ended, "cancel": .cancelled]),
        ("touch", ["start": .began, "move": .moved, "end": .ended, "cancel": .cancelled]),
        ("mouse", ["down": .began, "move": .moved, "up": .ended]),
    ]
    private static let latencyNames: [String: Touch.Phase] = [
        "InputLatency::TouchStart": .began, "InputLatency::TouchMove": .moved, "InputLatency::TouchEnd": .ended,
        "InputLatency::TouchCancel": .cancelled,
    ]

    // MARK: - Reading

    mutating func add(_ value: JSONReader, line: Int) throws(DocumentError) {
        var event = value
        guard case .string(let name)? = try event.optional("name")?.value else { return }
        if name == "EventDispatch" {
            var arguments = try event.required("args")
            guard var data = try arguments.optional("data") else { return }
            try addDispatch(&data, &event, line: line)
        } else if let phase = Self.latencyNames[name] {
            try addLatency(phase, name, &event, line: line)
        }
    }

    private mutating func addDispatch(
        _ data: inout JSONReader, _ event: inout JSONReader, line: Int
    ) throws(DocumentError) {
        guard case .string(let type)? = try data.optional("type")?.value,
            let family = Self.types.first(where: { type.hasPrefix($0.prefix) }),
            let phase = family.phases[String(type.dropFirst(family.prefix.count))]
        else { return }
        guard let x = try data.first(of: "x", "clientX"), let y = try data.first(of: "y", "clientY")
        else {
            if type == "touchstart" { hidden.append(line) }
            return
        }
        let position = Point(x: try x.recordedCoordinate(), y: try y.recordedCoordinate())
        let stamp = if let own = try data.optional("timestamp") { own } else { try event.required("ts") }
        let time = try stamp.time(unit: 1e3)
        let number = try data.first(of: "pointerId", "identifier", "id")
        let id = try number?.recordedID() ?? 0
        let found = Event(id: id, phase: phase, position: position, time: time, line: line)
        switch family.prefix {
        case "pointer": pointers.append(found)
        case "touch": touches.append(found)
        default:
            let buttons = try data.optional("buttons")?.integer(in: 0...0xFFFF) ?? 1
            if phase == .moved, buttons == 0 {
                idleMoves += 1
            } else if phase != .ended || buttons == 0 || data.keys(except: []).allSatisfy({ $0 != "buttons" }) {
                mouse.append(found)
            }
        }
    }

    private mutating func addLatency(
        _ phase: Touch.Phase, _ name: String, _ event: inout JSONReader, line: Int
    ) throws(DocumentError) {
        var key = name
        if let id = try event.optional("id") { key += id.value.line }
        let time = try event.required("ts").time(unit: 1e3)
        var arguments = try event.optionalObject("args")
        var data = try arguments.optionalObject("data")
        let own = try arguments.optional("coordinates")
        let inData = try data.optional("coordinates")
        guard let list = own ?? inData else {
            // The event that begins; the one that ends has the positions.
            if phase == .began { hidden.append(line) }
            begun[key] = time
            return
        }
        var positions: [Point] = []
        for element in try list.array() {
            var pair = element
            let x = try pair.required("x").recordedCoordinate()
            positions.append(Point(x: x, y: try pair.required("y").recordedCoordinate()))
        }
        var original = try data.optionalObject("INPUT_EVENT_LATENCY_ORIGINAL_COMPONENT")
        let exact = try original.optional("time")?.time(unit: 1e3) ?? begun[key]
        guard !positions.isEmpty else { return }
        latencies.append(LatencyEvent(phase: phase, positions: positions, time: exact ?? time, line: line))
    }

    // MARK: - Choosing

    /// The events of touches in the order of time.
    mutating func touches(_ notes: inout RecordingNotes, lastLine: Int) throws(DocumentError) -> [Event] {
        // For one touch Chrome dispatches pointer events, touch events and, for a tap, mouse events.
        if pointers.contains(where: { $0.phase == .began }) { return whole(pointers, &notes) }
        if touches.contains(where: { $0.phase == .began }) { return whole(touches, &notes) }
        if !latencies.isEmpty { return try resolved(&notes) }
        if let line = hidden.first {
            throw TraceDecoder.error(
                "no touch has a position: this version of Chrome records positions of the mouse only; record pointer events in the page (docs/recordings.md)",
                line: line)
        }
        let events = whole(mouse, &notes)
        guard !events.isEmpty else {
            throw TraceDecoder.error(
                "no input event has a position; record with the category disabled-by-default-devtools.timeline.inputs",
                line: lastLine)
        }
        notes.add("mousemove without a button", "left out", count: idleMoves)
        return events
    }

    /// In the order of time, without what is left of touches that began before the recording, and without further
    /// buttons of a mouse.
    private func whole(_ events: [Event], _ notes: inout RecordingNotes) -> [Event] {
        var down: Set<Int> = []
        return sorted(events) { $0.time }.filter { event in
            if event.phase == .began { return down.insert(event.id).inserted }
            let isDown = down.contains(event.id)
            if event.phase != .moved { down.remove(event.id) }
            if !isDown { notes.add("event of a pointer that is not down", "left out") }
            return isDown
        }
    }

    private func sorted<Item>(_ items: [Item], by time: (Item) -> Int64) -> [Item] {
        items.enumerated().sorted { (time($0.element), $0.offset) < (time($1.element), $1.offset) }.map { $0.element }
    }

    // MARK: - InputLatency

    /// Tells the touches apart. Each event has the positions of all touches, in the order in which they came down.
    private func resolved(_ notes: inout RecordingNotes) throws(DocumentError) -> [Event] {
        let events = sorted(latencies) { $0.time }
        var down: [Event] = []
        var found: [Event] = []
        for (index, event) in events.enumerated() {
            let count = event.positions.count
            guard count == down.count + (event.phase == .began ? 1 : 0) else {
                if down.isEmpty, event.phase != .began {
                    notes.add("event of a touch that began before the recording", "left out")
                    continue
                }
                throw TraceDecoder.error(
                    "the event has the positions of \(count) touches, and \(down.count) are down; Chrome records the positions of two at most",
                    line: event.line)
            }
            switch event.phase {
            case .began:
                let id = (0...count).first { id in !down.contains { $0.id == id } } ?? count
                let touch = Event(
                    id: id, phase: .began, position: event.positions[count - 1], time: event.time, line: event.line)
                down.append(touch)
                found.append(touch)
            case .moved:
                for place in down.indices where down[place].position != event.positions[place] {
                    down[place].position = event.positions[place]
                    found.append(changed(down[place], .moved, event))
                }
            case .ended, .cancelled:
                let place = count == 1 ? 0 : Self.lifted(event, before: events[(index + 1)...])
                var touch = down.remove(at: place)
                touch.position = event.positions[place]
                found.append(changed(touch, event.phase, event))
            }
        }
        return found
    }

    private func changed(_ touch: Event, _ phase: Touch.Phase, _ event: LatencyEvent) -> Event {
        Event(id: touch.id, phase: phase, position: touch.position, time: event.time, line: event.line)
    }

    /// The index of the touch that ends: the one farther from where the next event has the other.
    private static func lifted(_ event: LatencyEvent, before later: ArraySlice<LatencyEvent>) -> Int {
        guard let rest = later.first?.positions.first else { return event.positions.count - 1 }
        let distances = event.positions.map { $0.distance(to: rest) }
        return distances.indices.max { distances[$0] < distances[$1] } ?? 0
    }
}
