import LoupeBase
import LoupeImaging
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// Frames side by side in one PNG. Each is drawn at its small size, not shrunk afterwards.
final class ContactSheet: FrameOutput {
    private let columns: Int
    private let rows: Int
    private let write: ([UInt8]) throws -> Void
    private(set) var sheet: Image?
    private var placed = 0

    /// The room between the frames and around them, in pixels.
    private static let gap = 8
    /// The width of a sheet, in pixels; a sheet of frames at full size may be narrower.
    private static let widest = 1920

    /// - Parameters:
    ///   - columns: frames side by side.
    ///   - rows: frames one below another.
    ///   - write: writes the PNG's bytes.
    init(columns: Int, rows: Int, write: @escaping ([UInt8]) throws -> Void) {
        (self.columns, self.rows, self.write) = (columns, rows, write)
    }

    /// The factor that scales a scene to its part of the sheet, at most 1.
    func scale(of canvas: Scene.Canvas) -> Double {
        let room = Double(Self.widest - Self.gap * (columns + 1)) / Double(columns)
        return min(1, room / Double(canvas.width))
    }

    /// - Throws: `RenderError.outOfMemory` where the sheet is too large.
    func take(_ frame: FrameSequence.Frame, number: Int) throws {
        let image = frame.image
        let (width, height) = (image.width + Self.gap, image.height + Self.gap)
        var page = try sheet ?? Self.blank(width: columns * width + Self.gap, height: rows * height + Self.gap)
        let (left, top) = (Self.gap + placed % columns * width, Self.gap + placed / columns * height)
        page.replaceBlock(x: left, y: top, with: image)
        sheet = page
        placed += 1
    }

    func finish() throws {
        guard let sheet else { return }
        try write(PNG.encode(sheet))
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
