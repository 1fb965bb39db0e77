import LoupeBase
import LoupeScene

/// A loupe as options ask for it: those of the flags, or the words of `--loupe`.
struct AskedLoupe {
    let options: OptionValues
    /// Nil where a place is to be found.
    let center: Position?
    /// Nil for what lies under the loupe.
    let focus: FocusTarget?
    /// Whether it has a ring and lines unless options say otherwise.
    var isCallout = false
    /// Of the option that names the focus, for errors.
    let name: String
}

/// From what options ask for to a loupe of a scene, over a page.
struct LoupeRequest {
    let asked: AskedLoupe
    let page: PlacedPage
    /// Of a disc for which no radius is given, in canvas pixels.
    let standardRadius: Double
    /// Of regions that are shown in rectangles, unless they differ much in size.
    let regionZoom: Double?
    /// The length of a pixel of the picture, in canvas pixels.
    let pixel: Double
    /// Whether no default style adds what is missing, such as the width of a rim.
    let isPlain: Bool
    /// Whether the page is all that there is on the canvas, with square corners.
    let fillsCanvas: Bool

    static let defaultZoom = 3.0

    private var options: OptionValues { asked.options }
    private var isCallout: Bool { asked.isCallout }

    /// A fifth of the canvas's shorter side, in whole pixels.
    static func defaultRadius(on canvas: Scene.Canvas) -> Double {
        max(1, (Double(min(canvas.width, canvas.height)) / 5).rounded())
    }

    /// Whether options say how large the loupe is.
    static func isSized(_ options: OptionValues) -> Bool { options.has(.radius) || options.shape?.size != nil }

    /// The loupe; the centre of one without a place means nothing.
    func loupe() throws(ComposeError) -> Loupe {
        let target = asked.focus?.resolved(on: page)
        if target?.region == nil, let given = options.shape, given.size == nil, !given.isCircle {
            throw ComposeError(
                .usage, "\(options.shown(.shape)): only a callout's region has a form without a size; write WxH")
        }
        let (shape, zoom) = try size(showing: target?.region)
        var loupe = Loupe(
            center: asked.center?.point(on: page) ?? target?.point ?? .zero, shape: shape,
            zoom: zoom ?? Self.defaultZoom, focus: target?.point, filter: .auto)
        try checkNeeds()
        if options.has(.rimColor) { loupe.rim = Loupe.Rim(width: 0, color: .defaultRim) }
        if options.has(.grid) || options.has(.gridColor) { loupe.grid = TexelGrid(width: pixel) }
        if options.has(.mark) || options.has(.markColor) { loupe.mark = TexelMark(width: 2 * pixel) }
        let hasRing = isCallout || options.first(of: [.ring, .ringWidth, .ringColor]) != nil
        let callout = Callout(ring: hasRing ? Callout.Ring() : nil, connector: try connector)
        if callout != Callout() { loupe.callout = callout }
        if isCallout, fillsCanvas, let target, isOnPage(target, in: shape) { loupe.outside = .clamp }
        try options.setFields(of: &loupe)
        loupe.split = split
        guard callout == Callout() || asked.focus != nil else {
            let flag = options.first(of: [.ringWidth, .ringColor, .connector, .connectorWidth, .connectorColor])
            throw ComposeError(
                .usage,
                "\(flag ?? "--connector"): the loupe covers the part of the page that it shows; say which other one with \(asked.name.hasPrefix("--loupe") ? "focus=X,Y" : "--focus X,Y")"
            )
        }
        return loupe
    }

    /// The shape, and the zoom where it is given or follows from a region.
    private func size(showing region: FocusRegion?) throws(ComposeError) -> (shape: Loupe.Shape, zoom: Double?) {
        let (shape, zoom, isSized) = (try shape, options.number(.zoom), Self.isSized(options))
        // Of a name, whose box nobody has measured, a loupe of a given size and zoom shows the middle.
        guard let region, !isSized || zoom == nil || asked.focus?.name == nil else { return (shape, zoom) }
        if isCallout, !isSized, options.shape?.isCircle != true,
            let found = zoom ?? region.usualZoom(asLargeAs: standardRadius, on: page.rect).map(alike),
            let rectangle = region.rectangle(zoom: found, pixel: pixel)
        {
            return (rectangle, found)
        }
        return try region.fit(shape, zoom: zoom, isSized: isSized, flag: asked.name)
    }

    /// Whether a loupe shows all that is asked for while its view stays on the page. A disc shows more than a region, and would
    /// lose the region's corners.
    private func isOnPage(_ target: (point: Point, region: FocusRegion?), in shape: Loupe.Shape) -> Bool {
        if target.region != nil, case .circle = shape { return false }
        let asked = target.region?.rect ?? Rect(x: target.point.x, y: target.point.y, width: 0, height: 0)
        return page.rect.contains(asked)
    }

    /// One zoom for all regions of a figure, where theirs are almost alike.
    private func alike(_ zoom: Double) -> Double {
        guard let regionZoom, zoom < 1.25 * regionZoom else { return zoom }
        return regionZoom
    }

    private var shape: Loupe.Shape {
        get throws(ComposeError) {
            let given = options.shape
            guard let size = given?.size else {
                return .circle(radius: options.number(.radius) ?? standardRadius)
            }
            guard !options.has(.radius) else {
                throw ComposeError(
                    .usage,
                    "\(options.shown(.radius)): \(options.shown(.shape)) sets the loupe's size already; leave out one")
            }
            let (width, height) = (size.dx, size.dy)
            for side in [width, height] { _ = try options.checked(side, .shape, in: Loupe.Rectangle.sideRange) }
            let rect = Rect(x: 0, y: 0, width: width, height: height)
            var radii = CornerRadii(Loupe.Rectangle.defaultCornerRadius(width: width, height: height, pixel: pixel))
            if let corner = given?.corner { radii = try options.checked(corner.radii, .shape, fitting: rect) }
            let curve = given?.corner?.curve ?? .exponent(4)
            return .rectangle(Loupe.Rectangle(width: width, height: height, corner: curve.corner(of: radii, in: rect)))
        }
    }

    /// Options that do nothing without one of others, and what is wrong then.
    private static let needs: [(options: [PictureOption], others: [PictureOption], problem: String)] = [
        ([.versusAngle, .dividerWidth, .dividerColor], [.versus], "there is no other half"),
        ([.dividerColor], [.dividerWidth], "there is no line between the halves"),
    ]
    /// The same of loupes without the default style.
    private static let plainNeeds: [(options: [PictureOption], others: [PictureOption], problem: String)] = [
        ([.rimColor], [.rimWidth], "there is no rim"),
        ([.shadowColor], [.shadowBlur, .shadowOffset], "there is no shadow"),
    ]

    private func checkNeeds() throws(ComposeError) {
        for (needing, others, problem) in isPlain ? Self.needs + Self.plainNeeds : Self.needs {
            guard options.first(of: others) == nil, let flag = options.first(of: needing) else { continue }
            throw ComposeError(.usage, "\(flag): \(problem); add one with \(others[0].flag) \(others[0].valueName)")
        }
    }

    private var split: Loupe.Split? {
        guard let image = options.versus else { return nil }
        let color = options.color(.dividerColor) ?? .defaultRim
        return Loupe.Split(
            image: image, angle: options.number(.versusAngle) ?? 0,
            divider: options.number(.dividerWidth).map { Loupe.Split.Divider(width: $0, color: color) })
    }

    private var connector: Connector? {
        get throws(ComposeError) {
            let name = options.text(.connector)
            let isNamed = options.has(.connectorWidth) || options.has(.connectorColor)
            let isWord = isNamed && name == nil && !options.isOfFlags
            guard let style = Connector.Style(rawValue: name ?? (isCallout ? "leader" : isWord ? "lines" : "none"))
            else {
                if isNamed, let flag = options.first(of: [.connectorWidth, .connectorColor]) {
                    throw ComposeError(
                        .usage,
                        "\(flag): there is no connector; say which with --connector lines, cone, arrow or leader")
                }
                return nil
            }
            return Connector(style.shape())
        }
    }
}

extension Loupe.Rectangle {
    /// A twentieth of the shorter side, 6 to 12 pixels of the picture, if that fits.
    static func defaultCornerRadius(width: Double, height: Double, pixel: Double = 1) -> Double {
        let side = min(width, height)
        return min(side / 2, pixel * (side / pixel / 20).rounded().clamped(to: 6...12))
    }
}
