import Glibc
import LoupeGeometry
import LoupeScene

/// Paints the other half of a split loupe over the first one, and the divider over both.
struct OtherHalf {
    private let view: ViewPainter
    private let center: Point
    /// Of the border between the halves, clockwise from the vertical.
    private let radians: Double
    private let width: Double
    private let line: Pixel

    init(_ split: Loupe.Split, about center: Point, view: ViewPainter, codec: PixelCodec) {
        self.view = view
        self.center = center
        radians = split.angle / 180 * .pi
        width = split.divider?.width ?? 0
        line = split.divider.map { codec.pixel($0.color) } ?? .zero
    }

    /// The scene as the other half shows it.
    static func scene(_ scene: Scene, showing split: Loupe.Split) -> Scene {
        var other = scene
        for index in scene.layers.indices {
            if case .image = scene.layers[index].content {
                other.layers[index].content = .image(path: split.image)
                break
            }
        }
        return other
    }

    /// - Parameter pixels: One for each column of `span`.
    func paint(over pixels: inout [Pixel], span: Range<Int>, row y: Int) {
        let others = view.pixels(row: y, span: span)
        for (index, x) in span.enumerated() {
            // How far beyond the border of the halves.
            let (dx, dy) = (Double(x) + 0.5 - center.x, Double(y) + 0.5 - center.y)
            let beyond = dx * cos(radians) + dy * sin(radians)
            let share = coverage(ofDistance: beyond)
            let split = pixels[index] * (1 - share) + others[index] * share
            // The part of a pixel's width, across the line, that the line takes.
            let (start, end) = (max(beyond - 0.5, -width / 2), min(beyond + 0.5, width / 2))
            pixels[index] = (line * max(end - start, 0)).sourceOver(split)
        }
    }
}
