import ArgumentParser
import LoupeGeometry
import LoupeScene

/// The flags that put a loupe over the page.
struct LoupeOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The loupe's centre on the canvas, in pixels. Without it there is no loupe.", valueName: "X,Y"))
    var at: Coordinates?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The loupe's radius in canvas pixels, 1 to 8192. Default: a fifth of the canvas's shorter side.",
            valueName: "R"))
    var radius: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Magnification relative to the canvas, 1 to 64. Default: 4.", valueName: "Z"))
    var zoom: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The canvas point shown at the loupe's centre. Default: the centre.", valueName: "X,Y"))
    var focus: Coordinates?

    @Option(
        help: ArgumentHelp(
            "The loupe's filter: nearest, linear, cubic, lanczos or auto. Default: linear.", valueName: "F"))
    var filter: LoupeFilter?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The rim's width in canvas pixels, 0 to the radius. Default: no rim.", valueName: "W"))
    var rimWidth: Double?

    @Option(help: ArgumentHelp("The rim's colour. Default: #ffffff.", valueName: "COLOR"))
    var rimColor: Color?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The shadow's blur, twice its standard deviation, in canvas pixels. Default: 0.", valueName: "B"))
    var shadowBlur: Double?

    @Option(help: ArgumentHelp("The shadow's colour. Default: #00000080.", valueName: "COLOR"))
    var shadowColor: Color?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The shadow's offset in canvas pixels. Default: 0,0.", valueName: "X,Y"))
    var shadowOffset: Coordinates?

    @OptionGroup var lens: LensOptions

    var given: [String] {
        [
            at.map { _ in "--at" }, radius.map { _ in "--radius" }, zoom.map { _ in "--zoom" },
            focus.map { _ in "--focus" }, filter.map { _ in "--filter" }, rimWidth.map { _ in "--rim-width" },
            rimColor.map { _ in "--rim-color" }, shadowBlur.map { _ in "--shadow-blur" },
            shadowColor.map { _ in "--shadow-color" }, shadowOffset.map { _ in "--shadow-offset" },
        ].compactMap(\.self) + lens.given
    }

    static let defaultZoom = 4.0

    /// A fifth of the canvas's shorter side.
    static func defaultRadius(on canvas: Scene.Canvas) -> Double {
        max(1, Double(min(canvas.width, canvas.height)) / 5)
    }

    /// The loupe over a canvas.
    func loupe(at center: Point, focus: Point?, on canvas: Scene.Canvas) throws -> Loupe {
        if rimColor != nil && rimWidth == nil {
            throw Failure(.usage, "--rim-color: there is no rim; say how wide it is with --rim-width W")
        }
        let shape = try shape(on: canvas)
        let middle = Loupe(center: center, shape: shape, zoom: 1).radius
        let rim = try rimWidth.map {
            Loupe.Rim(width: try FlagValue.checked("--rim-width", $0, in: 0...middle), color: rimColor ?? .defaultRim)
        }
        return Loupe(
            center: center, shape: shape,
            zoom: try FlagValue.checked("--zoom", zoom ?? Self.defaultZoom, in: Loupe.zoomRange),
            focus: focus, filter: filter ?? .linear, rim: rim, shadow: try shadow, split: try lens.otherHalf())
    }

    private func shape(on canvas: Scene.Canvas) throws -> Loupe.Shape {
        if let rectangle = try lens.rectangle() {
            guard radius == nil else {
                throw Failure(.usage, "--radius: not beside --shape-size, which says how large the loupe is")
            }
            return .rectangle(rectangle)
        }
        return .circle(
            radius: try FlagValue.checked(
                "--radius", radius ?? Self.defaultRadius(on: canvas), in: Loupe.radiusRange))
    }

    private var shadow: Loupe.Shadow? {
        get throws {
            guard shadowBlur != nil || shadowColor != nil || shadowOffset != nil else { return nil }
            let blur = try FlagValue.checked("--shadow-blur", shadowBlur ?? 0, in: Loupe.Shadow.blurRange)
            let offset = shadowOffset?.point ?? .zero
            return Loupe.Shadow(
                offset: Vector(dx: offset.x, dy: offset.y), blur: blur, color: shadowColor ?? .defaultShadow)
        }
    }
}

/// The flags that shape a loupe and split it.
struct LensOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A rectangle in place of the disc, in canvas pixels, 2 to 16384 each way; --radius is not given then.",
            valueName: "WxH"))
    var shapeSize: CanvasSize?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The rectangle's corner radius, written as the page's. Default: a quarter of the shorter side.",
            valueName: "R"))
    var shapeRadius: CornerRadiiArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The rectangle's corner exponent, 1 to 32. Default: 4.", valueName: "N"))
    var shapeExponent: Double?

    @Option(
        help: ArgumentHelp(
            "Split the loupe: a PNG that its other half shows in the place of the page.", valueName: "PNG"))
    var versus: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Degrees by which the halves are turned clockwise, -180 to 180. Default: 0, the other half on the right.",
            valueName: "A"))
    var versusAngle: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "The width of the line between the halves, in canvas pixels. Default: no line.", valueName: "W"))
    var dividerWidth: Double?

    @Option(help: ArgumentHelp("The line's colour. Default: #ffffff.", valueName: "COLOR"))
    var dividerColor: Color?

    var given: [String] {
        [
            shapeSize.map { _ in "--shape-size" }, shapeRadius.map { _ in "--shape-radius" },
            shapeExponent.map { _ in "--shape-exponent" }, versus.map { _ in "--versus" },
            versusAngle.map { _ in "--versus-angle" }, dividerWidth.map { _ in "--divider-width" },
            dividerColor.map { _ in "--divider-color" },
        ].compactMap(\.self)
    }

    /// The rectangle in the disc's place, if there is one.
    func rectangle() throws -> Loupe.Rectangle? {
        guard let shapeSize else {
            guard let flag = given.first(where: { $0.hasPrefix("--shape") }) else { return nil }
            throw Failure(.usage, "\(flag): the loupe is a disc; say how large a rectangle is with --shape-size WxH")
        }
        let sides = [shapeSize.width, shapeSize.height].map(Double.init)
        for side in sides { _ = try FlagValue.checked("--shape-size", side, in: Loupe.Rectangle.sideRange) }
        let rect = Rect(x: 0, y: 0, width: sides[0], height: sides[1])
        let radii = shapeRadius ?? CornerRadiiArgument(CornerRadii(rect.shorterSide / 4))
        return Loupe.Rectangle(
            width: sides[0], height: sides[1],
            corner: Corner(
                radii: try radii.checked("--shape-radius", for: rect),
                exponent: try FlagValue.checked("--shape-exponent", shapeExponent ?? 4, in: Corner.exponentRange)))
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
                width: try FlagValue.checked("--divider-width", $0, in: Loupe.Split.Divider.widthRange),
                color: dividerColor ?? .defaultRim)
        }
        return Loupe.Split(
            image: versus,
            angle: try FlagValue.checked("--versus-angle", versusAngle ?? 0, in: Loupe.Split.angleRange),
            divider: divider)
    }
}
