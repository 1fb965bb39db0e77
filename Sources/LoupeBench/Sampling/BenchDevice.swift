import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// The renderer that is timed, and the page that it shows. Errors are the renderer's.
final class BenchDevice {
    let renderer: Renderer
    private var loaded: (size: ImageSize, traits: ImageTraits)?

    /// - Parameter renderer: its context is held by this thread.
    init(_ renderer: Renderer) { self.renderer = renderer }

    /// A sampler for this device. A batch is so long that the cost of starting and waiting is negligible.
    /// - Parameter batch: nanoseconds; nil takes the usual length.
    func sampler(batch: Double? = nil) -> Sampler {
        let renderer = renderer
        return Sampler(batch: batch ?? (renderer.device.isSoftware ? 50e6 : 10e6)) {
            try renderer.finish()
            // Some drivers return from glFinish too early, but none can hand out a pixel that is not drawn.
            try renderer.readPixel()
        }
    }

    /// Uploads the page in a size in pixels, unless it has been uploaded.
    func loadPage(_ size: ImageSize) throws -> ImageTraits {
        if let loaded, loaded.size == size { return loaded.traits }
        let image = BenchPage.picture(width: size.width, height: size.height)
        let traits = ImageTraits(size: image.size, isOpaque: image.isOpaque)
        try renderer.load([BenchPage.path: image])
        loaded = (size, traits)
        return traits
    }
}

/// The tolerance within which two pictures count as equal (specification, section 9): no pixel differs by more than 2
/// of 255, and at most 0.1 % of the pixels differ by more than 1.
enum PictureTolerance {
    /// How many pixels are over the tolerance; 0 if the pictures are equal within it.
    static func pixelsOver(_ a: Image, _ b: Image) -> Int {
        guard a.width == b.width, a.height == b.height else { return max(a.width * a.height, b.width * b.height) }
        var (overOne, overTwo) = (0, 0)
        a.pixels.withUnsafeBytes { a in
            b.pixels.withUnsafeBytes { b in
                // Whole pixels are compared first, as nearly all are equal.
                for (index, (one, other)) in zip(a.bindMemory(to: UInt32.self), b.bindMemory(to: UInt32.self))
                    .enumerated()
                where one != other {
                    let most = (4 * index..<4 * index + 4).reduce(0) { max($0, abs(Int(a[$1]) - Int(b[$1]))) }
                    if most > 1 { overOne += 1 }
                    if most > 2 { overTwo += 1 }
                }
            }
        }
        if overTwo > 0 { return overTwo }
        return overOne * 1000 > a.width * a.height ? overOne : 0
    }
}
