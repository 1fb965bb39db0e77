import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeScene

import func Glibc.pow

/// The scene around the loupe of a group of cases: a page with rounded corners at the lower right of the canvas, with
/// enough room above it and to its left for the loupe to leave the page without leaving the canvas.
package struct Stage: Hashable, Sendable {
    /// The canvas in pixels.
    package let canvas: Scene.Canvas
    /// The page on the canvas, in canvas pixels. Its image has the same size, so it is shown unscaled.
    package let page: Rect
    /// The loupe.
    package let setting: Setting

    /// The page's corners; the radius in canvas pixels.
    static let corner = Corner(radius: 60, exponent: 4)

    /// Returns nil if the canvas has no room for the page and the loupe beside it.
    ///
    /// - Parameters:
    ///   - setting: the loupe.
    ///   - size: the canvas; nil makes it as large as the page and the loupe beside it need.
    ///   - page: the size of the page's image; nil takes the room on the canvas, or ``BenchPage``'s size.
    package init?(_ setting: Setting, canvas size: ImageSize? = nil, page: ImageSize? = nil) {
        let room = Int((setting.radius + Self.reach(of: setting)).rounded(.up)) + 2
        let page =
            page ?? size.map { ImageSize(width: $0.width - room, height: $0.height - room) }
            ?? ImageSize(width: BenchPage.width, height: BenchPage.height)
        let canvas = size ?? ImageSize(width: page.width + room, height: page.height + room)
        // The disc in the middle of the page must not leave the canvas, and the page must be large enough for its corners.
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
    package var pageSize: ImageSize { ImageSize(width: Int(page.width), height: Int(page.height)) }

    /// The scene with the loupe where the page's outline is in a state.
    package func scene(_ state: ClipState) -> Scene {
        let loupe = Loupe(
            center: center(state), radius: setting.radius, zoom: setting.zoom, filter: LoupeFilter(setting.filter))
        let layer = Layer(content: .image(path: BenchPage.path), rect: page, corner: Self.corner)
        return Scene(canvas: canvas, layers: [layer], loupes: [loupe])
    }

    /// A scene in which every kind of thing is drawn, by every shader: corners that differ, strokes, shadows, a callout, a grid,
    /// a mark, a split loupe.
    func everything(_ blending: Blending) -> Scene {
        var scene = scene(.corner)
        scene.blending = blending
        let radii = CornerRadii { CornerRadius($0 == .topLeft ? Self.corner.radius : Self.corner.radius / 2) }
        scene.layers[0].corner = Corner(radii: radii, exponent: Self.corner.exponent)
        scene.layers[0].shadow = Loupe.Shadow(
            offset: Vector(dx: 3, dy: 5), blur: 9, color: .defaultShadow, dither: true)
        let ends = [Point(x: page.minX, y: page.minY), page.center, Point(x: page.maxX, y: page.minY)]
        scene.layers[0].strokes = [Stroke(points: ends, width: 5), Stroke(points: ends.reversed(), width: 2)]
        let radius = setting.radius
        var callout = scene.loupes[0]
        callout.focus = page.center
        callout.rim = Loupe.Rim(width: radius / 20, color: .defaultRim, casing: Casing())
        callout.shadow = Loupe.Shadow(offset: Vector(dx: 0, dy: 4), blur: radius / 5, color: .defaultShadow)
        callout.callout = Callout(
            ring: .init(casing: Casing()), connector: Connector(.lines(width: 3), casing: Casing()))
        callout.mark = TexelMark()
        let corner = Point(x: page.minX + Self.corner.radius, y: page.minY + Self.corner.radius)
        var split = Loupe(
            center: corner, shape: .rectangle(.init(width: radius, height: radius / 2, corner: Corner(radius: 9))),
            zoom: 2 * setting.zoom, filter: LoupeFilter(setting.filter), rim: Loupe.Rim(width: 3, color: .defaultRim))
        split.split = Loupe.Split(image: BenchPage.path, angle: 30, divider: .init(width: 2))
        split.shadow = callout.shadow
        split.grid = TexelGrid()
        scene.loupes += [callout, split]
        return scene
    }

    /// Moves a magnified edge off the borders of pixels, where it would feather no pixel at all; canvas pixels.
    private static let offGrid = 0.35
    /// The distance from either edge at which the corner's curve crosses its diagonal: r·(1 − 2^(−1/n)), canvas pixels.
    private static let curveInset = corner.radius * (1 - pow(2, -1 / corner.exponent))

    private func center(_ state: ClipState) -> Point {
        switch state {
        case .noEdge: page.center
        case .singleEdge: Point(x: page.minX + Self.offGrid, y: page.center.y)
        case .corner: Point(x: page.minX + Self.curveInset, y: page.minY + Self.curveInset)
        case .outside: Point(x: page.minX - Self.reach(of: setting), y: page.center.y)
        }
    }

    /// How far outside the page the loupe's centre goes, in canvas pixels.
    private static func reach(of setting: Setting) -> Double { 1.15 * setting.radius / setting.zoom }
}

/// The page that is magnified. It is computed, so no file is needed and every run shows the same picture.
package enum BenchPage {
    /// The usual width in pixels.
    package static let width = 2048
    /// The usual height in pixels.
    package static let height = 1536
    /// The path by which scenes refer to it.
    static let path: ImagePath = "page"

    /// Smooth gradients with noise, which hardly compress; opaque, of the given size in pixels.
    package static func picture(width: Int = width, height: Int = height) -> Image {
        var random = SplitMix64(seed: 42)
        var pixels = [UInt8]()
        pixels.reserveCapacity(width * height * 4)
        for y in 0..<height {
            for x in 0..<width {
                let noise = random.next()
                let red = x * 192 / width + Int(noise & 63)
                let green = y * 192 / height + Int((noise >> 8) & 63)
                let blue = (x + y) * 192 / (width + height) + Int((noise >> 16) & 63)
                pixels += [UInt8(red), UInt8(green), UInt8(blue), 255]
            }
        }
        return Image(width: width, height: height, pixels: pixels)
    }
}
