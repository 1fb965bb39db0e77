import LoupeGeometry

/// A number that a model shows over time, such as the offset of a scroll view along y.
public struct Quantity: Hashable, Sendable {
    /// The unit of a quantity's values.
    public enum Unit: String, Hashable, Sendable {
        /// Canvas pixels.
        case points
        /// A factor, such as a scale.
        case times
        /// A number without a unit, such as an opacity.
        case number
    }

    /// The name as in the model's states, such as `offset.y`; unique in its model.
    public let key: String
    /// The unit of its values.
    public let unit: Unit
    /// The plot that shows it, by its title in words; nil for a quantity that is only exported.
    let plot: String?
    /// The name in the plot's legend.
    let name: String
    /// Whether it is a goal that the quantity before it moves to.
    let isGoal: Bool
    /// Whether it is a position, whose velocity is plotted too.
    let isPosition: Bool

    init(
        _ key: String, _ unit: Unit = .points, plot: String? = nil, name: String = "", isGoal: Bool = false,
        isPosition: Bool = true
    ) {
        self.key = key
        self.unit = unit
        self.plot = plot
        self.name = name
        self.isGoal = isGoal
        self.isPosition = isPosition && unit == .points
    }
}

/// An event that decides how a model moves on: a release, a tap, a gesture that is recognized.
struct ModelDecision: Hashable, Sendable {
    /// In seconds.
    let time: Double
    /// One sentence without a full stop.
    let text: String
    /// Further sentences, such as why other gestures failed.
    var details: [String] = []
}

/// What a model is doing, for a lane of a chart.
struct ModelPhase: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
        case still, held, moving, returning, open
    }

    let name: String
    let kind: Kind

    init(_ name: String, _ kind: Kind) {
        self.name = name
        self.kind = kind
    }
}

/// A model whose numbers can be plotted and exported.
protocol MeasuredModel: MotionModel {
    /// What it shows, always in the same order.
    var quantities: [Quantity] { get }
    /// The values that are shown at a time in seconds, in the order of `quantities`.
    func values(at time: Double) -> [Double]
    /// The times of the events after which it moves in another way, ascending, in seconds.
    var changes: [Double] { get }
    /// Whether the values follow fingers from one event to the next.
    func isHeld(at time: Double) -> Bool
    /// Whether what moves is visible.
    func isShown(at time: Double) -> Bool
    /// What it is doing: the names of the lanes, and for each the phase at a time.
    var lanes: [String] { get }
    func phases(at time: Double) -> [ModelPhase?]
    /// In the order of time.
    var decisions: [ModelDecision] { get }
    /// Values that a plot's quantities can't pass, or rest at: the title of the plot, the value and its name.
    var guides: [(plot: String, value: Double, name: String)] { get }
}

extension MeasuredModel {
    func isShown(at time: Double) -> Bool { true }
    var lanes: [String] { ["phase"] }
    var guides: [(plot: String, value: Double, name: String)] { [] }
}

extension Timeline {
    /// The times at which a state begins, without that of the initial state.
    var changes: [Double] { Array(times.dropFirst()) }
}

extension Double {
    /// The number for a sentence: with tenths below 100, whole from there on.
    var spoken: String {
        let rounded = abs(self) < 99.95 ? (self * 10).rounded() / 10 : self.rounded()
        return rounded < 0 ? "−\((-rounded).tenths)" : abs(rounded).tenths
    }
}
