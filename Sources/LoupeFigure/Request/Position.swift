import LoupeBase
import LoupeScene

/// A page on the canvas, to which positions are relative.
struct PlacedPage {
    /// In its own pixels.
    let size: ImageSize
    /// What it is stretched to, in canvas pixels.
    let rect: Rect
    /// The boxes of names, in canvas pixels.
    var boxes: [PageName: Rect] = [:]

    /// A point of the page's own pixels, in canvas pixels.
    func canvasPoint(_ x: Double, _ y: Double) -> Point {
        Point(x: rect.x + x * rect.width / Double(size.width), y: rect.y + y * rect.height / Double(size.height))
    }
}

/// A position as it is written, before the page's size and place are known.
package struct Position: Hashable, Sendable {
    /// The unit of the two numbers.
    enum Unit: Hashable, Sendable {
        case canvasPixels
        case pagePixels
        /// Percent of the page's width and height.
        case percent
        /// None: the middle of what has a name.
        case name(PageName)
    }

    /// For messages.
    package static let forms =
        "X,Y in canvas pixels, page:X,Y in pixels of the page, X%,Y% of the page, \(PageName.forms)"
    /// Before coordinates that count the page's own pixels.
    static let pagePrefix = "page:"

    /// The largest coordinate, in pixels, as in scenes.
    package static let limit = 1e6

    /// `X,Y`, pixels; fractions and negative numbers are allowed.
    package static func coordinates(_ text: String) -> Point? {
        guard let position = Position(text[...], isOfPage: true) else { return nil }
        return Point(x: position.x, y: position.y)
    }

    let unit: Unit
    fileprivate var x: Double
    fileprivate var y: Double

    /// Nil for coordinates.
    var name: PageName? { if case .name(let name) = unit { name } else { nil } }

    fileprivate init(x: Double, y: Double) { (unit, self.x, self.y) = (.canvasPixels, x, y) }

    fileprivate init(_ name: PageName) { (unit, x, y) = (.name(name), 0, 0) }

    init?(text: String) {
        if let name = PageName(text: text) {
            self.init(name)
            return
        }
        let isOfPage = text.hasPrefix(Self.pagePrefix)
        self.init(isOfPage ? text.dropFirst(Self.pagePrefix.count) : text[...], isOfPage: isOfPage)
    }

    /// - Parameter text: without the prefix.
    fileprivate init?(_ text: Substring, isOfPage: Bool) {
        let isPercent = !isOfPage && text.contains("%" as Character)
        let axes = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { part -> Double? in
            guard (part.last == "%") == isPercent else { return nil }
            return Double(decimal: isPercent ? part.dropLast() : part)
        }
        guard axes.count == 2, text.reduce(0, { $0 + ($1 == "," ? 1 : 0) }) == 1,
            axes.allSatisfy({ abs($0) <= Self.limit })
        else { return nil }
        (x, y) = (axes[0], axes[1])
        unit = isOfPage ? .pagePixels : isPercent ? .percent : .canvasPixels
    }

    /// The position in canvas pixels.
    func point(on page: PlacedPage) -> Point {
        let rect = page.rect
        let point =
            switch unit {
            case .canvasPixels: Point(x: x, y: y)
            case .pagePixels: page.canvasPoint(x, y)
            case .percent: Point(x: rect.x + x * rect.width / 100, y: rect.y + y * rect.height / 100)
            case .name(let name): page.boxes[name]?.center ?? rect.center
            }
        // What scenes may have; no canvas reaches so far.
        let range = -Self.limit...Self.limit
        return Point(x: point.x.clamped(to: range), y: point.y.clamped(to: range))
    }
}

/// The one grammar of a rectangle.
extension Position {
    /// For messages.
    static let rectForms = "X,Y,WxH or two opposite corners, X0,Y0..X1,Y1"
    /// What is wrong with a rectangle that has no area.
    static let emptiness = "the region has no width or no height; both have to be above 0"

    /// Two opposite corners, in one unit, of a rectangle that is written in one of the two forms; nil for any other text.
    static func corners(ofRect argument: String) -> [Position]? {
        let isOfPage = argument.hasPrefix(pagePrefix)
        let text = isOfPage ? argument.dropFirst(pagePrefix.count) : argument[...]
        if let dots = text.indices.first(where: { text[$0...].hasPrefix("..") }) {
            var end = text[dots...].dropFirst(2)
            // The prefix may be repeated.
            if isOfPage, end.hasPrefix(pagePrefix) { end = end.dropFirst(pagePrefix.count) }
            let corners = [text[..<dots], end].compactMap { Position($0, isOfPage: isOfPage) }
            return corners.count == 2 && corners[0].unit == corners[1].unit ? corners : nil
        }
        // A size is written as a position is, but for the sign between its numbers.
        guard let comma = text.lastIndex(of: ","), let start = Position(text[..<comma], isOfPage: isOfPage),
            case let size = String(text[comma...].dropFirst().map { $0 == "x" ? "," : $0 }),
            var end = Position(size[...], isOfPage: isOfPage), end.x >= 0, end.y >= 0, end.unit == start.unit
        else { return nil }
        (end.x, end.y) = (start.x + end.x, start.y + end.y)
        return [start, end]
    }
}

extension PixelRect {
    /// The value of a flag: a rectangle in whole pixels of a picture. It may reach beyond the picture.
    /// - Throws: that the text is none.
    package init(flag text: String) throws(ComposeError) {
        guard let corners = Position.corners(ofRect: text),
            corners.allSatisfy({ $0.unit == .canvasPixels && $0.x == $0.x.rounded() && $0.y == $0.y.rounded() })
        else {
            throw ComposeError(.usage, "'\(text.quotable)' is not a region in whole pixels: \(Position.rectForms)")
        }
        let (x, y) = (corners.map { Int($0.x) }, corners.map { Int($0.y) })
        self.init(min(x[0], x[1])..<max(x[0], x[1]), min(y[0], y[1])..<max(y[0], y[1]))
        if isEmpty { throw ComposeError(.usage, Position.emptiness) }
    }
}

/// The target that a loupe shows, as it is written: a position, a region, or a name, whose box is the region.
struct FocusTarget: Hashable, Sendable {
    /// For messages.
    static let forms = "\(Position.forms); a region is \(Position.rectForms), in one of these units"

    /// One position, or two opposite corners.
    private let corners: [Position]

    /// A region in canvas pixels.
    init(_ rect: Rect) {
        corners = [Position(x: rect.minX, y: rect.minY), Position(x: rect.maxX, y: rect.maxY)]
    }

    init?(text: String) {
        guard let corners = Position(text: text).map({ [$0] }) ?? Position.corners(ofRect: text) else { return nil }
        self.corners = corners
    }

    /// Nil for coordinates.
    var name: PageName? { corners[0].name }
    /// Whether it is a region, also that of a name.
    var isRegion: Bool { corners.count == 2 || name != nil }
    /// The unit of its corners; nil for a name.
    var unit: Position.Unit? { name == nil ? corners[0].unit : nil }

    /// The text in percent where somebody may have meant a part of the page: two fractions of a canvas pixel; else nil.
    var percentText: String? {
        guard corners.count == 1, corners[0].unit == .canvasPixels, 0.0..<1 ~= corners[0].x, 0.0..<1 ~= corners[0].y,
            corners[0].x * corners[0].y > 0
        else { return nil }
        let parts = [corners[0].x, corners[0].y].map { ((10_000 * $0).rounded() / 100).jsonText + "%" }
        return parts.joined(separator: ",")
    }

    /// The point at the loupe's centre, and the region that it has to show, in canvas pixels.
    func resolved(on page: PlacedPage) -> (point: Point, region: FocusRegion?) {
        let points = corners.map { $0.point(on: page) }
        if let name, let box = page.boxes[name] { return (points[0], FocusRegion(rect: box)) }
        guard points.count == 2 else { return (points[0], nil) }
        let (x, y) = (min(points[0].x, points[1].x), min(points[0].y, points[1].y))
        let rect = Rect(x: x, y: y, width: abs(points[0].x - points[1].x), height: abs(points[0].y - points[1].y))
        return (rect.center, FocusRegion(rect: rect))
    }
}

/// `FX,FY@CX,CY`, or `FX,FY` for a loupe that is to be placed; both in any of their forms. A text may have the sign, too.
struct CalloutTarget: Hashable, Sendable {
    var focus: FocusTarget
    let center: Position?

    init?(text: String) {
        if let (before, after) = Self.sides(of: text), let focus = FocusTarget(text: before),
            let center = Position(text: after)
        {
            (self.focus, self.center) = (focus, center)
        } else if let focus = FocusTarget(text: text) {
            (self.focus, center) = (focus, nil)
        } else {
            return nil
        }
    }
}

extension CalloutTarget {
    /// The texts before and after the last sign; nil where there is none.
    private static func sides(of target: String) -> (focus: String, center: String)? {
        target.lastIndex(of: "@").map { (String(target[..<$0]), String(target[$0...].dropFirst())) }
    }

    /// The texts of what is shown and of the centre, of a target that has been read before.
    static func texts(of target: String) -> (focus: String, center: String?) {
        guard CalloutTarget(text: target)?.center != nil, let sides = sides(of: target) else { return (target, nil) }
        return sides
    }

    /// A callout's target, and the words of its loupe behind it: `40%,30%@600,200 zoom=3`.
    static func parts(of text: String) -> (target: String, words: String) {
        let all = PageName.words(of: text)
        let own = all.indices.dropFirst().first { index in
            PictureOption.wordKeys.contains { all[index].hasPrefix($0 + "=") }
        }
        guard let own else { return (text, "") }
        return (String(text[..<all[own - 1].endIndex]), String(text[all[own].startIndex...]))
    }
}

/// A callout as it is asked for.
struct GivenCallout: Hashable, Sendable {
    var target: CalloutTarget
    /// The options of its own words, which go before those of all callouts.
    var own: OptionValues

    /// - Parameter index: of the callout among several, for errors.
    init(_ entry: GivenOptions.Entry, index: Int?) throws(ComposeError) {
        let text = String(decoding: entry.value, as: UTF8.self)
        let (aim, words) = CalloutTarget.parts(of: text)
        guard let target = CalloutTarget(text: aim) else {
            throw ComposeError(.usage, "\(entry.shown): \(PictureOption.callout.value.refusal(of: aim))")
        }
        var given = GivenOptions()
        if !words.isEmpty {
            given = try GivenOptions(
                words: GivenOptions.Entry(name: entry.name, value: Array(words.utf8), shown: entry.shown), index: index)
        }
        (self.target, own) = (target, try OptionValues(given))
        if let word = own.first(of: [.at, .focus]) {
            throw ComposeError(.usage, "\(word): the callout says that before its words; leave it out")
        }
    }
}

/// A region that a loupe has to show whole, and what follows from it: the loupe's zoom, its radius, or both.
struct FocusRegion {
    /// In canvas pixels.
    let rect: Rect

    /// Where both the radius and the zoom follow, the zoom is at least this.
    static let leastZoom = 2.0
    /// The same of a region whose rectangle would become larger than the page: less would hardly magnify.
    static let leastZoomOnLargeRegions = 1.25

    /// The shape and the zoom of a loupe that shows no more than it has to.
    /// - Parameters:
    ///   - shape: a given rectangle, a disc of a given radius, or of the default one.
    ///   - zoom: nil where none is given.
    ///   - isSized: whether the shape's size is given.
    ///   - flag: for errors.
    func fit(_ shape: Loupe.Shape, zoom: Double?, isSized: Bool, flag: String) throws(ComposeError) -> (
        Loupe.Shape, Double
    ) {
        guard rect.width > 0, rect.height > 0 else { throw ComposeError(.usage, "\(flag): \(Position.emptiness)") }
        if isSized, zoom != nil {
            throw ComposeError(
                .usage,
                "\(flag): a region decides how far the loupe magnifies or how large it is; leave out its zoom or its size, or name a point"
            )
        }
        let largest = zoomThatFills(shape)
        let found = zoom ?? (isSized ? largest : largest.clamped(to: Self.leastZoom...Loupe.zoomRange.upperBound))
        guard Loupe.zoomRange.contains(found) else {
            let advice = found < 1 ? "make it larger or the region smaller" : "make it smaller or the region larger"
            throw ComposeError(
                .usage,
                "\(flag): a region of \(rect.width.jsonText)×\(rect.height.jsonText) canvas pixels needs a zoom of \((found * 1000).rounded() / 1000) in a loupe of this size; allowed is 1…64; leave out the loupe's size, or \(advice)"
            )
        }
        guard case .circle = shape, !isSized else { return (shape, found) }
        // A billionth of a pixel is a rounding error.
        let radius = ((found * sourceRadius - 1e-9) * 1000).rounded(.up) / 1000
        guard Loupe.radiusRange.contains(radius) else {
            throw ComposeError(
                .usage,
                "\(flag): a region of \(rect.width.jsonText)×\(rect.height.jsonText) canvas pixels at a zoom of \(found.jsonText) needs a radius of \(radius.jsonText); allowed is 1…8192; give another zoom"
            )
        }
        return (.circle(radius: radius), found)
    }

    /// How far a rectangle magnifies that is about as large as a disc of a radius, but at least twice, and no larger than the
    /// page, if that is 1.25 times or more; nil for an empty region.
    /// - Parameter page: in canvas pixels.
    func usualZoom(asLargeAs radius: Double, on page: Rect) -> Double? {
        guard rect.width > 0, rect.height > 0 else { return nil }
        let fitting = max(Self.leastZoom, 1.8 * radius / (rect.width * rect.height).squareRoot())
        let largest = max(Self.leastZoomOnLargeRegions, min(page.width / rect.width, page.height / rect.height))
        return min((min(fitting, largest) * 100 + 1e-6).rounded(.down) / 100, Loupe.zoomRange.upperBound)
    }

    /// The region as a rectangle; nil where it is too small or too large for one.
    /// - Parameter pixel: the length of a pixel of the picture, in canvas pixels.
    func rectangle(zoom: Double, pixel: Double) -> Loupe.Shape? {
        let (width, height) = ((rect.width * zoom).rounded(), (rect.height * zoom).rounded())
        let sides = Loupe.Rectangle.sideRange
        guard sides.contains(width), sides.contains(height) else { return nil }
        let corner = Corner(
            radius: Loupe.Rectangle.defaultCornerRadius(width: width, height: height, pixel: pixel))
        return .rectangle(Loupe.Rectangle(width: width, height: height, corner: corner))
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
