import LoupeGeometry
import LoupeJSON

/// Reads and writes calls of `Input.dispatchTouchEvent` of the Chrome DevTools protocol.
///
/// ```json
/// [{"method": "Input.dispatchTouchEvent", "params":
///   {"type": "touchStart", "touchPoints": [{"x": 120, "y": 80.5, "id": 1}], "timestamp": 0.016}}]
/// ```
/// The elements may also be the parameters alone. `timestamp` is in seconds. As Chromium does, a call changes only the
/// touches that it lists; `touchEnd` and `touchCancel` without points end all touches. `touchCancel` takes no points.
enum DispatchedTouches {
    private enum Kind: String, CaseIterable {
        case touchStart, touchMove, touchEnd, touchCancel
    }

    private static let method = "Input.dispatchTouchEvent"

    // MARK: - Reading

    static func read(_ bytes: [UInt8], into builder: inout RecordingBuilder) throws(DocumentError) -> Int {
        var down: [(id: Int, position: Point)] = []
        return try JSONRecords.forEach(in: bytes) { value, line throws(DocumentError) in
            var call = value
            if let name = try call.optional("method") {
                let text = try name.string()
                guard text == method else { return builder.notes.add(text, "left out; it is no touch") }
                call = try call.required("params")
            }
            let kind = try call.required("type").choice(of: Kind.self)
            let time = try call.required("timestamp").time(unit: 1e9)
            let list = try call.required("touchPoints")
            var points: [(id: Int, position: Point)] = []
            for (index, element) in try list.array().enumerated() {
                let point = try self.point(element, index: index, &builder.notes)
                if points.contains(where: { $0.id == point.id }) {
                    throw element.error("touch \(point.id) occurs twice")
                }
                points.append(point)
            }
            for key in call.keys(except: ["type", "timestamp", "touchPoints"]) {
                builder.notes.add(key, "left out; a trace has none")
            }
            for (id, phase, position) in try changes(kind, points, list, &down) {
                try builder.add(id, phase, at: position, nanoseconds: time, line: line)
            }
        }
    }

    private static func point(
        _ value: JSONReader, index: Int, _ notes: inout RecordingNotes
    ) throws(DocumentError) -> (id: Int, position: Point) {
        var point = value
        let x = try point.required("x").recordedCoordinate()
        let y = try point.required("y").recordedCoordinate()
        let id = try point.optional("id")?.recordedID() ?? index
        for key in point.keys(except: ["x", "y", "id"]) { notes.add(key, "left out; a trace has none") }
        return (id, Point(x: x, y: y))
    }

    private static func changes(
        _ kind: Kind, _ points: [(id: Int, position: Point)], _ list: JSONReader,
        _ down: inout [(id: Int, position: Point)]
    ) throws(DocumentError) -> [(Int, Touch.Phase, Point)] {
        switch kind {
        case .touchStart, .touchMove:
            guard !points.isEmpty else { throw list.error("it is empty; \(kind.rawValue) needs a point") }
            return points.compactMap { point -> (Int, Touch.Phase, Point)? in
                guard let index = down.firstIndex(where: { $0.id == point.id }) else {
                    down.append(point)
                    return (point.id, .began, point.position)
                }
                // A list of all touches repeats those that rest.
                guard points.count == 1 || down[index].position != point.position else { return nil }
                down[index] = point
                return (point.id, .moved, point.position)
            }
        case .touchEnd, .touchCancel:
            if kind == .touchCancel, !points.isEmpty {
                throw list.error("it is not empty; touchCancel takes no points")
            }
            for point in points where !down.contains(where: { $0.id == point.id }) {
                throw list.error("touch \(point.id) ended before it began")
            }
            let ended = points.isEmpty ? down : points
            down.removeAll { touch in ended.contains { $0.id == touch.id } }
            return ended.map { ($0.id, kind == .touchEnd ? .ended : .cancelled, $0.position) }
        }
    }

    // MARK: - Writing

    static func text(of touches: [TimedTouch], _ notes: inout RecordingNotes) -> String {
        var calls: [JSONValue] = []
        var down: [(id: Int, position: Point)] = []
        var index = 0
        while index < touches.count {
            let event = touches[index]
            let touch = event.touch
            let count = touch.phase == .cancelled ? Self.cancelled(touches[index...], down) : 0
            switch touch.phase {
            case .began: calls.append(call(.touchStart, touch, event.nanoseconds))
            case .moved: calls.append(call(.touchMove, touch, event.nanoseconds))
            case .ended: calls.append(call(.touchEnd, touch, event.nanoseconds))
            case .cancelled where count > 0:
                calls.append(call(.touchCancel, nil, event.nanoseconds))
                let moved = touches[index..<index + count].count { event in
                    !down.contains { $0.id == event.touch.id && $0.position == event.touch.position }
                }
                notes.add("position of a cancelled touch", "left out; touchCancel has none", count: moved)
            case .cancelled:
                calls.append(call(.touchEnd, touch, event.nanoseconds))
                notes.add(
                    "cancelled touch", "written as ended, since others are down; touchCancel cancels all touches")
            }
            for event in touches[index..<index + max(1, count)] {
                down.removeAll { $0.id == event.touch.id }
                if event.touch.phase == .began || event.touch.phase == .moved {
                    down.append((event.touch.id, event.touch.position))
                }
            }
            index += max(1, count)
        }
        return "[\n" + calls.map { $0.line }.joined(separator: ",\n") + "\n]\n"
    }

    /// The number of events from the first on that cancel all touches at one time; 0 if others stay down.
    private static func cancelled(_ touches: ArraySlice<TimedTouch>, _ down: [(id: Int, position: Point)]) -> Int {
        let together = touches.prefix {
            $0.touch.phase == .cancelled && $0.nanoseconds == touches.first?.nanoseconds
        }
        return together.count == down.count ? together.count : 0
    }

    private static func call(_ kind: Kind, _ touch: Touch?, _ nanoseconds: Int64) -> JSONValue {
        let points: [JSONValue] =
            touch.map {
                [["x": .number($0.position.x), "y": .number($0.position.y), "id": .number(Double($0.id))]]
            } ?? []
        return [
            "method": .string(method),
            "params": [
                "type": .string(kind.rawValue), "touchPoints": .array(points),
                "timestamp": .number(Double(nanoseconds) / 1e9),
            ],
        ]
    }
}
