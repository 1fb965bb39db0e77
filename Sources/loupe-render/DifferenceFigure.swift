import LoupeCompare
import LoupeCompose
import LoupeImaging
import LoupePipeline
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A figure for people who review a change: the reference, and beside it what changed, as it should be and as it is.
struct DifferenceFigure {
    /// How many places it shows at most.
    private static let mostPlaces = 4

    private let figure: CropsFigure
    private let reference: Path

    /// - Throws: the sentence why there is none.
    init(_ difference: Difference, reference: Path, actual: Path) throws(Missing) {
        guard difference.referenceSize == difference.actualSize else {
            throw Missing(why: "the sizes differ: \(difference.referenceSize) → \(difference.actualSize)")
        }
        guard let areas = difference.changedAreas(atMost: Self.mostPlaces) else {
            throw Missing(why: "the pictures differ nearly everywhere")
        }
        guard !areas.isEmpty else { throw Missing(why: "no pixel differs") }
        let counts = areas.map { [Double(difference.differingPixels(in: $0))] }
        self.reference = reference
        var figure = CropsFigure(
            size: difference.referenceSize,
            subjects: [("Expected", reference), ("Actual", actual)].map { name, path in
                CropsFigure.Subject(name: name, image: ImagePath(bytes: path.bytes))
            }, regions: areas,
            measures: [
                CropsFigure.Measure(
                    title: "Differing pixels", isHigherBetter: false, decimals: 0,
                    whole: [Double(difference.differingPixels)], regions: counts)
            ])
        // For a screen, on which text may be smaller than on paper.
        figure.paperWidth = 10
        self.figure = figure
    }

    /// Why there is no figure.
    struct Missing: Error {
        let why: String
    }

    /// Draws it into a PNG. Where no device works, the reference renderer draws.
    func write(to output: OutputPath) throws {
        var settings = RenderJob.Settings()
        settings.options.isDescribed = false
        let job = try RenderJob(reference, to: output.path, GivenOptions(), settings)
        let scene = try figure.scene()
        let pipeline = Pipeline(fallback: { _ in }, starting: { try Renderer() })
        _ = try job.draw(since: .now, reading: { SceneFile(scene) }, on: { pipeline })
    }
}
