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
            let found = PhaseCorrelation(a, b, in: PixelRect(width: width, height: height)).shift
            candidates.append((-Int(found.x.rounded()), -Int(found.y.rounded())))
        }
        var best = (place: candidates[0], distance: Double.infinity)
        func consider(_ place: (Int, Int)) -> Bool {
            let shared = PixelRect(
                minX: place.0, minY: place.1, maxX: place.0 + b.width, maxY: place.1 + b.height
            ).intersection(PixelRect(width: a.width, height: a.height))
            // Two pictures always agree where they hardly overlap.
            guard 2 * shared.width >= width, 2 * shared.height >= height else { return false }
            let distance = a.distance(to: b, shiftedBy: (-Double(place.0), -Double(place.1)))
            guard distance < best.distance else { return false }
            best = (place, distance)
            return true
        }
        for place in candidates { _ = consider(place) }
        // Smooth pictures have a broad peak of correlation; the best place lies near.
        for _ in 0..<Self.mostSteps where best.distance > 0 && best.distance < .infinity {
            let (x, y) = best.place
            let isBetter = [(-1, 0), (1, 0), (0, -1), (0, 1)].filter { consider((x + $0.0, y + $0.1)) }
            if isBetter.isEmpty { break }
        }
        (x, y) = best.place
    }
}
