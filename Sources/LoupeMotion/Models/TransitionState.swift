import LoupeGeometry

/// The zoom transition from one event to the next. Lengths of the mask are in the picture's own points, at scale 1.
struct TransitionState: Sendable {
    enum Phase: String, Sendable {
        case thumbnail, presenting, full, dismissing
    }

    enum Gesture: Sendable {
        case none
        /// From the picture's centre when it began.
        case pan(id: Int, center: Point)
        /// From the centroid to the picture's centre, at scale 1.
        case pinch(Pinch, toCenter: Vector)

        var name: String {
            switch self {
            case .none: "none"
            case .pan: "pan"
            case .pinch: "pinch"
            }
        }
    }

    var isFull = false
    /// When the way to where it is now has ended or will end; touches that begin before it do nothing.
    var arrival = -Double.infinity
    var gesture = Gesture.none

    var scale: AnimatedValue
    var centerX: AnimatedValue
    var centerY: AnimatedValue
    /// Of the background, 0…1; a spring may carry it beyond.
    var background = AnimatedValue(0)
    var maskWidth: AnimatedValue
    var maskHeight: AnimatedValue
    var maskRadius: AnimatedValue

    /// At the thumbnail.
    init(_ geometry: TransitionGeometry) {
        let scale = geometry.thumbnailScale
        self.scale = AnimatedValue(scale)
        centerX = AnimatedValue(geometry.thumbnail.center.x)
        centerY = AnimatedValue(geometry.thumbnail.center.y)
        maskWidth = AnimatedValue(geometry.thumbnail.width / scale)
        maskHeight = AnimatedValue(geometry.thumbnail.height / scale)
        maskRadius = AnimatedValue(geometry.corner.radius / scale)
    }

    func phase(at time: Double) -> Phase {
        if time < arrival { return isFull ? .presenting : .dismissing }
        return isFull ? .full : .thumbnail
    }

    func center(at time: Double) -> Point {
        Point(x: centerX.presentation(at: time), y: centerY.presentation(at: time))
    }

    var isZoomed: Bool { scale.model > 1 + 1e-9 }
}

// MARK: - Changes

extension TransitionState {
    mutating func place(_ center: Point, scale: Double) {
        self.scale.set(scale)
        centerX.set(center.x)
        centerY.set(center.y)
    }

    mutating func animate(to center: Point, scale: Double, at time: Double, duration: Double, timing: Timing) {
        self.scale.animate(to: scale, at: time, duration: duration, timing: timing)
        centerX.animate(to: center.x, at: time, duration: duration, timing: timing)
        centerY.animate(to: center.y, at: time, duration: duration, timing: timing)
    }

    /// Begins the way from the thumbnail to the full screen.
    mutating func present(_ geometry: TransitionGeometry, at time: Double) {
        isFull = true
        go(
            to: geometry.screen.center, scale: 1, background: 1, by: TransitionOptions.presentSpring, at: time)
        animateMask(width: geometry.width, height: geometry.height, radius: 0, at: time)
    }

    /// Begins the way back.
    mutating func dismiss(_ geometry: TransitionGeometry, at time: Double) {
        isFull = false
        let scale = geometry.thumbnailScale
        go(
            to: geometry.thumbnail.center, scale: scale, background: 0, by: TransitionOptions.dismissSpring, at: time)
        animateMask(
            width: geometry.thumbnail.width / scale, height: geometry.thumbnail.height / scale,
            radius: geometry.corner.radius / scale, at: time)
    }

    private mutating func go(
        to center: Point, scale: Double, background: Double, by spring: ResponseSpring, at time: Double
    ) {
        arrival = time + spring.duration
        animate(to: center, scale: scale, at: time, duration: spring.duration, timing: .spring(spring))
        self.background.animate(to: background, at: time, duration: spring.duration, timing: .spring(spring))
    }

    private mutating func animateMask(width: Double, height: Double, radius: Double, at time: Double) {
        let (duration, timing) = (TransitionOptions.maskDuration, Timing.curve(.linear))
        maskWidth.animate(to: width, at: time, duration: duration, timing: timing)
        maskHeight.animate(to: height, at: time, duration: duration, timing: timing)
        maskRadius.animate(to: radius, at: time, duration: duration, timing: timing)
    }
}
