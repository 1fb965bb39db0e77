import LoupeGeometry
import LoupeJSON
import LoupeScene

/// The state as `MotionFrame.states` has it: the same keys in every frame.
extension LoupeState {
    func json(at time: Double, _ options: LoupeOptions) -> JSONValue {
        let disc = disc(at: time, options)
        return [
            "phase": .string(phase.rawValue), "center": .point(disc.center), "radius": .number(disc.radius),
            "zoom": .number(disc.zoom), "touches": .array(touches.map(\.json)),
            "ghosts": .array(ghosts(at: time)), "recognizers": .array(records.flatMap(\.json)),
            "decision": decisionJSON,
            "history": [
                "done": .number(Double(history.done.count)), "undone": .number(Double(history.redoable)),
                "drawing": .number(Double(drawing.count)),
            ],
            "rewind": ["turning": .number(rewind.turning), "strokes": .number(Double(rewind.strokes))],
        ]
    }

    private func ghosts(at time: Double) -> [JSONValue] {
        (hold?.grips ?? []).compactMap { grip in
            grip.ghost.map { ghost in
                [
                    "touch": .number(Double(grip.id)), "place": .point(ghost.place(at: time).withinScenes),
                    "until": .number(ghost.endTime),
                ]
            }
        }
    }

    /// The last decision; at 0 s about no touches before the first.
    private var decisionJSON: JSONValue {
        [
            "time": .number(decision?.time ?? 0),
            "touches": .array((decision?.touches ?? []).map { .number(Double($0)) }),
            "text": .string(decision?.text ?? "none yet"),
        ]
    }
}

extension HandTouch {
    fileprivate var json: JSONValue {
        ["touch": .number(Double(id)), "role": .string(role.name), "place": .point(place)]
    }
}

extension LoupeState.PairRecord {
    fileprivate var json: [JSONValue] {
        records.map { record in
            [
                "gesture": .string(record.gesture.rawValue), "touches": .array(touches.map { .number(Double($0)) }),
                "state": .string(record.state.rawValue), "progress": .number(record.progress),
                "why": .string(record.reason.text),
            ]
        }
    }
}
