import Glibc
import LoupeGeometry
import LoupeScene

/// The scene of a group of cases but for the loupe: a page with rounded corners at the canvas's lower right, and as
/// much room above it and to its left as the loupe needs to leave the page without leaving the canvas.
public struct Stage: Hashable, Sendable {
    public let canvas: Scene.Canvas
    /// The page on the canvas; its image is as large, so that it is shown unscaled.
    public let page: Rect
    public let setting: Setting

    /// Of the page's corners; the radius in canvas pixels.
    static let corner = Corner(radius: 60, exponent: 4)

    /// - Parameters:
    ///   - size: the canvas; nil makes it as large as the page and the loupe beside it need.
    ///   - page: the size of the page's image; nil takes what the canvas has room for, or ``BenchPage``'s own size.
    /// - Returns: nil where the canvas has no room for the page and the loupe beside it.
    public init?(_ setting: Setting, canvas size: ImageSize? = nil, page: ImageSize? = nil) {
        let room = Int((setting.radius + Journey.reach(of: setting)).rounded(.up)) + 2
        let page =
            page ?? size.map { ImageSize(width: $0.width - room, height: $0.height - room) }
            ?? ImageSize(width: BenchPage.width, height: BenchPage.height)
        let canvas = size ?? ImageSize(width: page.width + room, height: page.height + room)
        // The disc in the page's middle must not leave the canvas, and corners need a page to round.
        let least = Int(max(2 * setting.radius, 4 * Self.corner.radius).rounded(.up)) + 2
        guard page.width >= least, page.height >= least, canvas.width >= page.width + room,
            canvas.height >= page.height + room
        else { return nil }
        self.canvas = Scene.Canvas(width: canvas.width, height: canvas.height)
        self.page = Rect(
            x: Double(room), y: Double(room), width: Double(page.width), height: Double(page.height))
        self.setting = setting
    }

    /// The size of the page's image, in pixels.
    public var pageSize: ImageSize { ImageSize(width: Int(page.width), height: Int(page.height)) }

    /// The scene with the loupe in its place.
    public func scene(_ place: Place) -> Scene {
        let loupe = Loupe(
            center: center(place), radius: setting.radius, zoom: setting.zoom, filter: LoupeFilter(setting.filter))
        let layer = Layer(content: .image(path: BenchPage.path), rect: page, corner: Self.corner)
        return Scene(canvas: canvas, layers: [layer], loupes: [loupe])
    }

    /// Moves a magnified edge off the pixels' borders, where it would feather no pixel at all.
    private static let offGrid = 0.35
    /// Where the corner's curve crosses its diagonal: r·(1 − 2^(−1/n)) from either edge.
    private static let curveInset = corner.radius * (1 - pow(2, -1 / corner.exponent))

    private func center(_ place: Place) -> Point {
        switch place {
        case .state(.noEdge), .middle: page.center
        case .state(.singleEdge): Point(x: page.minX + Self.offGrid, y: page.center.y)
        case .state(.corner): Point(x: page.minX + Self.curveInset, y: page.minY + Self.curveInset)
        case .state(.outside): Journey(.edge, setting).center(at: 1, on: page)
        case .sweep(let sweep, let step, let count):
            Journey(sweep, setting).center(at: Double(step) / Double(max(1, count - 1)), on: page)
        }
    }
}

/// The way of a sweep: how far the loupe's centre is from the edge or corner, positive inside, in canvas pixels.
struct Journey {
    private let sweep: Sweep
    private let start: Double
    private let end: Double

    init(_ sweep: Sweep, _ setting: Setting) {
        self.sweep = sweep
        // How far from its centre the loupe sees.
        let sight = setting.radius / setting.zoom
        switch sweep {
        case .edge: (start, end) = (1.25 * sight, -Self.reach(of: setting))
        // On the diagonal, so that a smaller part of each coordinate takes the loupe as far.
        case .corner: (start, end) = (1.1 * (Stage.corner.radius + sight), -0.9 * sight)
        }
    }

    /// How far beyond the page the loupe's centre goes, in canvas pixels.
    static func reach(of setting: Setting) -> Double { 1.15 * setting.radius / setting.zoom }

    /// - Parameter part: 0 at the start, 1 at the end.
    func center(at part: Double, on page: Rect) -> Point {
        let offset = start + part * (end - start)
        return switch sweep {
        case .edge: Point(x: page.minX + offset, y: page.center.y)
        case .corner: Point(x: page.minX + offset, y: page.minY + offset)
        }
    }
}
