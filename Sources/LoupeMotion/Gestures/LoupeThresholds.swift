/// Where one gesture of the loupe ends and another begins. Points are canvas pixels.
///
/// The numbers are empirical: what hands were seen to do, not what a theory asks for.
public struct LoupeThresholds: Hashable, Sendable {
    // MARK: Which gesture it is

    /// By how much the span of two touches must change to be a pinch, in points: more than resting fingers sway.
    public var pinchSpan = 16.0
    /// How far two touches must go together to be a pan, in points: UIKit's customary 10.
    public var panTravel = 10.0
    /// By how much the path of two touches must turn to be a Rewind, in degrees: less is a sloppy straight line.
    public var rewindTurning = 15.3
    /// The least radius of a Rewind's circle, in points: less is a scribble.
    public var rewindRadius = 30.0
    /// How many times as far past its threshold as the next one the winner must be: below it a hand looks undecided.
    public var lead = 2.0

    // MARK: Rewind's own constraints

    /// The largest span at which two touches adjoin, in points: two fingers of one hand, 30 mm on a tablet.
    public var adjoiningSpan = 160.0
    /// Within what time two fingers of one hand come down, in seconds.
    public var togetherTime = 0.25
    /// Over what distance the direction of a path is told, in points: half a point of jitter turns it by 3°.
    public var stride = 12.0
    /// From what length on a path that has not turned is straight, in points: four strides.
    public var straightPath = 48.0
    /// By how much a Rewind turns for each stroke, in degrees: twelve strokes a circle.
    public var rewindStep = 30.0

    // MARK: The loupe

    /// How far from the rim, inward and outward, a touch takes hold of the edge, in points: half a fingertip.
    public var edgeBand = 22.0
    /// The greatest zoom that a pinch sets.
    public var greatestZoom = 8.0
    /// The zoom below which a pinch closes the loupe: clearly less than 1, which shows the page as it is.
    public var closingZoom = 0.9

    // MARK: Off the screen

    /// How far from the canvas's border a finger is seen last and first, in points: a fast one leaves no nearer sample.
    public var borderReach = 40.0
    /// The least speed at which a touch leaves, in points per second: slower ones are lifted.
    public var leavingSpeed = 60.0
    /// How far from a ghost's path a touch may take it over, in points: a hand comes back less exactly than it left.
    public var takeoverReach = 80.0
    /// How long a ghost goes on, in seconds: what comes back later is a new intention.
    public var ghostLife = 0.5

    public init() {}

    /// How far two touches are from coming of one hand, in space and in time: 1 for each that is at its limit.
    func separation(span: Double, delay: Double) -> Double { span / adjoiningSpan + delay / togetherTime }
}
