import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeScene

import func Glibc.pow

/// The scene around the loupe of a group of cases: a page with rounded corners at the lower right of the canvas, with
/// enough room above it and to its left for the loupe to leave the page without leaving the canvas.
struct Stage: Hashable, Sendable {
    /// The canvas in pixels.
    let canvas: Scene.Canvas
    /// The page on the canvas, in canvas pixels. Its image has the same size, so it is shown unscaled.
    let page: Rect
    /// The loupe.
    let setting: Setting

    /// The page's corners; the radius in canvas pixels.
    static let corner = Corner(radius: 60, exponent: 4)

    /// Returns nil if the canvas has no room for the page and the loupe beside it.
    ///
    /// - Parameters:
    ///   - setting: the loupe.
    ///   - size: the canvas; nil makes it as large as a page of ``BenchPage``'s size and the loupe beside it need.
    init?(_ setting: Setting, canvas size: ImageSize? = nil) {
        let room = Int((setting.radius + Self.reach(of: setting)).rounded(.up)) + 2
        let page =
            size.map { ImageSize(width: $0.width - room, height: $0.height - room) }
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
    var pageSize: ImageSize { ImageSize(width: Int(page.width), height: Int(page.height)) }

    /// The scene with the loupe where the page's outline is in a state.
    func scene(_ state: ClipState) -> Scene {
        let loupe = Loupe(
            center: center(state), radius: setting.radius, zoom: setting.zoom, filter: LoupeFilter(setting.filter))
        let layer = Layer(content: .image(path: BenchPage.path), rect: page, corner: Self.corner)
        return Scene(canvas: canvas, layers: [layer], loupes: [loupe])
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
enum BenchPage {
    /// The usual width in pixels.
    static let width = 2048
    /// The usual height in pixels.
    static let height = 1536
    /// The path by which scenes refer to it.
    static let path: ImagePath = "page"

    /// Smooth gradients with noise, which hardly compress; opaque, of the given size in pixels.
    static func picture(width: Int = width, height: Int = height) -> Image {
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
