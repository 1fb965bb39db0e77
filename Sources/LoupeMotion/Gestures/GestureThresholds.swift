/// Where one gesture ends and another begins. UIKit does not publish its numbers; these are the customary ones.
enum GestureThresholds {
    /// How far a finger may stray and still tap, in points; beyond it a drag begins.
    static let travel = 10.0
    /// How long a tap may take, in seconds: from here on UIKit sees a long press.
    static let tapDuration = 0.5
    /// How long a tap waits for a second one, in seconds, as Titanium's viewer does.
    static let secondTapWait = 0.35
    /// How far apart the taps of a double tap may be, in points: a finger's width on the glass.
    static let doubleTapTravel = 44.0
    /// Two fingers nearer than this have no span to measure, in points.
    static let smallestSpan = 1.0
}
