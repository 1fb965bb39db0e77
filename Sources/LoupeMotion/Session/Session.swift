/// A motion model, with the length and the frame rate at which it is shown.
public struct Session: Sendable {
    /// What is shown.
    public let model: Model
    /// The recording that drives the model; nil for keyframes.
    public let trace: Trace?
    /// In Hz; see `rateRange`.
    public let framesPerSecond: Double
    /// In seconds; see `durationRange`.
    public let duration: Double
    /// What the session is expected to do.
    var expectations: [Expectation] = []
    /// The touches and the rotation of the trace, over time.
    let input: SessionInput

    /// Combines a model with a frame rate in Hz and a duration in seconds.
    public init(model: Model, trace: Trace?, framesPerSecond: Double, duration: Double) {
        (self.model, self.trace, self.framesPerSecond, self.duration) = (model, trace, framesPerSecond, duration)
        input = SessionInput(trace ?? Trace())
    }

    /// The number of frames that begin before the duration ends, including the one at 0 s; at least 1.
    public var frameCount: Int {
        // 0.6 s at 60 fps are 36 frames, although the product may be slightly above 36.
        max(1, Int((duration * framesPerSecond - 1e-6).rounded(.up)))
    }

    /// The time of a frame, in seconds: index / rate, so that whole-numbered rates agree exactly at their common times.
    public func time(ofFrame index: Int) -> Double {
        Double(index) / framesPerSecond
    }

    /// The range of `framesPerSecond`, in Hz.
    public static let rateRange: ClosedRange<Double> = 0.01...1000
    /// The range of `duration`, in seconds: up to a day.
    public static let durationRange: ClosedRange<Double> = 0.001...86_400
}

extension Session {
    /// Any of the motion models, by the name that a session gives it.
    public indirect enum Model: MotionModel {
        /// `"model": "keyframes"`
        case keyframes(KeyframeModel)
        /// `"model": "tilt"`
        case tilt(TiltModel)
        /// `"model": "scroll"`
        case scroll(ScrollModel)
        /// `"model": "panorama"`
        case panorama(PanoramaModel)
        /// `"model": "transition"`
        case transition(TransitionModel)
        /// `"model": "loupe"`
        case loupe(LoupeModel)

        /// The time after which nothing moves, in seconds.
        public var duration: Double {
            switch self {
            case .keyframes(let model): model.duration
            case .tilt(let model): model.duration
            case .scroll(let model): model.duration
            case .panorama(let model): model.duration
            case .transition(let model): model.duration
            case .loupe(let model): model.duration
            }
        }

        /// What of a model can't move as its rules say, a sentence each without a full stop.
        package var warnings: [String] { if case .panorama(let model) = self { model.warnings } else { [] } }

        /// The name that a session gives it.
        var name: SessionDecoder.ModelName {
            switch self {
            case .keyframes: .keyframes
            case .tilt: .tilt
            case .scroll: .scroll
            case .panorama: .panorama
            case .transition: .transition
            case .loupe: .loupe
            }
        }

        /// The frame at a time in seconds.
        public func frame(at time: Double) -> MotionFrame {
            switch self {
            case .keyframes(let model): model.frame(at: time)
            case .tilt(let model): model.frame(at: time)
            case .scroll(let model): model.frame(at: time)
            case .panorama(let model): model.frame(at: time)
            case .transition(let model): model.frame(at: time)
            case .loupe(let model): model.frame(at: time)
            }
        }
    }
}
