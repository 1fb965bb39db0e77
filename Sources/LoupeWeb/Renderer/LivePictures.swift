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
