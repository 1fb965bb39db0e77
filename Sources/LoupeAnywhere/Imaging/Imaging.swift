// What the reference renderer and the comparison need of `LoupeImaging` beside `Image`, in a module of WebAssembly. It draws
// neither vectors nor text: a vector document has no values there, and the engine refuses scenes with text.
import LoupeBase

/// A document of vectors, of which the module has none.
public enum VectorDocument: Equatable, Sendable {
    package func scalingStrokes(by factor: Double) -> VectorDocument { switch self {} }
    package func draw(_ place: DrawingPlace) -> Image { switch self {} }
    func draw(scaledBy scale: Double) -> Image { switch self {} }
}

/// An error of drawing an image, of which there is none here: only vectors can fail.
public enum ImageError: Error {}

/// The position of a drawn document.
package struct DrawingPlace {
    package init(x: Double, y: Double, width: Double, height: Double, columns: Range<Int>, rows: Range<Int>) {}
}

/// A value that one thread uses.
final class Mutex<Value>: @unchecked Sendable {
    private var value: Value
    init(_ value: Value) { self.value = value }
    func withLock<Result>(_ body: (inout Value) -> Result) -> Result { body(&value) }
}

/// A drawn text: straight sRGB, and the pixels of the canvas that it covers.
package typealias DrawnText = (image: Image, block: PixelRect)

/// A text with its look and place.
package struct TextRequest {
    package typealias Paint = SIMD4<UInt8>
    package init(
        text: String, family: String, size: Double, weight: Int, color: Paint, halo: (width: Double, color: Paint)?,
        anchor: Point, align: Vector
    ) {}
}

/// Draws no text.
package enum TextDrawing {
    package static func draw(_ request: TextRequest, on canvas: PixelRect) -> DrawnText? {
        preconditionFailure("scenes with text are refused before they are drawn")
    }
}
