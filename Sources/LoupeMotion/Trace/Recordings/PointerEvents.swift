import LoupeBase

/// Reads pointer events as the W3C defines them, one a line or as the elements of an array.
///
/// ```json
/// {"type": "pointerdown", "pointerId": 1, "clientX": 120, "clientY": 80.5, "timeStamp": 16, "pressure": 0.5}
/// ```
/// `timeStamp` is in milliseconds, `clientX` and `clientY` in CSS pixels. A mouse is a touch while a button is down. Events
/// of other types, and other keys, say nothing about touches.
enum PointerEvents {
    private static let phases: [String: Touch.Phase] = [
        "pointerdown": .began, "pointermove": .moved, "pointerup": .ended, "pointercancel": .cancelled,
    ]

    static func read(
        _ bytes: [UInt8], into builder: inout RecordingBuilder
    ) throws(DocumentError) -> DocumentError.Position {
        try JSONRecords.forEach(in: bytes) { value, position throws(DocumentError) in
            var event = value
            guard let phase = phases[try event.required("type").string()] else { return }
            let id = try event.required("pointerId").integer(in: Touch.idRange)
            // A mouse moves without a button down, too.
            if phase == .moved, !builder.isDown(id) { return }
            let x = try event.required("clientX").number(in: -1e9...1e9)
            let y = try event.required("clientY").number(in: -1e9...1e9)
            let milliseconds = try event.required("timeStamp").number(in: 0...9e12)
            try builder.add(id, phase, at: Point(x: x, y: y), nanoseconds: (milliseconds / 1000).nanoseconds, position)
        }
    }
}
