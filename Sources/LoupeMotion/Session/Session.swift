/// A motion model with how long and how fast it is shown.
public struct Session: Sendable {
    public let model: any MotionModel
    /// What the model was made from; nil for keyframes.
    public let trace: Trace?
    /// Over 0.
    public let framesPerSecond: Double
    /// In seconds, over 0.
    public let duration: Double

    public init(model: any MotionModel, trace: Trace?, framesPerSecond: Double, duration: Double) {
        self.model = model
        self.trace = trace
        self.framesPerSecond = framesPerSecond
        self.duration = duration
    }

    /// How many frames begin within the duration, the one at 0 s included.
    public var frameCount: Int {
        // Six tenths of a second at 60 fps are 36 frames, though the product may be a little more than 36.
        max(1, Int((duration * framesPerSecond - 1e-6).rounded(.up)))
    }

    /// When a frame is, in seconds: a quotient, so that rates in whole numbers have their common times in common.
    public func time(ofFrame index: Int) -> Double {
        Double(index) / framesPerSecond
    }

    /// Of `framesPerSecond`.
    public static let rateRange: ClosedRange<Double> = 0.01...1000
    /// Of `duration`, in seconds: up to a day.
    public static let durationRange: ClosedRange<Double> = 0.001...86_400
}
