import LoupeGeometry
import LoupeScene

/// The outlines of a scene's layers as one view shows them, in output pixels.
struct OutlineView: Sendable {
    private let outlines: [Outline]

    init(_ view: View, of scene: Scene) {
        outlines = scene.layers.reversed().map { layer in
            Outline(
                rect: view.output(of: layer.bounds), radii: view.magnification * layer.corner.radii,
                exponent: layer.corner.exponent)
        }
    }

    /// `corner` or `page-edge` near the outline of a layer, else `page` inside one, else nothing.
    func outlineRegion(of pixel: Point) -> PictureRegion? {
        var isInside = false
        for outline in outlines {
            switch outline.region(of: pixel) {
            case .page: isInside = true
            case let edge?: return edge
            case nil: break
            }
        }
        return isInside ? .page : nil
    }
}

extension Outline {
    /// How near to the outline a pixel's centre belongs to it, in output pixels.
    private static var reach: Double { 1 }

    /// `corner` or `page-edge` within the reach of the outline, else `page` inside it, else nothing.
    fileprivate func region(of pixel: Point) -> PictureRegion? {
        guard rect.minX - pixel.x < Self.reach, pixel.x - rect.maxX < Self.reach, rect.minY - pixel.y < Self.reach,
            pixel.y - rect.maxY < Self.reach
        else { return nil }
        let distance = signedDistance(to: pixel, within: Self.reach)
        guard abs(distance) < Self.reach else { return distance > 0 ? .page : nil }
        let isInCorner = CornerPosition.allCases.contains { place in
            let offset = offset(of: pixel, from: place)
            return min(offset.dx, offset.dy) > -0.5
        }
        return isInCorner ? .corner : .pageEdge
    }
}
