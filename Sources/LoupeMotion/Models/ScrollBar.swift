import LoupeGeometry
import LoupeScene

/// The tilting panner's bar: which part of the photo is in sight.
struct ScrollBar: Hashable {
    /// Where the sight is between its two ends, 0…1.
    let position: Double
    /// The part in sight, over 0 up to 1.
    let length: Double
    private let canvas: Scene.Canvas

    /// Of each end from the canvas's side, in points.
    private static let margin = 10.0
    /// Of the line from the canvas's bottom, in points.
    private static let bottom = 50.0
    private static let thickness = 1.0
    private static let trackOpacity = 0.1

    /// - Parameters:
    ///   - offset: What of the content lies left of the canvas, in points.
    ///   - contentWidth: In points.
    init(offset: Double, contentWidth: Double, canvas: Scene.Canvas) {
        let width = Double(canvas.width)
        let range = contentWidth - width
        position = range > 0 ? (offset / range).clamped(to: 0...1) : 0
        length = range > 0 ? width / contentWidth : 1
        self.canvas = canvas
    }

    /// The bright stroke's ends along the line, in points.
    var stroke: ClosedRange<Double> {
        let start = position * (1 - length)
        return (Self.margin + lineLength * start)...(Self.margin + lineLength * (start + length))
    }

    private var lineLength: Double { max(0, Double(canvas.width) - 2 * Self.margin) }

    /// The track and the stroke on it; none where the canvas has no room.
    var layers: [Layer] {
        guard lineLength > 0 else { return [] }
        let line = Self.margin...(Self.margin + lineLength)
        return [layer(line, opacity: Self.trackOpacity), layer(stroke, opacity: 1)]
    }

    private func layer(_ line: ClosedRange<Double>, opacity: Double) -> Layer {
        let y = Double(canvas.height) - Self.bottom
        return Layer(
            content: .fill(Color(red: 255, green: 255, blue: 255)),
            rect: Rect(
                x: line.lowerBound, y: y - Self.thickness / 2, width: line.upperBound - line.lowerBound,
                height: Self.thickness),
            opacity: opacity)
    }
}
