import LoupeBase
import LoupeScene

/// The state of the loupe between two events: everything that a frame shows or reports.
struct LoupeState: Hashable, Sendable {
    enum Phase: String, Hashable, Sendable {
        /// There is no loupe.
        case closed
        /// A finger holds it, or a ghost.
        case held
        /// It rests where it was released.
        case resting
    }

    private let canvasWidth: Double
    private let canvasHeight: Double
    /// Whether there is a loupe. Its last position remains known.
    var isOpen = false
    /// The manipulation by fingers; nil while no finger holds the loupe.
    var hold: LoupeHold?
    /// The centre while no finger holds the loupe, in canvas pixels.
    var center: Point
    var zoom = 1.0
    /// The radius in points, without the current changes by fingers on the edge.
    var radius: Double
    var touches: [LoupeTouch] = []
    /// Touches that are gone, whose strokes and changes of the radius may still catch up.
    var ended: [LoupeTouch] = []
    var tools: LoupeTools
    /// The history of strokes, by their numbers.
    var history = UndoHistory<Int>()
    /// The current Rewind, or the last one.
    var rewind = Rewind()
    var records: [PairRecord] = []
    var decision: GestureDecision?

    /// A closed loupe on a canvas.
    init(canvas: Scene.Canvas, center: Point, radius: Double, tools: LoupeTools) {
        canvasWidth = Double(canvas.width)
        canvasHeight = Double(canvas.height)
        self.center = center
        self.radius = radius
        self.tools = tools
    }

    struct Rewind: Hashable, Sendable {
        /// The turning in degrees, clockwise positive.
        var turning = 0.0
        /// The number of strokes redone, minus those undone.
        var strokes = 0
    }

    /// The gestures of one contest.
    struct PairRecord: Hashable, Sendable {
        let number: Int
        let touches: [Int]
        let records: [GestureRecord]
    }

    var phase: Phase { isOpen ? hold == nil ? .resting : .held : .closed }

    /// The loupe as it is shown.
    /// - Parameters:
    ///   - options: Their ranges limit the radius and the zoom.
    ///   - time: In seconds.
    func disc(_ options: LoupeModelOptions, at time: Double) -> (center: Point, radius: Double, zoom: Double) {
        let radius = shownRadius(at: time).clamped(to: options.radiusRange)
        let center = onCanvas((hold?.center ?? center).withinScenes, radius: radius)
        return (center, radius, (hold?.zoom ?? zoom).clamped(to: options.zoomRange))
    }

    /// The nearest centre with which at least a third of the radius is on the canvas.
    private func onCanvas(_ center: Point, radius: Double) -> Point {
        let nearest = Point(x: center.x.clamped(to: 0...canvasWidth), y: center.y.clamped(to: 0...canvasHeight))
        let (away, reach) = (center - nearest, radius * (1 - Self.partOnCanvas))
        return away.length <= reach ? center : nearest + reach / away.length * away
    }

    /// The part of the radius that stays on the canvas, so that the loupe can be taken hold of again.
    static let partOnCanvas = 1.0 / 3

    /// The radius without limits.
    private func shownRadius(at time: Double) -> Double {
        let begun = touches.reduce(radius) { $0 + $1.shownPart(at: time) * $1.change }
        return ended.reduce(begun) { $0 - (1 - $1.shownPart(at: time)) * $1.change }
    }
}

extension Point {
    /// The nearest point that a scene can contain.
    var withinScenes: Point {
        Point(x: x.clamped(to: JSONReader.coordinateRange), y: y.clamped(to: JSONReader.coordinateRange))
    }
}

/// A touch on the glass and its role in the loupe's gestures. Every touch has one role at a time.
struct LoupeTouch: Hashable, Sendable {
    let id: Int
    var position: Point
    let role: TouchRole
    /// What it draws, or erases along.
    var stroke: DrawnStroke?
    /// By how much it has changed the radius, in points.
    var change = 0.0
    /// The tool that it has chosen, if a finger held the loupe.
    var choice: TrayChoice?
    /// When its stroke or its change of the radius begins to show, in seconds; infinite while it may become a Rewind.
    var release = -Double.infinity

    /// The role that frames show: a touch waits until its work shows.
    func shownRole(at time: Double) -> TouchRole {
        release > time && (role == .drawing || role == .resizing) ? .waiting : role
    }

    /// The part of its work that shows, 0…1.
    func shownPart(at time: Double) -> Double {
        ((time - release) / GestureThresholds.catchUpTime).clamped(to: 0...1)
    }

    /// The part of its stroke that shows; nil if nothing does.
    func shownStroke(at time: Double) -> DrawnStroke? {
        guard var shown = stroke else { return nil }
        shown.points = Int((shownPart(at: time) * Double(shown.points)).rounded(.up))
        return shown.points > 0 ? shown : nil
    }
}

/// A stroke that is being drawn.
struct DrawnStroke: Hashable, Sendable {
    let number: Int
    /// The number of its points so far.
    var points = 1
}

/// The state as `MotionFrame.states` writes it, with the same keys in every frame.
extension LoupeState {
    func json(at time: Double, _ options: LoupeModelOptions) -> JSONValue {
        let disc = disc(options, at: time)
        return [
            "phase": .string(phase.rawValue), "center": .point(disc.center), "radius": .number(disc.radius),
            "zoom": .number(disc.zoom), "touches": .array(touches.map { $0.json(at: time) }),
            "tool": tools.tool.json, "ghosts": .array(ghosts(at: time)),
            "recognizers": .array(records.flatMap { $0.json }),
            "decision": decisionJSON,
            "history": [
                "done": .number(Double(history.done.count)), "undone": .number(Double(history.redoable)),
                "drawing": .number(Double(touches.count { $0.shownStroke(at: time) != nil })),
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

    /// The last decision; before the first one, a decision at 0 s about no touches.
    private var decisionJSON: JSONValue {
        [
            "time": .number(decision?.time ?? 0),
            "touches": .array((decision?.touches ?? []).map { .number(Double($0)) }),
            "text": .string(decision?.text ?? "none yet"),
        ]
    }
}

extension LoupeTouch {
    fileprivate func json(at time: Double) -> JSONValue {
        ["touch": .number(Double(id)), "role": .string(shownRole(at: time).rawValue), "place": .point(position)]
    }
}

extension LoupeState.PairRecord {
    fileprivate var json: [JSONValue] {
        records.map { record in
            [
                "gesture": .string(record.gesture.rawValue), "touches": .array(touches.map { .number(Double($0)) }),
                "state": .string(record.state.rawValue), "progress": .number(record.progress),
                "why": .string(record.reason),
            ]
        }
    }
}
