import LoupeGeometry

/// What most tests of the loupe begin with.
extension GestureScript {
    static let center = Point(x: 500, y: 400)

    /// A loupe at (500, 400) of radius 110, in one finger, "right", at (590, 400).
    static func held(seed: UInt64 = 0, jitter: Double = 0) -> GestureScript {
        var hand = GestureScript(seed: seed, jitter: jitter)
        hand.pinch(at: center, by: 120, in: 0.3)
        hand.lift("left")
        hand.wait(0.1)
        return hand
    }

    /// Strokes within the loupe, one after the other.
    mutating func draw(_ count: Int) {
        for index in 0..<count {
            put("pen", at: Point(x: 440, y: 360 + 10 * Double(index)))
            move("pen", to: Point(x: 520, y: 360 + 10 * Double(index)), in: 0.1)
            lift("pen")
            wait(0.3)
        }
    }

    /// Places of two adjoining touches on the loupe of `held`.
    enum Place: CaseIterable {
        case inside, edge, outside

        /// - Parameter x: −1 for the left one, 1 for the right one.
        func point(_ x: Double) -> Point {
            switch self {
            case .inside: center + Vector(dx: 30 * x, dy: -50)
            case .edge: center + Vector(dx: 30 * x, dy: -105.83)
            case .outside: center + Vector(dx: 30 * x, dy: -180)
            }
        }
    }
}
