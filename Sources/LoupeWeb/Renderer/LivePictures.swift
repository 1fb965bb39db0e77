import LoupeBase
import LoupePlan

/// The pictures of a page, by their numbers in the page's data, and what they stand for.
package struct LivePictures {
    /// The size of each, to which the browser has decoded it.
    package var sizes: [ImageSize]
    /// The pictures that the scene's layers show: all of an image, or all of a vector picture in many pixels.
    package var images: [(path: ImagePath, number: Int, kept: Int)]
    /// Vector pictures as librsvg drew them for the opening frame's views.
    package var drawings: [(path: ImagePath, block: DrawnBlock, number: Int)]
    /// The texts of the opening frame.
    package var texts: [LiveText]
    /// Texts that may come up while a figure is edited.
    package var alphabet: [SpareText] = []

    /// All pictures of a page.
    package init(
        sizes: [ImageSize], images: [(path: ImagePath, number: Int, kept: Int)],
        drawings: [(path: ImagePath, block: DrawnBlock, number: Int)], texts: [LiveText]
    ) {
        (self.sizes, self.images, self.drawings, self.texts) = (sizes, images, drawings, texts)
    }
}

/// A text as Pango drew it for the opening frame, and the same on a canvas that is `LiveText.fineScale` times as large.
package struct LiveText {
    /// How many times larger the finer picture's canvas is.
    package static let fineScale = 2.0

    /// The text in the plan of the opening frame.
    package let run: TextRun
    /// The number of its picture, and the canvas pixel of that picture's first pixel.
    package let number, x, y: Int
    /// The number of the finer picture.
    package let fineNumber: Int
    /// Where the finer picture's corner lies from the text's anchor, in pixels of that picture.
    package let fineOffset: Vector

    /// A text in both sizes.
    package init(run: TextRun, number: Int, x: Int, y: Int, fineNumber: Int, fineOffset: Vector) {
        (self.run, self.number, self.x, self.y) = (run, number, x, y)
        (self.fineNumber, self.fineOffset) = (fineNumber, fineOffset)
    }

    /// Whether this is the picture of a plan's text.
    func shows(_ other: TextRun) -> Bool { run.text.utf8.elementsEqual(other.text.utf8) }
}

/// A text that no place is known for.
package struct SpareText {
    /// One line.
    package let text: String
    /// The weight of its letters.
    package let weight: Int
    /// Red, green, blue and alpha.
    package let color: SIMD4<UInt8>
    /// The width and height of the text's box, in canvas pixels.
    package let box: Vector
    /// The number of the picture.
    package let number: Int
    /// How many times as large as the text the picture is.
    package let scale: Double
    /// Where the picture's corner lies from the upper left corner of the text's box, in pixels of the picture.
    package let offset: Vector

    /// A text and its picture.
    package init(
        text: String, weight: Int, color: SIMD4<UInt8>, box: Vector, number: Int, scale: Double, offset: Vector
    ) {
        (self.text, self.weight, self.color, self.box) = (text, weight, color, box)
        (self.number, self.scale, self.offset) = (number, scale, offset)
    }

    /// Whether this is the picture of a plan's text.
    func shows(_ run: TextRun) -> Bool {
        run.looks(weight: weight, color: color) && run.text.utf8.elementsEqual(text.utf8)
    }
}
