import LoupeBase

/// The fixed limits that decide what touches mean. Points are canvas pixels.
///
/// UIKit does not publish its numbers; those without another source are the customary ones.
enum GestureThresholds {
    // MARK: Taps and drags

    /// How far a touch may move and still be a tap, in points; a drag begins beyond it. UIKit's customary 10.
    static let travel = 10.0
    /// The part of a movement, as long as `travel`, that makes a touch a drag. What is dragged does not make up for it.
    static func slop(of movement: Vector) -> Vector { travel / movement.length * movement }
    /// The longest tap, in seconds: UIKit recognizes a long press from 0.5 s on.
    static let tapDuration = 0.5
    /// How long a tap waits for a second one, in seconds, as in Titanium's image viewer.
    static let secondTapWait = 0.35
    /// The greatest distance between the taps of a double tap, in points: Apple's smallest touch target.
    static let doubleTapTravel = 44.0

    // MARK: Two touches

    /// The smallest span that a zoom is divided by, in points: two touches at one point have no span.
    static let smallestSpan = 1.0
    /// The number of samples from which a turn can be distinguished from jitter. Empirical, from simulated hands.
    static let leastSamples = 6
    /// The change of heading above which a finger goes back the way it came, in radians: 120°. Empirical.
    static let reversal = 2 * Double.pi / 3
    /// After how many intervals between samples the other touch of a pair counts as resting. Above 1, because
    /// samples arrive at uneven times. Empirical.
    static let lateSample = 1.25
    /// The largest span of adjoining touches, in points: two fingers of one hand, 30 mm on a tablet.
    static let adjoiningSpan = 160.0
    /// The longest time between two fingers of one hand coming down, in seconds.
    static let togetherTime = 0.25
    /// The longest time between two touches that land together, in seconds: what they begin does not show until they
    /// cannot become a Rewind. A touch alone waits as long for another one, or until it has moved by `panTravel`.
    static let landingTime = 0.08
    /// The time in which what did not show catches up, in seconds.
    static let catchUpTime = 0.1
    /// How unlikely it is that two touches belong to one hand: their distance and their delay, each 1 at its limit.
    static func separation(span: Double, delay: Double) -> Double { span / adjoiningSpan + delay / togetherTime }
    /// The length over which the heading of a path is measured, in points: half a point of jitter turns it by 3°.
    static let stride = 12.0
    /// The length from which touches that draw or resize keep their work where their path is straight, in points.
    static let straightPath = 48.0
    /// The radius above which a circle counts as a straight line, in points.
    static let greatestRewindRadius = 125.0

    // MARK: The loupe

    /// The zoom below which a pinch closes the loupe: clearly less than 1, at which the loupe shows the page as it is.
    static let closingZoom = 0.9
    /// The distance from the canvas's border within which a finger is last seen and first seen again, in points. The way
    /// between two samples is added.
    static let borderReach = 40.0
    /// The least speed at which a touch leaves the screen, in points per second: a slower one is lifted.
    static let leavingSpeed = 60.0
    /// The distance from a ghost's path within which a touch takes it over, in points: a hand returns less exactly
    /// than it left. The way between two samples is added.
    static let takeoverReach = 80.0
}

/// The limits of the loupe's gestures that a session may set. Points are canvas pixels.
///
/// The numbers are empirical: they come from simulated hands (`tools/measure/gestures`), not from recorded ones.
struct LoupeThresholds: Hashable, Sendable {
    /// The change of span that makes two touches a pinch, in points: more than the sway of resting fingers.
    var pinchSpan = 16.0
    /// The distance that two touches must move together to be a pan, in points: UIKit's customary 10.
    var panTravel = 10.0
    /// The turning of the path that makes two touches a Rewind, in degrees: a sloppy straight line turns less.
    var rewindTurning = 15.3
    /// The smallest radius of a Rewind's circle, in points: a scribble is tighter.
    var rewindRadius = 30.0
    /// The turning of a Rewind for each stroke that it undoes or redoes, in degrees: twelve strokes a circle.
    var rewindStep = 30.0
    /// How many times as far past its threshold as the next gesture the winner must be: with less, the hand looks
    /// undecided.
    var lead = 2.0
    /// How long a hand moves until its likelier gesture is taken, in seconds.
    var decisionTime = 0.3
    /// How far from the rim, inward and outward, a touch drags the edge, in points: half a fingertip.
    var edgeBand = 22.0
    /// The greatest zoom that a pinch sets.
    var greatestZoom = 8.0
    /// The lifetime of a ghost, in seconds: a touch that comes later is a new intention.
    var ghostLife = 0.5
}
