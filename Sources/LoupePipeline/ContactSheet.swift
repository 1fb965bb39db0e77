import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeRenderer
import LoupeScene

/// Frames side by side in one PNG. Each is drawn at its small size, not shrunk afterwards.
public final class ContactSheet: FrameOutput {
    private let columns: Int
    private let rows: Int
    private let options: PNGOptions
    private let write: ([UInt8]) throws -> Void
    private var sheet: Image?
    private var placed = 0

    /// The room between the frames and around them, in pixels.
    private static let gap = 8
    /// The width of a sheet, in pixels; a sheet of frames at full size may be narrower.
    private static let widest = 1920

    /// - Parameters:
    ///   - columns: frames side by side.
    ///   - rows: frames one below another.
    ///   - write: writes the PNG's bytes.
    public init(columns: Int, rows: Int, options: PNGOptions, write: @escaping ([UInt8]) throws -> Void) {
        (self.columns, self.rows, self.options, self.write) = (columns, rows, options, write)
    }

    /// The factor that scales a scene to its part of the sheet, at most 1.
    public func scale(of canvas: Scene.Canvas) -> Double {
        let room = Double(Self.widest - Self.gap * (columns + 1)) / Double(columns)
        return min(1, room / Double(canvas.width))
    }

    /// - Throws: `RenderError.outOfMemory` where the sheet is too large.
    public func take(_ frame: FrameSequence.Frame, number: Int) throws {
        let image = frame.image
        let (width, height) = (image.width + Self.gap, image.height + Self.gap)
        var page = try sheet ?? Self.blank(width: columns * width + Self.gap, height: rows * height + Self.gap)
        let (left, top) = (Self.gap + placed % columns * width, Self.gap + placed / columns * height)
        page.replaceBlock(x: left, y: top, with: image)
        sheet = page
        placed += 1
    }

    public func finish() throws {
        guard let sheet else { return }
        try write(PNG.encode(sheet, options: options))
    }

    private static func blank(width: Int, height: Int) throws -> Image {
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 4) else {
            throw RenderError.outOfMemory(width: width, height: height)
        }
        let pixels = [UInt8](unsafeUninitializedCapacity: width * height * 4) { pixels, count in
            count = width * height * 4
            for index in 0..<count { pixels[index] = index % 4 == 3 ? 255 : 242 }
        }
        return Image(width: width, height: height, pixels: pixels)
    }
}

extension Scene {
    /// The same picture on a canvas of another size.
    public func scaled(by factor: Double) -> Scene {
        guard factor != 1 else { return self }
        var scene = self
        scene.canvas.width = max(1, Int((Double(canvas.width) * factor).rounded()))
        scene.canvas.height = max(1, Int((Double(canvas.height) * factor).rounded()))
        func scaled(_ p: Point) -> Point { Point(x: p.x * factor, y: p.y * factor) }
        func scaled(_ r: Rect) -> Rect {
            Rect(x: r.x * factor, y: r.y * factor, width: r.width * factor, height: r.height * factor)
        }
        for index in layers.indices {
            scene.layers[index].rect = scaled(layers[index].rect)
            scene.layers[index].crop = layers[index].crop.map(scaled)
            scene.layers[index].corner.radii = factor * layers[index].corner.radii
            for number in layers[index].strokes.indices {
                let stroke = layers[index].strokes[number]
                scene.layers[index].strokes[number].points = stroke.points.map(scaled)
                scene.layers[index].strokes[number].width *= factor
            }
        }
        for index in loupes.indices {
            let loupe = loupes[index]
            scene.loupes[index].center = scaled(loupe.center)
            scene.loupes[index].focus = scaled(loupe.focus)
            scene.loupes[index].radius *= factor
            scene.loupes[index].rim?.width *= factor
            scene.loupes[index].split?.divider?.width *= factor
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
