// A session under a hand: events come one by one, as they happen, or as another recording.

extension Session.Model {
    /// The model without any event: what a hand finds.
    package var restarted: Session.Model { changed(.restart) }

    /// Processes an event as it happens, which is not before the last one.
    package mutating func handle(_ event: Trace.Event) { self = changed(.handle(event)) }

    /// Lets time pass up to a time in seconds. From now on only frames at this time or later can be asked for.
    package mutating func pass(until time: Double) { self = changed(.pass(time)) }

    private enum Change {
        case restart
        case handle(Trace.Event)
        case pass(Double)
        case follow(Trace)
    }

    /// Keyframes take no events.
    private func changed(_ change: Change) -> Session.Model {
        switch self {
        case .keyframes: return self
        case .tilt(var model):
            Self.apply(change, to: &model)
            return .tilt(model)
        case .scroll(var model):
            Self.apply(change, to: &model)
            return .scroll(model)
        case .panorama(var model):
            Self.apply(change, to: &model)
            return .panorama(model)
        case .transition(var model):
            Self.apply(change, to: &model)
            return .transition(model)
        case .loupe(var model):
            Self.apply(change, to: &model)
            return .loupe(model)
        }
    }

    private static func apply<Model: LiveModel>(_ change: Change, to model: inout Model) {
        switch change {
        case .restart: model.restart()
        case .handle(let event): model.handle(event)
        case .pass(let time): model.pass(until: time)
        case .follow(let trace): model.follow(trace)
        }
    }

    /// The model driven by another trace.
    fileprivate func following(_ trace: Trace) -> Session.Model { changed(.follow(trace)) }
}

extension Session {
    /// The same session with another recording, as long as something moves.
    package func following(_ trace: Trace) -> Session {
        let model = model.following(trace)
        return Session(
            model: model, trace: trace, framesPerSecond: framesPerSecond,
            duration: Session.duration(of: model, framesPerSecond: framesPerSecond))
    }

    /// How long something moves in a model, in seconds. The last frame shows the rest.
    static func duration(of model: Model, framesPerSecond: Double) -> Double {
        max(model.duration, durationRange.lowerBound) + 1 / framesPerSecond
    }
}
