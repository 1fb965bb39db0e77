import LoupeGeometry
import LoupeScene

/// The sides over which fingers leave the screen and come back.
struct CanvasBorder: Hashable, Sendable {
    private let width: Double
    private let height: Double
    private let thresholds: LoupeThresholds

    init(_ canvas: Scene.Canvas, _ thresholds: LoupeThresholds) {
        width = Double(canvas.width)
        height = Double(canvas.height)
        self.thresholds = thresholds
    }

    /// Whether a place is so near to a side, or beyond it, that a finger may have come in there.
    func isNear(_ place: Point) -> Bool { sides(of: place).contains { $0.distance <= thresholds.borderReach } }

    /// Whether a finger seen last at a place leaves over a side.
    func isLeft(from place: Point, velocity: Vector) -> Bool {
        sides(of: place).contains { side in
            side.distance <= thresholds.borderReach && velocity.dot(side.outward) >= thresholds.leavingSpeed
        }
    }

    private func sides(of place: Point) -> [(distance: Double, outward: Vector)] {
        [
            (place.x, Vector(dx: -1, dy: 0)), (width - place.x, Vector(dx: 1, dy: 0)),
            (place.y, Vector(dx: 0, dy: -1)), (height - place.y, Vector(dx: 0, dy: 1)),
        ]
    }
}
