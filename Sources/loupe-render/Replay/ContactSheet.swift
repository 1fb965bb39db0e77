import LoupeGeometry
import LoupeImaging
import LoupeRenderer
import LoupeScene

/// Frames side by side in one PNG, drawn at their small size rather than shrunk.
final class ContactSheet: FrameOutput {
    let columns: Int
    let rows: Int
    private let output: Output
    private let options: PNGOptions
    private var sheet: Image?
    private var placed = 0

    /// Between the frames and around them, in pixels.
    private static let gap = 8
    /// The widest sheet, in pixels, unless a frame of full size is narrower.
    private static let widest = 1920

    init(columns: Int, rows: Int, to output: Output, options: PNGOptions) {
        self.columns = columns
        self.rows = rows
        self.output = output
        self.options = options
    }

    /// By how much a scene is scaled to fit its place.
    func scale(of canvas: Scene.Canvas) -> Double {
        let room = Double(Self.widest - Self.gap * (columns + 1)) / Double(columns)
        return min(1, room / Double(canvas.width))
    }

    func take(_ frame: FrameSequence.Frame, number: Int) {
        let image = frame.image
        let (width, height) = (image.width + Self.gap, image.height + Self.gap)
        var page = sheet ?? Self.blank(width: columns * width + Self.gap, height: rows * height + Self.gap)
        let (left, top) = (Self.gap + placed % columns * width, Self.gap + placed / columns * height)
        page.replaceBlock(x: left, y: top, with: image)
        sheet = page
        placed += 1
    }

    func finish() throws {
        guard let sheet else { return }
        try output.write(PNG.encode(sheet, options: options))
    }

    private static func blank(width: Int, height: Int) -> Image {
        Image(
            width: width, height: height,
            pixels: Array(repeatElement([242, 242, 242, 255], count: width * height).joined()))
    }
}

extension Scene {
    /// The same picture on a canvas of another size.
    func scaled(by factor: Double) -> Scene {
        guard factor != 1 else { return self }
        var scene = self
        scene.canvas.width = max(1, Int((Double(canvas.width) * factor).rounded()))
        scene.canvas.height = max(1, Int((Double(canvas.height) * factor).rounded()))
        func place(_ p: Point) -> Point { Point(x: p.x * factor, y: p.y * factor) }
        func place(_ r: Rect) -> Rect {
            Rect(x: r.x * factor, y: r.y * factor, width: r.width * factor, height: r.height * factor)
        }
        for index in layers.indices {
            scene.layers[index].rect = place(layers[index].rect)
            scene.layers[index].crop = layers[index].crop.map(place)
            scene.layers[index].corner.radii = factor * layers[index].corner.radii
            for number in layers[index].strokes.indices {
                let stroke = layers[index].strokes[number]
                scene.layers[index].strokes[number].points = stroke.points.map(place)
                scene.layers[index].strokes[number].width *= factor
            }
        }
        for index in loupes.indices {
            let loupe = loupes[index]
            scene.loupes[index].center = place(loupe.center)
            scene.loupes[index].focus = place(loupe.focus)
            scene.loupes[index].radius *= factor
            scene.loupes[index].rim?.width *= factor
            scene.loupes[index].versus?.divider?.width *= factor
            scene.loupes[index].mark?.width *= factor
            scene.loupes[index].callout = loupe.callout?.scaled(by: factor)
            scene.loupes[index].shadow?.blur *= factor
            if let offset = loupe.shadow?.offset { scene.loupes[index].shadow?.offset = factor * offset }
        }
        return scene
    }
}

extension Callout {
    fileprivate func scaled(by factor: Double) -> Callout {
        Callout(
            ring: ring.map { Ring(width: $0.width * factor, color: $0.color) },
            connector: connector.map { connector in
                let width = connector.shape.width ?? Connector.defaultWidth
                return Connector(connector.shape.style.shape(width: width * factor), color: connector.color)
            })
    }
}
