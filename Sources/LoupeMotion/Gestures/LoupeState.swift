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
    var hold: Hold?
    /// Where it lies while nobody holds it.
    var center: Point
    var zoom = 1.0
    /// Without what fingers on the edge are about to change.
    var radius: Double
    var touches: [HandTouch] = []
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
    func disc(at time: Double, _ options: LoupeOptions) -> (center: Point, radius: Double, zoom: Double) {
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
    /// The nearest place that a scene can name.
    var withinScenes: Point {
        Point(x: x.clamped(to: JSONReader.coordinateRange), y: y.clamped(to: JSONReader.coordinateRange))
    }
}
