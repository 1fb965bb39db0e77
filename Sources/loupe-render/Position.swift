import ArgumentParser
import LoupeGeometry
import LoupeImaging
import LoupeScene

// How the command line says where something is: flags, the words of `--loupe`, and jobs.

/// A page on the canvas, to which positions are relative.
struct PlacedPage {
    /// In its own pixels.
    let size: ImageSize
    /// What it is stretched to, in canvas pixels.
    let rect: Rect
}

/// A position as it is written, before the page's size and place are known.
struct Position: ExpressibleByArgument, Hashable {
    /// What the two numbers are.
    enum Unit {
        case canvasPixels
        case pagePixels
        /// Percent of the page's width and height.
        case percent
    }

    /// For messages.
    static let forms = "X,Y in canvas pixels, page:X,Y in pixels of the page, or X%,Y% of the page"
    /// Before coordinates that count the page's own pixels.
    fileprivate static let pagePrefix = "page:"

    let unit: Unit
    private let x: Double
    private let y: Double

    init?(argument: String) {
        let isOfPage = argument.hasPrefix(Self.pagePrefix)
        self.init(isOfPage ? argument.dropFirst(Self.pagePrefix.count) : argument[...], isOfPage: isOfPage)
    }

    /// - Parameter text: without the prefix.
    fileprivate init?(_ text: Substring, isOfPage: Bool) {
        let isPercent = !isOfPage && text.contains("%")
        let axes = text.parts(between: ",") { part -> Double? in
            guard part.hasSuffix("%") == isPercent else { return nil }
            return Double(isPercent ? part.dropLast() : part)
        }
        guard let axes, axes.count == 2, axes.allSatisfy({ abs($0) <= Coordinates.limit }) else { return nil }
        (x, y) = (axes[0], axes[1])
        unit = isOfPage ? .pagePixels : isPercent ? .percent : .canvasPixels
    }

    /// The position in canvas pixels.
    func point(on page: PlacedPage) -> Point {
        let rect = page.rect
        let point =
            switch unit {
            case .canvasPixels: Point(x: x, y: y)
            case .pagePixels:
                Point(
                    x: rect.x + x * rect.width / Double(page.size.width),
                    y: rect.y + y * rect.height / Double(page.size.height))
            case .percent: Point(x: rect.x + x * rect.width / 100, y: rect.y + y * rect.height / 100)
            }
        // What scenes may have; no canvas reaches so far.
        let range = -Coordinates.limit...Coordinates.limit
        return Point(x: point.x.clamped(to: range), y: point.y.clamped(to: range))
    }
}

/// What a loupe shows, as it is written: a position, or two opposite corners of a region, `X0,Y0..X1,Y1`, in one unit.
struct FocusArgument: ExpressibleByArgument, Hashable {
    /// For messages.
    static let forms = "\(Position.forms); two such corners, X0,Y0..X1,Y1, ask for a region"

    private let corners: [Position]

    init?(argument: String) {
        let isOfPage = argument.hasPrefix(Position.pagePrefix)
        var text = isOfPage ? argument.dropFirst(Position.pagePrefix.count) : argument[...]
        var texts = [text]
        if let dots = text.indices.first(where: { text[$0...].hasPrefix("..") }) {
            var end = text[dots...].dropFirst(2)
            // The prefix may be repeated.
            if isOfPage, end.hasPrefix(Position.pagePrefix) { end = end.dropFirst(Position.pagePrefix.count) }
            text = text[..<dots]
            texts = [text, end]
        }
        let corners = texts.compactMap { Position($0, isOfPage: isOfPage) }
        guard corners.count == texts.count, corners.allSatisfy({ $0.unit == corners[0].unit }) else { return nil }
        self.corners = corners
    }

    /// The point at the loupe's centre, and the region that it has to show, in canvas pixels.
    func resolved(on page: PlacedPage) -> (point: Point, region: FocusRegion?) {
        let points = corners.map { $0.point(on: page) }
        guard points.count == 2 else { return (points[0], nil) }
        let (x, y) = (min(points[0].x, points[1].x), min(points[0].y, points[1].y))
        let rect = Rect(x: x, y: y, width: abs(points[0].x - points[1].x), height: abs(points[0].y - points[1].y))
        return (rect.center, FocusRegion(rect: rect))
    }
}

/// A region that a loupe has to show whole, and what follows from it: the loupe's zoom, its radius, or both.
struct FocusRegion {
    /// In canvas pixels.
    let rect: Rect

    /// Where both the radius and the zoom follow, the zoom is at least this: less would magnify nothing.
    static let leastZoom = 2.0

    /// The shape and the zoom of a loupe that shows no more than it has to.
    /// - Parameters:
    ///   - shape: a given rectangle, a disc of a given radius, or of the default one.
    ///   - zoom: nil where none is given.
    ///   - isSized: whether the shape's size is given.
    ///   - flag: for errors.
    func fit(_ shape: Loupe.Shape, zoom: Double?, isSized: Bool, flag: String) throws -> (Loupe.Shape, Double) {
        guard rect.width > 0 || rect.height > 0 else {
            throw Failure(.usage, "\(flag): the region is empty, as its two corners are the same; name other ones")
        }
        if isSized, zoom != nil {
            throw Failure(
                .usage,
                "\(flag): a region decides how far the loupe magnifies or how large it is; leave out its zoom or its size, or name a point"
            )
        }
        let largest = zoomThatFills(shape)
        let found = zoom ?? (isSized ? largest : largest.clamped(to: Self.leastZoom...Loupe.zoomRange.upperBound))
        guard Loupe.zoomRange.contains(found) else {
            throw Failure(
                .usage,
                "\(flag): a region of \(rect.width.jsonText)×\(rect.height.jsonText) canvas pixels needs a zoom of \((found * 1000).rounded() / 1000) in a loupe of this size; allowed is 1…64; leave out the loupe's size, or make it or the region larger"
            )
        }
        guard case .circle = shape, !isSized else { return (shape, found) }
        // A billionth of a pixel is a rounding error.
        let radius = ((found * sourceRadius - 1e-9) * 1000).rounded(.up) / 1000
        guard Loupe.radiusRange.contains(radius) else {
            throw Failure(
                .usage,
                "\(flag): a region of \(rect.width.jsonText)×\(rect.height.jsonText) canvas pixels at a zoom of \(found.jsonText) needs a radius of \(radius.jsonText); allowed is 1…8192; give another zoom"
            )
        }
        return (.circle(radius: radius), found)
    }

    /// The radius of the circle through the region's corners, in canvas pixels.
    private var sourceRadius: Double { Vector(dx: rect.width, dy: rect.height).length / 2 }

    /// The largest zoom at which a loupe of this shape shows the whole region, to a thousandth.
    private func zoomThatFills(_ shape: Loupe.Shape) -> Double {
        switch shape {
        case .circle(let radius): return radius / sourceRadius
        case .rectangle(let rectangle):
            let outline = Outline(
                rect: Rect(
                    x: -rectangle.width / 2, y: -rectangle.height / 2, width: rectangle.width,
                    height: rectangle.height),
                radii: rectangle.corner.radii, exponent: rectangle.corner.exponent)
            let corners = [-0.5, 0.5].flatMap { x in
                [-0.5, 0.5].map { Vector(dx: x * rect.width, dy: $0 * rect.height) }
            }
            func shows(at zoom: Double) -> Bool {
                corners.allSatisfy { outline.signedDistance(to: .zero + zoom * $0, within: 0) >= 0 }
            }
            var (low, high) = (0.0, max(rectangle.width, rectangle.height) / max(rect.width, rect.height))
            while high - low > 0.001 * max(low, 0.001) {
                let middle = (low + high) / 2
                if shows(at: middle) { low = middle } else { high = middle }
            }
            return low
        }
    }
}
