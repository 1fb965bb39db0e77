import LoupeGeometry
import LoupeScene

/// Tells which part of a scene's picture a pixel belongs to.
///
/// With q the pixel's centre, the first that holds:
/// - `rim`: for the topmost loupe that covers some of the pixel, q being less than ½ outside its border:
///   less than width + ½ inside it, the ring and both its feathers; width 0 where there is no rim.
/// - `corner`, `page-edge`: in the view that shows the pixel (that loupe's, else the base view), q is less than one
///   output pixel from a layer's outline, twice as far as its coverage reaches. It is a corner in the corner's zone:
///   the r×r square in which the outline curves, grown by half an output pixel (SPEC 7).
/// - `loupe-interior`: in that loupe.
/// - `page`: inside some layer's outline. `background`: the rest.
///
/// Every layer counts, whatever its opacity and whatever lies over it.
public struct RegionMap: Sendable {
    /// Topmost first.
    private let loupes: [Lens]
    private let base: OutlineView

    public init(_ scene: Scene) {
        base = OutlineView(.base, of: scene)
        loupes = scene.loupes.indices.reversed().map { index in
            Lens(scene.loupes[index], OutlineView(.loupe(index, of: scene), of: scene))
        }
    }

    public func region(column: Int, row: Int) -> PictureRegion {
        let pixel = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
        for loupe in loupes {
            let depth = loupe.depth(of: pixel)
            guard depth > -0.5 else { continue }
            if depth < loupe.rimWidth + 0.5 { return .rim }
            return loupe.view.outlineRegion(of: pixel).flatMap { $0 == .page ? nil : $0 } ?? .loupeInterior
        }
        return base.outlineRegion(of: pixel) ?? .background
    }

    private struct Lens {
        let loupe: Loupe
        let outline: Outline?
        let rimWidth: Double
        let view: OutlineView

        init(_ loupe: Loupe, _ view: OutlineView) {
            self.loupe = loupe
            outline = loupe.outline
            rimWidth = loupe.rim?.width ?? 0
            self.view = view
        }

        /// The distance to the border, positive inside.
        func depth(of pixel: Point) -> Double {
            outline?.signedDistance(to: pixel) ?? loupe.radius - pixel.distance(to: loupe.center)
        }
    }
}
