import LoupeBase
import LoupeScene

/// The parts of a loupe picture for which differences are counted. `RegionMap` defines which pixel belongs to which.
public enum PictureRegion: String, Hashable, Sendable, CaseIterable {
    /// A loupe's rim with its feathered borders, or the feathered border of a loupe without a rim.
    case rim
    /// The straight part of a layer's outline, in the view that shows the pixel.
    case pageEdge = "page-edge"
    /// The curved part of a layer's outline, in the view that shows the pixel.
    case corner
    /// Anything else inside a loupe.
    case loupeInterior = "loupe-interior"
    /// Inside a layer and outside all loupes.
    case page
    /// Outside all layers and loupes, shadows included.
    case background
}

/// Maps each pixel of a scene's picture to its region.
///
/// Let q be the pixel's centre, and the loupe the topmost one that covers some of the pixel: q is less than ½ pixel
/// outside its border. The first of these that applies is the region:
/// - `rim`: q is less than rim width + ½ inside the loupe's border. The width is 0 for a loupe without a rim.
/// - `corner`, `page-edge`: in the view that shows the pixel (the loupe's, or else the base view), q is less than one
///   output pixel from a layer's outline, which is twice as far as its feather reaches. It is `corner` in the corner's
///   zone: the r×r square in which the outline curves, grown by half an output pixel (specification, section 7).
/// - `loupe-interior`: there is a loupe.
/// - `page`: q is inside a layer's outline.
/// - `background`: all other pixels.
///
/// All layers count, even if they are transparent or hidden by others.
public struct RegionMap: Sendable {
    /// Topmost first.
    private let loupes: [LoupeArea]
    private let base: OutlineView

    /// The regions of a scene's picture.
    public init(_ scene: Scene) {
        base = OutlineView(.base, of: scene)
        loupes = scene.loupes.indices.reversed().map { index in
            LoupeArea(scene.loupes[index], OutlineView(.loupe(index, of: scene), of: scene))
        }
    }

    /// The region of the pixel at a column and row of the canvas.
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

    /// A loupe and the layers in its view.
    private struct LoupeArea {
        let loupe: Loupe
        /// The border of a shaped loupe; nil for a disc.
        let outline: Outline?
        /// In canvas pixels.
        let rimWidth: Double
        let view: OutlineView

        init(_ loupe: Loupe, _ view: OutlineView) {
            self.loupe = loupe
            outline = loupe.outline
            rimWidth = loupe.rim?.width ?? 0
            self.view = view
        }

        /// The signed distance to the border in canvas pixels, positive inside.
        func depth(of pixel: Point) -> Double {
            outline?.signedDistance(to: pixel) ?? loupe.radius - pixel.distance(to: loupe.center)
        }
    }
}

/// The outlines of a scene's layers in one view, in output pixels.
private struct OutlineView: Sendable {
    private let outlines: [Outline]

    init(_ view: View, of scene: Scene) {
        outlines = scene.layers.reversed().map { $0.outline(in: view) }
    }

    /// `corner` or `page-edge` near a layer's outline, else `page` inside a layer, else nil.
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
    /// The distance from the outline within which a pixel's centre belongs to it, in output pixels.
    private static var reach: Double { 1 }

    /// `corner` or `page-edge` within reach of the outline, else `page` inside it, else nil.
    fileprivate func region(of pixel: Point) -> PictureRegion? {
        guard rect.minX - pixel.x < Self.reach, pixel.x - rect.maxX < Self.reach, rect.minY - pixel.y < Self.reach,
            pixel.y - rect.maxY < Self.reach
        else { return nil }
        let distance = signedDistance(to: pixel, within: Self.reach)
        guard abs(distance) < Self.reach else { return distance > 0 ? .page : nil }
        let isInCorner = CornerPosition.allCases.contains { position in
            let offset = offset(of: pixel, from: position)
            return min(offset.dx, offset.dy) > -0.5
        }
        return isInCorner ? .corner : .pageEdge
    }
}
