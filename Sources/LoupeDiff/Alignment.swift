import LoupeGeometry
import LoupeImaging

/// Where a picture of another size lies on its reference.
struct Alignment: Hashable {
    /// The actual picture's top left corner, in pixels of the reference.
    let x: Int
    let y: Int

    /// How far the search goes on from the best candidate, in pixels.
    private static let mostSteps = 16

    /// The place where the two differ least: at one of the corners, in the middle, or where phase correlation finds it. The
    /// top left corner is kept where no other is better.
    init(of actual: PixelGrid, on reference: PixelGrid) {
        let (a, b) = (LumaPlane(reference), LumaPlane(actual))
        let (right, bottom) = (a.width - b.width, a.height - b.height)
        var candidates = [(0, 0), (right, 0), (0, bottom), (right, bottom), (right / 2, bottom / 2)]
        let (width, height) = (min(a.width, b.width, 1024), min(a.height, b.height, 1024))
        if width >= 8, height >= 8 {
            let peak = PhaseCorrelation.peak(a, b, in: PixelRect(width: width, height: height))
            candidates.append((-peak.x, -peak.y))
        }
        var best = (offset: candidates[0], distance: Double.infinity)
        func consider(_ offset: (Int, Int)) -> Bool {
            let shared = PixelRect(
                minX: offset.0, minY: offset.1, maxX: offset.0 + b.width, maxY: offset.1 + b.height
            ).intersection(PixelRect(width: a.width, height: a.height))
            // Two pictures always agree where they hardly overlap.
            guard 2 * shared.width >= width, 2 * shared.height >= height else { return false }
            let distance = a.distance(to: b, shiftedBy: (-Double(offset.0), -Double(offset.1)))
            guard distance < best.distance else { return false }
            best = (offset, distance)
            return true
        }
        for offset in candidates { _ = consider(offset) }
        // Smooth pictures have a broad peak of correlation; the best offset is near.
        for _ in 0..<Self.mostSteps where best.distance > 0 && best.distance < .infinity {
            let (x, y) = best.offset
            let isBetter = [(-1, 0), (1, 0), (0, -1), (0, 1)].filter { consider((x + $0.0, y + $0.1)) }
            if isBetter.isEmpty { break }
        }
        (x, y) = best.offset
    }
}
