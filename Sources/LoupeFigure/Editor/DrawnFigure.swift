import LoupeBase
import LoupePlan
import LoupeScene

/// A figure as it was drawn last, which a hand points at: its scene, and where the command's coordinates lie in it.
package struct DrawnFigure: Sendable {
    /// The complete scene, in pixels of the picture.
    package let scene: Scene
    /// The page as the options place it, before the canvas grows for loupes beside it and is enlarged.
    let page: PlacedPage
    /// The canvas as the options ask for it, in its own pixels.
    let canvas: Rect
    /// The text that was asked for.
    let text: FigureText
    /// The loupes of a point of which the command does not say how much they show.
    let foundViews: [Int]

    /// - Parameters:
    ///   - scene: as it was composed of this request and these facts.
    ///   - text: the text that was asked for.
    /// - Throws: `ComposeError`, as composing does.
    package init(
        _ scene: Scene, _ text: FigureText, of request: Request, page path: ImagePath, facts: PageFacts
    ) throws(ComposeError) {
        let bare = try PageLayout(
            options: request.options, size: facts.size, path: path, tone: facts.tone
        ).scene()
        (self.scene, self.text, canvas) = (scene, text, bare.canvas.rect)
        page = PlacedPage(size: facts.size, rect: bare.layers[0].rect)
        foundViews = request.sparesWords(on: facts.tone) ? scene.loupes.indices.filter(request.findsView) : []
    }

    /// Where the page lies in the picture.
    var onPage: Rect { scene.page?.rect ?? scene.canvas.rect }

    /// How many pixels of the picture a pixel of the command's canvas has.
    var scale: Double { onPage.width / page.rect.width }

    /// A point of the picture in the command's canvas pixels.
    func asked(_ point: Point) -> Point {
        Point(
            x: page.rect.x + (point.x - onPage.x) / scale, y: page.rect.y + (point.y - onPage.y) / scale)
    }

    /// A rectangle of the picture in the command's canvas pixels, as far as the page reaches.
    func asked(_ rect: Rect) -> Rect {
        let corners = [Point(x: rect.minX, y: rect.minY), Point(x: rect.maxX, y: rect.maxY)]
            .map { asked($0).limited(to: page.rect) }
        return Rect(
            x: corners[0].x, y: corners[0].y, width: corners[1].x - corners[0].x, height: corners[1].y - corners[0].y)
    }

    /// Where a point of the command's canvas lies in the picture.
    func shown(_ point: Point) -> Point {
        Point(x: onPage.x + (point.x - page.rect.x) * scale, y: onPage.y + (point.y - page.rect.y) * scale)
    }

    /// The part of the page that a loupe shows at most, in pixels of the picture.
    func source(of index: Int) -> Rect {
        let loupe = scene.loupes[index]
        let (center, half) = (scene.shownFocus(of: loupe), (1 / loupe.zoom) * loupe.halfSides)
        return Rect(x: center.x - half.dx, y: center.y - half.dy, width: 2 * half.dx, height: 2 * half.dy)
    }

    // MARK: - Texts

    /// A position as a command says it: in the unit of an earlier one, or in canvas pixels where those are the page's own, or
    /// else in the page's.
    /// - Parameter point: in the command's canvas pixels.
    func text(of point: Point, like old: String?) -> String {
        let unit = old.flatMap { FocusTarget(text: $0)?.unit } ?? usualUnit
        let (prefix, numbers) = numbers(of: point, in: unit)
        return prefix + numbers
    }

    /// A region as a command says it.
    func text(of region: Rect, like old: String?) -> String {
        let unit = old.flatMap { FocusTarget(text: $0)?.unit } ?? usualUnit
        let (prefix, first) = numbers(of: Point(x: region.minX, y: region.minY), in: unit)
        return prefix + first + ".." + numbers(of: Point(x: region.maxX, y: region.maxY), in: unit).numbers
    }

    private var usualUnit: Position.Unit {
        let own = Rect(x: 0, y: 0, width: Double(page.size.width), height: Double(page.size.height))
        return page.rect == own && canvas == own ? .canvasPixels : .pagePixels
    }

    private func numbers(of point: Point, in unit: Position.Unit) -> (prefix: String, numbers: String) {
        // As fine as a pixel of the picture.
        let step = scale <= 1 ? 1.0 : scale <= 10 ? 10 : 100
        func text(_ value: Double, _ step: Double) -> String { ((value * step).rounded() / step).jsonText }
        let part = Vector(dx: (point.x - page.rect.x) / page.rect.width, dy: (point.y - page.rect.y) / page.rect.height)
        switch unit {
        case .canvasPixels: return ("", "\(text(point.x, step)),\(text(point.y, step))")
        case .pagePixels:
            let (x, y) = (part.dx * Double(page.size.width), part.dy * Double(page.size.height))
            return (Position.pagePrefix, "\(text(x, step)),\(text(y, step))")
        case .name: return numbers(of: point, in: usualUnit)
        case .percent: return ("", "\(text(100 * part.dx, 100))%,\(text(100 * part.dy, 100))%")
        }
    }
}
