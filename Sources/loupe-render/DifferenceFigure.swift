import LoupeCompare
import LoupePipeline
import LoupeRenderer

extension DifferenceFigure {
    /// The figure as a PNG. Where no device works, the reference renderer draws.
    func png() throws -> [UInt8] {
        let pipeline = Pipeline(fallback: { _ in }, starting: { try Renderer() })
        return try pipeline.render(scene, images: images).png(for: nil)
    }
}
