import LoupeBase
import LoupeScene

/// The facts of a page's pixels that a scene depends on: all that decoding the page answers.
public struct PageFacts: Hashable, Sendable {
    /// In the page's own pixels.
    public var size: ImageSize
    /// How large a pixel is, where the page's file says so.
    public var pixelSize: PhysicalLength?
    /// Whether all pixels of the page, and of the pages it is compared with, are opaque.
    public var isOpaque: Bool
    /// Whether it is pixel art (specification, section 5.8).
    public var isPixelArt: Bool
    /// Whether it is an SVG or PDF, which has no pixels of its own.
    public var isVector = false
    /// Whether it is an SVG, so that loupes can draw its strokes in other widths.
    public var isSVG = false
    /// Its kind and its colours in coarse cells.
    public var tone: PageTone
    /// The tones of the pages that it is compared with, by path.
    public var otherTones: [ImagePath: PageTone] = [:]
    /// Its texts and elements, where positions are given by those; nil for a page of pixels.
    package var names: PageNames?
    /// The boxes of words and other small marks, in the page's own pixels; nil where no view has to spare them.
    package var words: [Rect]?
    /// What loupes would rather not cover; nil where no loupe is to be placed.
    public var contrast: ContrastGrid?

    /// The facts of an opaque, light page, which are assumed until a page is decoded.
    public init(
        size: ImageSize, pixelSize: PhysicalLength? = nil, isOpaque: Bool = true, isPixelArt: Bool = false,
        tone: PageTone = .light, contrast: ContrastGrid? = nil
    ) {
        (self.size, self.pixelSize, self.isOpaque, self.isPixelArt) = (size, pixelSize, isOpaque, isPixelArt)
        (self.tone, self.contrast) = (tone, contrast)
    }

    /// The facts of a page in memory: straight 8-bit RGBA, rows from the top.
    package init(size: ImageSize, pixels: [UInt8]) {
        self.init(
            size: size, isOpaque: stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 },
            isPixelArt: pixels.withUnsafeBytes { PixelArt.isSeen(in: $0, width: size.width, height: size.height) },
            tone: PageTone(of: size, pixels: pixels),
            contrast: ContrastGrid(width: size.width, height: size.height, pixels: pixels, over: .defaultRim))
    }

    /// The rectangle on a scene's canvas in which the page has more than bare paper, or its whole rectangle where that is not
    /// known; nil where the scene shows no page. A border of another colour is no paper, and what reaches a side keeps it.
    func content(on scene: Scene) -> Rect? {
        guard let page = scene.page?.rect, let contrast, tone.kind != .photograph, let own = contrast.content else {
            return scene.page?.rect
        }
        let scale = page.width / Double(contrast.width)
        func end(_ side: CanvasSide, _ content: Double, _ edge: Double) -> Double {
            isBare(at: side) ? content * scale : edge
        }
        let (left, top) = (end(.left, own.minX, 0), end(.above, own.minY, 0))
        let (right, bottom) = (end(.right, own.maxX, page.width), end(.below, own.maxY, page.height))
        return Rect(x: page.x + left, y: page.y + top, width: right - left, height: bottom - top)
    }

    /// Whether nothing but paper lies along a side of the page, as far as that is known.
    func isBare(at side: CanvasSide) -> Bool {
        guard let edge = contrast?.edges[side.rawValue] else { return false }
        return OKLab(tone.paper).distance(to: OKLab(edge)) < PageTone.paperDistance
    }

    /// How many of the page's pixels lie along a pixel of a scene's canvas; 1 where the scene shows no page.
    func pixelsPerCanvasPixel(of scene: Scene) -> Double { scene.page.map { Double(size.width) / $0.rect.width } ?? 1 }
}
