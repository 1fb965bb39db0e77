import LoupeGeometry
import LoupeScene

/// The outlines of a scene's layers as one view shows them, in output pixels.
struct OutlineView: Sendable {
    private let outlines: [Outline]

    init(_ view: View, of scene: Scene) {
        outlines = scene.layers.reversed().map { layer in
            Outline(
                rect: view.output(of: layer.rect), radius: layer.corner.radius * view.magnification,
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
        let center = rect.center
        let offset = Vector(
            dx: abs(pixel.x - center.x) - (rect.width / 2 - corner.radius),
            dy: abs(pixel.y - center.y) - (rect.height / 2 - corner.radius))
        guard max(offset.dx, offset.dy) < corner.radius + Self.reach else { return nil }
        let distance = corner.signedDistance(to: offset, within: Self.reach)
        guard abs(distance) < Self.reach else { return distance > 0 ? .page : nil }
        return min(offset.dx, offset.dy) > -0.5 ? .corner : .pageEdge
    }
}
