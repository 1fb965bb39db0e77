import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeScene

extension UnsafeRawBufferPointer {
    /// The straight RGBA of four bytes.
    func color(at index: Int) -> Color {
        Color(red: self[index], green: self[index + 1], blue: self[index + 2], alpha: self[index + 3])
    }
}

extension Image {
    /// The tone of a page.
    func tone(over background: Color) -> PageTone { PageTone(of: size, pixels: pixels, over: background) }

    /// The boxes of a page's words.
    var words: [Rect] { WordBoxes.found(width: width, height: height, pixels: pixels) }

    /// The contrast of a page.
    func contrast(over background: Color) -> ContrastGrid {
        ContrastGrid(width: width, height: height, pixels: pixels, over: background)
    }
}
