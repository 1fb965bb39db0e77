import LoupeGeometry
import LoupeMotion
import LoupeScene

/// Where the touches of a trace are, as discs over everything, loupes too.
enum TouchMarks {
    private static let radius = 22.0
    private static let color = Color(red: 20, green: 110, blue: 240, alpha: 110)
    /// Left of and above every canvas.
    private static let outOfSight = Point(x: -100_000, y: -100_000)

    /// A layer would be magnified by the loupes over it. So each disc is the sharp shadow of a loupe out of sight.
    static func discs(of trace: Trace, at time: Double) -> [Loupe] {
        places(of: trace, at: time).map { place in
            Loupe(
                center: outOfSight, radius: radius, zoom: 1,
                shadow: Loupe.Shadow(offset: place - outOfSight, blur: 0, color: color))
        }
    }

    private static func places(of trace: Trace, at time: Double) -> [Point] {
        var down: [Int: Point] = [:]
        for event in trace.events where event.time <= time {
            guard case .touch(let touch) = event.content else { continue }
            switch touch.phase {
            case .began, .moved: down[touch.id] = touch.place
            case .ended, .cancelled: down[touch.id] = nil
            }
        }
        return down.sorted { $0.key < $1.key }.map(\.value)
    }
}
