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

/// The page's corners.
extension PageOptions {
    /// The corners that the flags name, for a page in a rect.
    func corner(of rect: Rect) throws -> Corner {
        let radii = try (cornerRadius ?? CornerRadiiArgument(CornerRadii(0))).checked("--corner-radius", for: rect)
        let shape = try cornerShape
        if shape.hasOwnExtent, radii.uniform == nil {
            throw Failure(.usage, "--corner-radius: the style ios and --corner-figma take a single number")
        }
        if shape.hasOwnExtent, cornerKeepDiagonal {
            throw Failure(.usage, "--corner-keep-diagonal: the style ios and --corner-figma keep it themselves")
        }
        return shape.corner(of: radii, keepsDiagonal: cornerKeepDiagonal, in: rect)
    }

    private var cornerShape: CornerShape {
        get throws {
            let shapes = [
                try cornerExponent.map {
                    (
                        "--corner-exponent",
                        CornerShape.exponent(
                            try FlagValue.checked("--corner-exponent", $0, in: Corner.exponentRange))
                    )
                },
                cornerStyle.map { ("--corner-style", .style($0)) },
                try cornerCss.map {
                    ("--corner-css", .css(try FlagValue.checked("--corner-css", $0, in: CornerShape.cssRange)))
                },
                try cornerFigma.map {
                    ("--corner-figma", .figma(try FlagValue.checked("--corner-figma", $0, in: CornerShape.figmaRange)))
                },
            ].compactMap(\.self)
            guard shapes.count <= 1 else {
                throw Failure(.usage, "\(shapes[1].0): not beside \(shapes[0].0); each names the corner's curve")
            }
            return shapes.first?.1 ?? .exponent(Corner().exponent)
        }
    }
}

/// `R`, `RX/RY`, or four of them as `TL,TR,BR,BL`.
struct CornerRadiiArgument: ExpressibleByArgument {
    private let radii: CornerRadii

    init(_ radii: CornerRadii) { self.radii = radii }

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(Self.radius)
        let given = parts.compactMap(\.self)
        guard given.count == parts.count, given.count == 1 || given.count == 4 else { return nil }
        let places = CornerPosition.allCases
        radii = CornerRadii { place in given.count == 1 ? given[0] : given[places.firstIndex(of: place) ?? 0] }
    }

    private static func radius(_ text: Substring) -> CornerRadius? {
        let axes = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) }
        guard axes.count <= 2, let x = axes.first ?? nil, let y = axes.last ?? nil, x >= 0, y >= 0, x <= 1e6, y <= 1e6
        else { return nil }
        return CornerRadius(x: x, y: y)
    }

    /// The radii, where they fit a rect.
    func checked(_ name: String, for rect: Rect) throws -> CornerRadii {
        if let radius = radii.uniform {
            return CornerRadii(try FlagValue.checked(name, radius, in: 0...(rect.shorterSide / 2)))
        }
        guard radii.fitted(width: rect.width, height: rect.height) == radii else {
            throw Failure(
                .usage,
                "\(name): two corners reach farther along an edge than the page's \(rect.width.plain)×\(rect.height.plain)"
            )
        }
        return radii
    }
}

extension CornerStyle: ExpressibleByArgument {}

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
