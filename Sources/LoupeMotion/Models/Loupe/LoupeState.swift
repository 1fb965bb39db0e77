import LoupeGeometry
import LoupeJSON
import LoupeScene

/// What stands from one event to the next: all that a frame shows or tells.
struct LoupeState: Hashable, Sendable {
    enum Phase: String, Hashable, Sendable {
        /// There is none.
        case closed
        /// A finger has it, or a ghost.
        case held
        /// It lies where it was left.
        case resting
    }

    /// Whether there is a loupe; where it was last stays known.
    var isOpen = false
    var hold: LoupeHold?
    /// Where it lies while nobody holds it.
    var center: Point
    var zoom = 1.0
    /// Without what fingers on the edge are about to change.
    var radius: Double
    var touches: [LoupeTouch] = []
    /// Of strokes, by their numbers.
    var history = UndoHistory<Int>()
    /// Of the Rewind that goes on, or the last one.
    var rewind = Rewind()
    var records: [PairRecord] = []
    var decision: GestureDecision?

    struct Rewind: Hashable, Sendable {
        /// In degrees, clockwise positive.
        var turning = 0.0
        /// Redone less undone.
        var strokes = 0
    }

    /// The recognizers of one contest.
    struct PairRecord: Hashable, Sendable {
        let number: Int
        let touches: [Int]
        let records: [GestureRecord]
    }

    var phase: Phase { isOpen ? hold == nil ? .resting : .held : .closed }

    /// - Parameter options: Give the ranges.
    func disc(at time: Double, _ options: LoupeModelOptions) -> (center: Point, radius: Double, zoom: Double) {
        (
            (hold?.center(at: time) ?? center).withinScenes,
            shownRadius.clamped(to: options.radiusRange),
            (hold?.zoom(at: time) ?? zoom).clamped(to: options.zoomRange)
        )
    }

    /// Without limits.
    private var shownRadius: Double {
        touches.reduce(radius) { sum, touch in
            if case .resizing(let change) = touch.role { sum + change } else { sum }
        }
    }

    /// The strokes begun and not done, by their numbers, with how many points they have.
    var drawing: [(stroke: Int, points: Int)] {
        touches.compactMap { touch in
            if case .drawing(let stroke, let points) = touch.role { (stroke, points) } else { nil }
        }
    }
}

extension Point {
    /// The nearest position that a scene can name.
    var withinScenes: Point {
        Point(x: x.clamped(to: JSONReader.coordinateRange), y: y.clamped(to: JSONReader.coordinateRange))
    }
}

/// A finger on the glass and what it is there for.
struct LoupeTouch: Hashable, Sendable {
    let id: Int
    var position: Point
    var role: Role

    /// Every touch has one role at a time.
    enum Role: Hashable, Sendable {
        /// Nobody holds the loupe: it may take hold of it or become a gesture with another.
        case waiting
        /// It holds the loupe.
        case holding
        /// It draws a stroke, of which so many points are on the page.
        case drawing(stroke: Int, points: Int)
        /// It drags the edge, and has changed the radius by so many points.
        case resizing(by: Double)
        /// It is one of two that rewind.
        case rewinding
        /// It has no effect: it came down beside a held loupe, or what it did is over.
        case idle

        var name: String {
            switch self {
            case .waiting: "waiting"
            case .holding: "holding"
            case .drawing: "drawing"
            case .resizing: "resizing"
            case .rewinding: "rewinding"
            case .idle: "idle"
            }
        }
    }
}

/// The state as `MotionFrame.states` has it: the same keys in every frame.
extension LoupeState {
    func json(at time: Double, _ options: LoupeModelOptions) -> JSONValue {
        let disc = disc(at: time, options)
        return [
            "phase": .string(phase.rawValue), "center": .point(disc.center), "radius": .number(disc.radius),
            "zoom": .number(disc.zoom), "touches": .array(touches.map { $0.json }),
            "ghosts": .array(ghosts(at: time)), "recognizers": .array(records.flatMap { $0.json }),
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
                    "touch": .number(Double(grip.id)), "place": .point(ghost.position(at: time).withinScenes),
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

extension LoupeTouch {
    fileprivate var json: JSONValue {
        ["touch": .number(Double(id)), "role": .string(role.name), "place": .point(position)]
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
