import LoupeGeometry
import LoupeJSON
import LoupeScene

/// Values as `MotionFrame.states` writes them.
extension JSONValue {
    static func point(_ point: Point) -> JSONValue { [.number(point.x), .number(point.y)] }
    static func vector(_ vector: Vector) -> JSONValue { [.number(vector.dx), .number(vector.dy)] }

    static func rect(_ rect: Rect) -> JSONValue {
        [.number(rect.x), .number(rect.y), .number(rect.width), .number(rect.height)]
    }
}

extension Double {
    /// As error sentences quote it: `1`, not `1.0`.
    var text: String { JSONValue.number(self).line }
}
