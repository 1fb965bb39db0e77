import ArgumentParser
import LoupeGeometry
import LoupePlan
import LoupeScene

/// The flags that put a loupe over the page.
struct LoupeOptions: ParsableArguments {
    @Option(.at) var at: Position?
    @Option(.radius) var radius: Double?
    @Option(.zoom) var zoom: Double?
    @Option(.focus) var focus: FocusArgument?
    @Option(.filter) var filter: LoupeFilter?
    @Option(.rimWidth) var rimWidth: Double?
    @Option(.rimColor) var rimColor: Color?
    @Option(.shadowBlur) var shadowBlur: Double?
    @Option(.shadowColor) var shadowColor: Color?
    @Option(.shadowOffset) var shadowOffset: Coordinates?

    @OptionGroup var shapeAndSplit: ShapeAndSplitOptions

    static let defaultZoom = 4.0

    /// A fifth of the canvas's shorter side.
    static func defaultRadius(on canvas: Scene.Canvas) -> Double {
        max(1, Double(min(canvas.width, canvas.height)) / 5)
    }

    /// The loupe over a canvas.
    /// - Parameters:
    ///   - region: what it has to show, around the focus.
    ///   - flag: that names the region.
    ///   - standardRadius: of a disc for which no radius is given.
    ///   - isPlain: whether no default style adds what is missing, such as the width of a rim.
    func loupe(
        at center: Point, focus: Point?, region: FocusRegion? = nil, flag: String, standardRadius: Double, isPlain: Bool
    ) throws -> Loupe {
        if rimColor != nil && rimWidth == nil && isPlain {
            throw Failure(.usage, "--rim-color: there is no rim; say how wide it is with --rim-width W")
        }
        if rimColor != nil, rimWidth == 0 {
            throw Failure(.usage, "--rim-color: a rim of width 0 is not drawn; leave out --rim-color or --rim-width")
        }
        if shadowColor != nil && shadowBlur == nil && shadowOffset == nil && isPlain {
            throw Failure(
                .usage, "--shadow-color: there is no shadow; add one with --shadow-blur B or --shadow-offset DX,DY")
        }
        var (shape, zoom) = (
            try shape(standardRadius: standardRadius), try zoom.map { try PictureOption.zoom.checked($0) }
        )
        if let region {
            (shape, zoom) = try region.fit(shape, zoom: zoom, isSized: isSized, flag: flag)
        }
        let middle = Loupe(center: center, shape: shape, zoom: 1).radius
        let width = rimWidth ?? (rimColor == nil ? nil : 0)
        let rim = try width.map {
            Loupe.Rim(width: try PictureOption.rimWidth.checked($0, in: 0...middle), color: rimColor ?? .defaultRim)
        }
        return Loupe(
            center: center, shape: shape,
            zoom: zoom ?? Self.defaultZoom,
            focus: focus, filter: filter ?? .auto, rim: rim, shadow: try shadow, split: try shapeAndSplit.otherHalf())
    }

    /// Whether the flags say how large the loupe is.
    var isSized: Bool { radius != nil || shapeAndSplit.shapeSize != nil }

    /// What the default style leaves alone.
    var givenParts: DefaultStyle.Parts {
        var parts: DefaultStyle.Parts = []
        if rimWidth != nil { parts.insert(.rimWidth) }
        if rimColor != nil { parts.insert(.rimColor) }
        if shadowBlur != nil { parts.insert(.shadowBlur) }
        if shadowOffset != nil { parts.insert(.shadowOffset) }
        if shadowColor != nil { parts.insert(.shadowColor) }
        return parts
    }

    private func shape(standardRadius: Double) throws -> Loupe.Shape {
        if let rectangle = try shapeAndSplit.rectangle() {
            guard radius == nil else {
                throw Failure(.usage, "--radius: --shape-size sets the loupe's size already; leave out one")
            }
            return .rectangle(rectangle)
        }
        return .circle(
            radius: try PictureOption.radius.checked(radius ?? standardRadius))
    }

    private var shadow: Loupe.Shadow? {
        get throws {
            guard shadowBlur != nil || shadowColor != nil || shadowOffset != nil else { return nil }
            let blur = try PictureOption.shadowBlur.checked(shadowBlur ?? 0)
            let offset = shadowOffset?.point ?? .zero
            return Loupe.Shadow(
                offset: Vector(dx: offset.x, dy: offset.y), blur: blur, color: shadowColor ?? .defaultShadow)
        }
    }
}

/// The flags that shape a loupe and split it.
struct ShapeAndSplitOptions: ParsableArguments {
    @Option(.shapeSize) var shapeSize: ImageSize?
    @Option(.shapeRadius) var shapeRadius: CornerRadiiArgument?
    @Option(.shapeExponent) var shapeExponent: Double?
    @Option(.versus) var versus: InputPath?
    @Option(.versusAngle) var versusAngle: Double?
    @Option(.dividerWidth) var dividerWidth: Double?
    @Option(.dividerColor) var dividerColor: Color?

    /// The rectangle in the disc's place, if there is one.
    func rectangle() throws -> Loupe.Rectangle? {
        guard let shapeSize else {
            guard let flag = given.first(where: { $0.hasPrefix("--shape") }) else { return nil }
            throw Failure(.usage, "\(flag): the loupe is a disc; say how large a rectangle is with --shape-size WxH")
        }
        let sides = [shapeSize.width, shapeSize.height].map(Double.init)
        for side in sides {
            _ = try FlagValue.checked(PictureOption.shapeSize.flag, side, in: Loupe.Rectangle.sideRange)
        }
        let rect = Rect(x: 0, y: 0, width: sides[0], height: sides[1])
        let radii = shapeRadius ?? CornerRadiiArgument(CornerRadii(rect.shorterSide / 4))
        return Loupe.Rectangle(
            width: sides[0], height: sides[1],
            corner: Corner(
                radii: try radii.checked(.shapeRadius, for: rect),
                exponent: try PictureOption.shapeExponent.checked(shapeExponent ?? 4)))
    }

    /// What the other half shows, if the loupe is split.
    func otherHalf() throws -> Loupe.Split? {
        guard let versus else {
            guard let flag = given.first(where: { !$0.hasPrefix("--shape") }) else { return nil }
            throw Failure(.usage, "\(flag): the loupe is not split; say what its other half shows with --versus PNG")
        }
        if dividerColor != nil && dividerWidth == nil {
            throw Failure(.usage, "--divider-color: there is no line; say how wide it is with --divider-width W")
        }
        let divider = try dividerWidth.map {
            Loupe.Split.Divider(
                width: try PictureOption.dividerWidth.checked($0),
                color: dividerColor ?? .defaultRim)
        }
        return Loupe.Split(
            image: ImagePath(bytes: versus.path.bytes),
            angle: try PictureOption.versusAngle.checked(versusAngle ?? 0),
            divider: divider)
    }
}
