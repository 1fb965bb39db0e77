import LoupeBase
import LoupeScene

/// The same scene with one page after another, side by side, with a title beneath each: the same loupes, letters and scale
/// bars show the same place in all of them.
struct PageComparison: Hashable, Sendable {
    /// The images that take the place of the first one that a layer shows, that one among them. All have its size.
    var pages: [ImagePath]
    /// Beneath each page; of the pages' number.
    var titles: [String]
    /// How many pages stand in a row.
    var columns: Int
    /// How titles look.
    var style: TextStyle

    /// Pages in a row, or in rows of a number of columns.
    init(pages: [ImagePath], titles: [String], columns: Int?, style: TextStyle) {
        (self.pages, self.titles, self.style) = (pages, titles, style)
        self.columns = Self.columns(columns, of: pages.count)
    }

    /// The number of columns: that which is asked for, or one row for up to four pages and a nearly square grid for more.
    static func columns(_ asked: Int?, of count: Int) -> Int {
        if let asked { return max(1, min(asked, count)) }
        return count > 4 ? Int(Double(count).squareRoot().rounded(.up)) : max(1, count)
    }

    /// The scene with all pages. Each has the canvas of the scene for itself.
    ///
    /// The canvas may become larger than `Scene.Canvas.sideRange`.
    func applied(to scene: Scene) -> Scene {
        var result = scene
        (result.layers, result.loupes, result.labels, result.scaleBars) = ([], [], [], [])
        let (width, height, gap) = (scene.canvas.width, scene.canvas.height, gap(of: scene))
        let rows = (pages.count + columns - 1) / columns
        result.canvas.width = columns * width + (columns - 1) * gap
        result.canvas.height = rows * (height + strip) + (rows - 1) * gap
        for (index, page) in pages.enumerated() {
            let offset = offset(ofPage: index, in: scene)
            add(scene.showing(page), movedBy: offset, to: &result)
            let point = Point(
                x: offset.dx + Double(width) / 2, y: offset.dy + Double(height) + Double(strip) / 2)
            let room = Double(width) + 0.5 * Double(gap)
            let title = titles[index].cut(to: max(2, Int(room / (CropsLayout.letter * style.size))))
            result.labels.append(Label(title, at: .point(point, align: Vector(dx: 0.5, dy: 0.5)), style: style))
        }
        return result
    }

    private func offset(ofPage index: Int, in scene: Scene) -> Vector {
        let gap = gap(of: scene)
        return Vector(
            dx: Double(index % columns * (scene.canvas.width + gap)),
            dy: Double(index / columns * (scene.canvas.height + strip + gap)))
    }

    /// The height of the titles beneath a row.
    private var strip: Int { Int((style.size * 2).rounded(.up)) }

    /// Between pages, in canvas pixels: so that no loupe reaches over the next page, nor one that looks beyond its page
    /// shows the next one.
    private func gap(of scene: Scene) -> Int {
        let (width, height) = (Double(scene.canvas.width), Double(scene.canvas.height))
        // Three times as much as between a page and the loupes beside it, so that these look like its own.
        var gap = max(style.size, 0.09 * (scene.page?.rect ?? scene.canvas.rect).shorterSide)
        for loupe in scene.loupes {
            let (focus, reach) = (scene.shownFocus(of: loupe), loupe.halfSides)
            for (point, reach) in [(focus, (1 / loupe.zoom) * reach), (loupe.center, reach)] {
                gap = max(gap, reach.dx - min(point.x, width - point.x), reach.dy - min(point.y, height - point.y))
            }
        }
        return Int(min(gap, 4096).rounded(.up))
    }

    private func add(_ part: Scene, movedBy offset: Vector, to scene: inout Scene) {
        let (layers, loupes) = (scene.layers.count, scene.loupes.count)
        scene.layers += part.layers.map { $0.moved(by: offset) }
        scene.loupes += part.loupes.map { loupe in
            var moved = loupe
            moved.center = loupe.center + offset
            // What keeps a view on the page would keep it on all pages together.
            moved.focus = part.shownFocus(of: loupe) + offset
            if loupe.outside == .clamp { moved.outside = .background }
            return moved
        }
        scene.scaleBars += part.scaleBars.map { bar in
            var bar = bar
            switch bar.subject {
            case .layer(let index): bar.subject = .layer(index + layers)
            case .loupe(let index): bar.subject = .loupe(index + loupes)
            }
            return bar
        }
        scene.labels += part.labels.map { label in
            var label = label
            if case .point(let point, let align) = label.anchor { label.anchor = .point(point + offset, align: align) }
            label.anchor = label.anchor.renumbered { $0 + loupes } ?? label.anchor
            return label
        }
    }
}
