import LoupeGeometry

/// The tilting panner from one event to the next.
struct TiltState: Sendable {
    enum Mode: String, Sendable {
        /// The photo is wider than the canvas and moves with the device.
        case panning
        /// The whole photo is in sight.
        case full
    }

    enum Gesture: Sendable {
        case none
        case drag(id: Int, offset: Double)
        /// The place in the photo that stays under the fingers, as a part of its width.
        case pinch(Pinch, anchor: Double)

        var name: String {
            switch self {
            case .none: "none"
            case .drag: "drag"
            case .pinch: "pinch"
            }
        }
    }

    var mode = Mode.panning
    /// The photo's width, in widths of the canvas.
    var zoom: AnimatedValue
    /// What of the photo lies left of the canvas, in points.
    var offset: AnimatedValue
    /// From when on rotation moves the photo, in seconds; infinite while it does not.
    var motionStart = -Double.infinity
    var gesture = Gesture.none

    func isMotionOn(at time: Double) -> Bool {
        guard case .none = gesture else { return false }
        return time >= motionStart
    }
}
