import LoupeBase
import LoupeImaging
import LoupeScene

/// A figure for people who review a change: the picture as it should be, and beside it what changed, as it should be and as
/// it is.
package struct DifferenceFigure: Sendable {
    /// The figure, to be drawn.
    package let scene: Scene
    /// The images that it shows.
    package let images: [ImagePath: Image]

    init(_ change: ChangedAreas, expected: Image, actual: Image) throws(CropsFigure.TooLarge) {
        images = ["expected": expected, "actual": actual]
        var figure = CropsFigure(
            size: expected.size,
            subjects: [
                CropsFigure.Subject(name: "Expected", image: "expected"),
                CropsFigure.Subject(name: "Actual", image: "actual"),
            ], regions: change.areas.map { $0.bounds },
            measures: [
                CropsFigure.Measure(
                    name: "pixels", title: "Differing pixels", isHigherBetter: false, decimals: 0,
                    whole: [Double(change.differingPixels)],
                    regions: change.areas.map { [Double($0.differingPixels)] })
            ])
        // For a screen, on which text may be smaller than on paper.
        figure.paperWidth = 10
        scene = try figure.scene()
    }

    /// The figure of a comparison of two pictures.
    /// - Throws: ``Missing``, where there is none.
    package init(_ difference: Difference, expected: Image, actual: Image) throws {
        guard difference.referenceSize == difference.actualSize else {
            throw Missing(why: "the sizes differ: \(difference.referenceSize) → \(difference.actualSize)")
        }
        guard difference.differingPixels > 0 else { throw Missing(why: "no pixel differs") }
        guard let change = difference.change else { throw Missing(why: "what differs lies all over the picture") }
        try self.init(change, expected: expected, actual: actual)
    }

    /// Why there is no figure.
    package struct Missing: Error {
        /// A clause of a sentence.
        package let why: String
    }
}

extension CaseResult {
    /// A figure of what changed; nil where the result has no pictures, or where nothing differs, or what does lies all over them.
    package func figure() throws -> DifferenceFigure? {
        guard let change, let expected = pictures?.reference, let actual = pictures?.actual else { return nil }
        func image(_ text: String) throws(ImageError) -> Image {
            try PNG.decode(Base64.decode(text), name: scene.description)
        }
        let images = (expected: try image(expected), actual: try image(actual))
        // Results may have been written by anybody.
        let whole = PixelRect(width: images.expected.width, height: images.expected.height)
        guard images.expected.size == images.actual.size, !change.areas.isEmpty,
            change.areas.allSatisfy({ !$0.bounds.isEmpty && $0.bounds.intersection(whole) == $0.bounds })
        else { return nil }
        return try DifferenceFigure(change, expected: images.expected, actual: images.actual)
    }
}
