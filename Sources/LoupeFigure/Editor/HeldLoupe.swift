import LoupeBase
import LoupePlan
import LoupeScene

/// A line along which what is dragged has snapped, in pixels of the picture.
enum Guide: Hashable, Sendable {
    /// At an x, and at a y.
    case vertical(Double)
    case horizontal(Double)
}

/// A loupe that a hand holds, as it was when the hand took hold.
struct HeldLoupe {
    let index: Int
    let edited: EditedLoupe
    let figure: DrawnFigure
    private let loupe: Loupe
    /// What the loupe shows, in the command's canvas pixels.
    private let source: Rect

    init(index: Int, edited: EditedLoupe, on figure: DrawnFigure) {
        (self.index, self.edited, self.figure) = (index, edited, figure)
        loupe = figure.scene.loupes[index]
        source = figure.asked(figure.source(of: index))
    }

    /// Whether the loupe magnifies what lies under it.
    private var isInPlace: Bool { edited.text(.focus) == nil }

    /// The loupe after the hand has moved, and the lines along which it has snapped.
    /// - Parameters:
    ///   - way: how far, in the command's canvas pixels.
    ///   - start: where the hand took hold, in the same.
    ///   - reach: from how far away something is snapped to, in pixels of the picture.
    func moved(
        _ part: EditAction.Part, by way: Vector, from start: Point, snaps: Bool, reach: Double
    ) throws(ComposeError) -> (EditedLoupe, [Guide]) {
        var (result, guides): (EditedLoupe, [Guide]) = (edited, [])
        switch part {
        case .loupe:
            var center = figure.asked(loupe.center) + way
            if snaps { (center, guides) = snapped(center, reach) }
            // Beside the page, a loupe stands where the command puts it.
            let isOnCanvas = figure.canvas.contains(center)
            guard isOnCanvas || isInPlace else {
                try result.set(.at, to: nil)
                return (result, [])
            }
            try keepView(of: &result)
            try result.set(.at, to: figure.text(of: center.limited(to: figure.canvas), like: edited.text(.at)))
        case .source: try moveSource(of: &result, by: way)
        case .size: try resize(&result, Self.factor(figure.asked(loupe.center), start, start + way), snaps)
        case .zoom: try resizeSource(of: &result, by: way, from: start, snaps)
        }
        return (result, guides)
    }

    /// How many times farther from a point the hand is than where it began.
    private static func factor(_ center: Point, _ start: Point, _ now: Point) -> Double {
        now.distance(to: center) / max(start.distance(to: center), 1e-6)
    }

    /// Whether the command names a point, and a box was found for the words there.
    private var hasFoundBox: Bool {
        if case .rectangle = loupe.shape { figure.foundViews.contains(index) } else { false }
    }

    /// Writes down the view that was found, as none is found for a loupe that is moved or resized.
    private func keepView(of result: inout EditedLoupe) throws(ComposeError) {
        if hasFoundBox {
            try result.set(.focus, to: figure.text(of: source, like: edited.text(.focus)))
        } else if figure.foundViews.contains(index), loupe.zoom != LoupeRequest.defaultZoom {
            try setZoom(of: &result, loupe.zoom, false)
        }
    }

    /// The region that the command names, or that was found; nil for a point.
    private var region: Rect? {
        if hasFoundBox { return source }
        guard edited.hasRegion, let text = edited.text(.focus) else { return nil }
        return FocusTarget(text: text)?.resolved(on: figure.page).region?.rect ?? source
    }

    private func moveSource(of result: inout EditedLoupe, by way: Vector) throws(ComposeError) {
        let old = edited.text(.focus)
        guard let region else {
            let point = (source.center + way).limited(to: figure.page.rect)
            return try result.set(isInPlace ? .at : .focus, to: figure.text(of: point, like: old))
        }
        let page = figure.page.rect
        let x = (region.x + way.dx).clamped(to: page.minX...max(page.minX, page.maxX - region.width))
        let y = (region.y + way.dy).clamped(to: page.minY...max(page.minY, page.maxY - region.height))
        let moved = Rect(x: x, y: y, width: region.width, height: region.height)
        try result.set(.focus, to: figure.text(of: moved, like: old))
    }

    /// Changes what is shown, with the loupe's size as far as it is given: a region by its lower right corner, or the zoom.
    private func resizeSource(
        of result: inout EditedLoupe, by way: Vector, from start: Point, _ snaps: Bool
    ) throws(ComposeError) {
        guard let region else {
            return try setZoom(
                of: &result, loupe.zoom / max(Self.factor(source.center, start, start + way), 1e-3), snaps)
        }
        let least = 2 / figure.scale
        let page = figure.page.rect
        let resized = Rect(
            x: region.x, y: region.y, width: min(max(least, region.width + way.dx), page.maxX - region.x),
            height: min(max(least, region.height + way.dy), page.maxY - region.y))
        try result.set(.focus, to: figure.text(of: resized, like: edited.text(.focus)))
    }

    /// Changes the loupe's size. That of a region follows from its zoom.
    private func resize(_ result: inout EditedLoupe, _ factor: Double, _ snaps: Bool) throws(ComposeError) {
        try keepView(of: &result)
        if let text = edited.text(.shape), let size = GivenShape(text: text)?.size {
            let sides = [size.dx, size.dy].map {
                ($0 * factor).rounded().clamped(to: Loupe.Rectangle.sideRange).jsonText
            }
            let corner = text.drop { !":".contains($0) }
            return try result.set(.shape, to: sides.joined(separator: "x") + corner)
        }
        guard case .circle(let radius) = loupe.shape, region == nil || edited.text(.radius) != nil else {
            return try setZoom(of: &result, loupe.zoom * factor, snaps)
        }
        let wanted = (radius / figure.scale * factor).rounded().clamped(to: Loupe.radiusRange)
        try result.set(.radius, to: wanted.jsonText)
    }

    private func setZoom(of result: inout EditedLoupe, _ zoom: Double, _ snaps: Bool) throws(ComposeError) {
        let step = snaps ? zoom < 8 ? 0.25 : 0.5 : 0.01
        let rounded = (zoom / step).rounded() * step
        try result.set(.zoom, to: ((rounded * 100).rounded() / 100).clamped(to: Loupe.zoomRange).jsonText)
    }

    // MARK: - Snapping

    /// A centre in line with the middles or the borders of other loupes, with what the loupe shows, or with the canvas's
    /// middle, where one of those is near.
    private func snapped(_ center: Point, _ reach: Double) -> (Point, [Guide]) {
        let scene = figure.scene
        var (point, guides): (Point, [Guide]) = (figure.shown(center), [])
        let half = loupe.halfSides
        let others = scene.loupes.indices.filter { $0 != index }.map {
            (scene.loupes[$0].center, scene.loupes[$0].halfSides)
        }
        let middles = [figure.shown(figure.canvas.center), figure.shown(source.center)]
        /// Each a coordinate of the middle, and the line that is then touched.
        func lines(_ axis: (Point) -> Double, _ side: (Vector) -> Double) -> [(value: Double, line: Double)] {
            middles.map { (axis($0), axis($0)) }
                + others.flatMap { middle, size in
                    [-1.0, 0, 1].map { sign in
                        let line = axis(middle) + sign * side(size)
                        return (line - sign * side(half), line)
                    }
                }
        }
        func nearest(_ lines: [(value: Double, line: Double)], to value: Double) -> (value: Double, line: Double)? {
            lines.min { abs($0.value - value) < abs($1.value - value) }.flatMap {
                abs($0.value - value) <= reach ? $0 : nil
            }
        }
        if let x = nearest(lines({ $0.x }, { $0.dx }), to: point.x) {
            point.x = x.value
            guides.append(.vertical(x.line))
        }
        if let y = nearest(lines({ $0.y }, { $0.dy }), to: point.y) {
            point.y = y.value
            guides.append(.horizontal(y.line))
        }
        return (figure.asked(point), guides)
    }
}

extension Point {
    /// The nearest point of a rect.
    func limited(to rect: Rect) -> Point {
        Point(x: x.clamped(to: rect.minX...rect.maxX), y: y.clamped(to: rect.minY...rect.maxY))
    }
}
