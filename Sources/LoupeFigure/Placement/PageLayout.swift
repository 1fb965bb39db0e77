import LoupeBase
import LoupeScene

/// The position of the page on the canvas, its corners and what is around it, as options say.
struct PageLayout {
    let options: OptionValues
    /// In the page's own pixels.
    let size: ImageSize
    /// The page, as scenes name it.
    let path: ImagePath
    /// The page's tone.
    let tone: PageTone

    /// A scene of one page without loupes.
    func scene() throws(ComposeError) -> Scene {
        let frame = options.frame(on: tone)
        let standard = frame == nil ? 0 : PageFrame.margin(width: Double(size.width), height: Double(size.height))
        let margin = options.number(.margin) ?? standard
        let fitted = options.canvas
        let around = Int((2 * margin).rounded(.up))
        let canvas = fitted ?? ImageSize(width: size.width + around, height: size.height + around)
        for side in [canvas.width, canvas.height] where !Scene.Canvas.sideRange.contains(side) {
            let problem = "a canvas of \(canvas) is out of range; allowed is 1…16384 each way"
            throw fitted == nil
                ? ComposeError(.badInput, "\(path): \(problem); give a smaller one with --canvas WxH")
                : ComposeError(.usage, "\(options.shown(.canvas)): \(problem)")
        }
        let rect = try pageRect(
            width: size.width, height: size.height, on: canvas, margin: margin, isFitted: fitted != nil)
        let layer = Layer(
            content: .image(path: path), rect: rect, corner: try corner(of: rect, in: frame),
            filter: options.choice(.pageFilter) ?? .lanczos, shadow: frame?.shadow(of: rect))
        let backdrop = options.color(.background).map(Backdrop.color) ?? frame?.background
        return Scene(
            canvas: .init(
                width: canvas.width, height: canvas.height, background: backdrop ?? .color(.defaultBackground)),
            blending: options.choice(.blending) ?? .srgb, layers: [layer])
    }

    /// Unscaled inside the margin, or scaled to fit a given canvas, centred; on whole pixels, so that its edges are sharp.
    private func pageRect(width: Int, height: Int, on size: ImageSize, margin: Double, isFitted: Bool)
        throws(ComposeError) -> Rect
    {
        guard isFitted else {
            return Rect(x: margin, y: margin, width: Double(width), height: Double(height)).onWholePixels()
        }
        let room = (width: Double(size.width) - 2 * margin, height: Double(size.height) - 2 * margin)
        guard room.width > 0, room.height > 0 else {
            throw ComposeError(.usage, "--margin: \(margin.jsonText) leaves no room on a canvas of \(size)")
        }
        let (wide, high) = (Double(width), Double(height))
        let fitted =
            room.width * high <= room.height * wide
            ? (width: room.width, height: high * room.width / wide)
            : (width: wide * room.height / high, height: room.height)
        return Rect(
            x: (Double(size.width) - fitted.width) / 2, y: (Double(size.height) - fitted.height) / 2,
            width: fitted.width, height: fitted.height
        ).onWholePixels()
    }
}

/// The page's corners.
extension PageLayout {
    private func corner(of rect: Rect, in frame: PageFrame?) throws(ComposeError) -> Corner {
        let given = options.corner
        var radii = CornerRadii(frame == nil ? 0 : PageFrame.cornerRadius(of: rect))
        if let given { radii = try options.checked(given.radii, .corner, fitting: rect) }
        let curve = given?.curve ?? .exponent(Corner().exponent)
        if given == nil, frame == nil, let flag = options.first(of: [.cornerKeepDiagonal]) {
            throw ComposeError(
                .usage, "\(flag): the page's corners are square; say how large they are with --corner R")
        }
        if curve.hasOwnExtent, options.has(.cornerKeepDiagonal) {
            throw ComposeError(.usage, "--corner-keep-diagonal: the styles ios and figma(S) imply it; leave it out")
        }
        return curve.corner(of: radii, keepsDiagonal: options.has(.cornerKeepDiagonal), in: rect)
    }
}
