import ArgumentParser
import LoupeGeometry
import LoupeScene

/// The flags that make a scene of a single page (SPEC 8).
struct PageOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Canvas size in pixels; the page is scaled to fit. Default: the page and its margin.", valueName: "WxH"))
    var canvas: CanvasSize?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Room around the page, in canvas pixels, 0 or more.", valueName: "M"))
    var margin: Double?

    @Option(help: ArgumentHelp("#rgb, #rgba, #rrggbb or #rrggbbaa. Default: #cccccc.", valueName: "COLOR"))
    var background: Color?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            """
            The page's corner radius in canvas pixels, 0 to half its shorter side; RX/RY for one along each edge; four \
            with commas for top left, top right, bottom right, bottom left. Default: 0.
            """, valueName: "R"))
    var cornerRadius: CornerRadiiArgument?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("1 to 32: 1 a bevel, 2 round, 4 the CSS squircle. Default: 4.", valueName: "N"))
    var cornerExponent: Double?

    @Option(help: ArgumentHelp("In place of the exponent: round, squircle, bevel or ios.", valueName: "STYLE"))
    var cornerStyle: CornerStyle?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("In place of the exponent: k of CSS's superellipse(k), 0 to 5.", valueName: "K"))
    var cornerCss: Double?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("In place of the exponent: Figma's corner smoothing, 0 to 1.", valueName: "S"))
    var cornerFigma: Double?

    @Flag(
        help: "Take the corner radius for that of a round corner, and make the corner look as large as that one.")
    var cornerKeepDiagonal = false

    @Option(
        help: ArgumentHelp("The page's filter: nearest, linear, cubic or lanczos. Default: lanczos.", valueName: "F"))
    var pageFilter: Filter?

    @Option(help: ArgumentHelp("srgb: blend encoded values; linear: in linear light. Default: srgb.", valueName: "B"))
    var blending: Blending?

    /// The flags that were given, as they are written on the command line.
    var given: [String] {
        [
            canvas.map { _ in "--canvas" }, margin.map { _ in "--margin" }, background.map { _ in "--background" },
            cornerRadius.map { _ in "--corner-radius" }, cornerExponent.map { _ in "--corner-exponent" },
            cornerStyle.map { _ in "--corner-style" }, cornerCss.map { _ in "--corner-css" },
            cornerFigma.map { _ in "--corner-figma" }, cornerKeepDiagonal ? "--corner-keep-diagonal" : nil,
            pageFilter.map { _ in "--page-filter" }, blending.map { _ in "--blending" },
        ].compactMap(\.self)
    }

    /// A scene of one page without loupes.
    func scene(page path: String, width: Int, height: Int) throws -> Scene {
        let margin = try FlagValue.checked("--margin", margin ?? 0, in: 0...8192)
        let size =
            canvas
            ?? CanvasSize(
                width: width + Int((2 * margin).rounded(.up)), height: height + Int((2 * margin).rounded(.up)))
        for side in [size.width, size.height] where !Scene.Canvas.sideRange.contains(side) {
            throw Failure(
                canvas == nil ? .badInput : .usage,
                "\(canvas == nil ? path : "--canvas"): a canvas of \(size.width)×\(size.height) is out of range; allowed is 1…16384 each way\(canvas == nil ? "; give a smaller one with --canvas WxH" : "")"
            )
        }
        let rect = try pageRect(width: width, height: height, on: size, margin: margin)
        let layer = Layer(
            content: .image(path: path), rect: rect, corner: try corner(of: rect), filter: pageFilter ?? .lanczos)
        return Scene(
            canvas: .init(width: size.width, height: size.height, background: background ?? .defaultBackground),
            blending: blending ?? .srgb, layers: [layer])
    }

    /// Unscaled inside the margin, or scaled to fit a given canvas, centred.
    private func pageRect(width: Int, height: Int, on size: CanvasSize, margin: Double) throws -> Rect {
        guard canvas != nil else {
            return Rect(x: margin, y: margin, width: Double(width), height: Double(height))
        }
        let room = (width: Double(size.width) - 2 * margin, height: Double(size.height) - 2 * margin)
        guard room.width > 0, room.height > 0 else {
            throw Failure(.usage, "--margin: \(margin) leaves no room on a canvas of \(size.width)×\(size.height)")
        }
        let (wide, high) = (Double(width), Double(height))
        let fitted =
            room.width * high <= room.height * wide
            ? (width: room.width, height: high * room.width / wide)
            : (width: wide * room.height / high, height: room.height)
        return Rect(
            x: (Double(size.width) - fitted.width) / 2, y: (Double(size.height) - fitted.height) / 2,
            width: fitted.width, height: fitted.height)
    }
}

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
            focus: focus, filter: filter ?? .linear, rim: rim, shadow: try shadow, versus: try lens.otherHalf())
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

/// Checks of a flag's value that depend on other values.
enum FlagValue {
    static func checked(_ name: String, _ value: Double, in range: ClosedRange<Double>) throws -> Double {
        guard range.contains(value) else {
            throw Failure(
                .usage,
                "\(name): \(value.plain) is out of range; allowed is \(range.lowerBound.plain)…\(range.upperBound.plain)"
            )
        }
        return value
    }
}

extension Double {
    /// Without a needless ".0".
    var plain: String { self == rounded() && abs(self) < 1e15 ? String(Int(self)) : String(self) }
}
