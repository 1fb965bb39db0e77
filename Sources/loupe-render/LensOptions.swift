import ArgumentParser
import LoupeGeometry
import LoupeScene

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
    func otherHalf() throws -> Loupe.Versus? {
        guard let versus else {
            guard let flag = given.first(where: { !$0.hasPrefix("--shape") }) else { return nil }
            throw Failure(.usage, "\(flag): the loupe is not split; say what its other half shows with --versus PNG")
        }
        if dividerColor != nil && dividerWidth == nil {
            throw Failure(.usage, "--divider-color: there is no line; say how wide it is with --divider-width W")
        }
        let divider = try dividerWidth.map {
            Loupe.Versus.Divider(
                width: try FlagValue.checked("--divider-width", $0, in: Loupe.Versus.Divider.widthRange),
                color: dividerColor ?? .defaultRim)
        }
        return Loupe.Versus(
            image: versus,
            angle: try FlagValue.checked("--versus-angle", versusAngle ?? 0, in: Loupe.Versus.angleRange),
            divider: divider)
    }
}
