import LoupeBase

/// Reads pointer events as the W3C defines them, one a line or as the elements of an array.
///
/// ```json
/// {"type": "pointerdown", "pointerId": 1, "clientX": 120, "clientY": 80.5, "timeStamp": 16, "pressure": 0.5}
/// ```
/// `timeStamp` is in milliseconds, `clientX` and `clientY` in CSS pixels. A mouse is a touch while a button is down.
enum PointerEvents {
    private static let phases: [String: Touch.Phase] = [
        "pointerdown": .began, "pointermove": .moved, "pointerup": .ended, "pointercancel": .cancelled,
    ]
    private static let others: Set<String> = [
        "pointerover", "pointerenter", "pointerout", "pointerleave", "pointerrawupdate", "gotpointercapture",
        "lostpointercapture",
    ]
    private static let keys: Set<String> = [
        "type", "pointerId", "clientX", "clientY", "timeStamp", "pressure", "pointerType",
    ]

    static func read(
        _ bytes: [UInt8], into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        var down: Set<Int> = []
        return try JSONRecords.forEach(in: bytes) { value, position throws(DocumentError) in
            var event = value
            let name = try event.required("type")
            let type = try name.string()
            guard let phase = phases[type] else {
                guard others.contains(type) else {
                    let allowed = "pointerdown, pointermove, pointerup, pointercancel"
                    throw name.error("\(name.value.excerpt) is not allowed; allowed are \(allowed)")
                }
                return builder.notes.add(type, "left out; it is no part of a touch")
            }
            let id = try event.required("pointerId").integer(in: Touch.idRange)
            if phase == .moved, !down.contains(id) {
                return builder.notes.add("pointermove of a pointer that is not down", "left out")
            }
            let x = try event.required("clientX").number(in: -1e9...1e9)
            let y = try event.required("clientY").number(in: -1e9...1e9)
            let milliseconds = try event.required("timeStamp").number(in: 0...9e12)
            if let pressure = try event.optional("pressure") {
                let number = try pressure.number(in: 0...1)
                // What a screen without pressure reports is no information.
                let usual = phase == .began || phase == .moved ? 0.5 : 0
                if number != usual { builder.notes.add("pressure", "left out; a trace has none") }
            }
            for key in try event.keys() where !keys.contains(key) {
                builder.notes.add(key, "left out; a trace has none")
            }
            if phase == .began { down.insert(id) }
            if phase == .ended || phase == .cancelled { down.remove(id) }
            try builder.add(id, phase, at: Point(x: x, y: y), nanoseconds: (milliseconds / 1000).nanoseconds, position)
        }
    }
}
