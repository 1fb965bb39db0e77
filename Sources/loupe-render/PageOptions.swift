import ArgumentParser
import LoupeFiles
import LoupeGeometry
import LoupeJSON
import LoupeScene

/// The flags of a page, which make a scene of it.
struct PageOptions: ParsableArguments {
    @Option(.canvas) var canvas: ImageSize?
    @Option(.margin) var margin: Margin?
    @Option(.background) var background: Color?
    @Option(name: .long, defaultAsFlag: .light, parsing: .next, help: PictureOption.frame.help)
    var frame: FrameArgument?
    @Option(.cornerRadius) var cornerRadius: CornerRadiiArgument?
    @Option(.cornerExponent) var cornerExponent: Double?
    @Option(.cornerStyle) var cornerStyle: CornerStyle?
    @Option(.cornerCSS) var cornerCss: Double?
    @Option(.cornerFigma) var cornerFigma: Double?
    @Flag(.cornerKeepDiagonal) var cornerKeepDiagonal = false
    @Option(.pageFilter) var pageFilter: Filter?
    @Option(.blending) var blending: Blending?

    func validate() throws { try frame?.check() }

    /// A scene of one page without loupes.
    /// - Parameter other: a margin in place of that of the flag.
    func scene(page path: Path, width: Int, height: Int, margin other: Double? = nil) throws -> Scene {
        let standard = frame == nil ? 0 : FrameArgument.margin(width: Double(width), height: Double(height))
        let margin = try PictureOption.margin.checked(other ?? margin?.pixels ?? standard)
        let size =
            canvas
            ?? ImageSize(
                width: width + Int((2 * margin).rounded(.up)), height: height + Int((2 * margin).rounded(.up)))
        for side in [size.width, size.height] where !Scene.Canvas.sideRange.contains(side) {
            throw Failure(
                canvas == nil ? .badInput : .usage,
                "\(canvas == nil ? path.inputName : "--canvas"): a canvas of \(size) is out of range; allowed is 1…16384 each way\(canvas == nil ? "; give a smaller one with --canvas WxH" : "")"
            )
        }
        let rect = try pageRect(width: width, height: height, on: size, margin: margin)
        let layer = Layer(
            content: .image(path: ImagePath(bytes: path.bytes)), rect: rect, corner: try corner(of: rect),
            filter: pageFilter ?? .lanczos, shadow: frame?.shadow(of: rect))
        let backdrop = background.map(Backdrop.color) ?? frame?.background ?? .color(.defaultBackground)
        return Scene(
            canvas: .init(width: size.width, height: size.height, background: backdrop),
            blending: blending ?? .srgb, layers: [layer])
    }

    /// Whether the picture is transparent where the page is, and around it: nobody asks for a background.
    var keepsTransparency: Bool { background == nil && frame == nil }

    /// Unscaled inside the margin, or scaled to fit a given canvas, centred; on whole pixels, so that its edges are sharp.
    private func pageRect(width: Int, height: Int, on size: ImageSize, margin: Double) throws -> Rect {
        guard canvas != nil else {
            return Rect(x: margin, y: margin, width: Double(width), height: Double(height)).onWholePixels()
        }
        let room = (width: Double(size.width) - 2 * margin, height: Double(size.height) - 2 * margin)
        guard room.width > 0, room.height > 0 else {
            throw Failure(.usage, "--margin: \(margin) leaves no room on a canvas of \(size)")
        }
        let (wide, high) = (Double(width), Double(height))
        let fitted =
            room.width * high <= room.height * wide
            ? (width: room.width, height: high * room.width / wide)
            : (width: wide * room.height / high, height: room.height)
        return Rect(
            x: (Double(size.width) - fitted.width) / 2, y: (Double(size.height) - fitted.height) / 2,
            width: fitted.width, height: fitted.height
        ).onWholePixels()
    }
}

/// The room around the page.
enum Margin: ExpressibleByArgument, Hashable {
    /// As much as the loupes need that `--place` puts there.
    case auto
    /// In canvas pixels.
    case pixels(Double)

    init?(argument: String) {
        if argument == "auto" {
            self = .auto
        } else if let pixels = Double(argument: argument) {
            self = .pixels(pixels)
        } else {
            return nil
        }
    }

    /// Nil for `auto`.
    var pixels: Double? { if case .pixels(let pixels) = self { pixels } else { nil } }
}

/// The page's corners.
extension PageOptions {
    /// The corners that the flags name, for a page in a rect.
    func corner(of rect: Rect) throws -> Corner {
        let standard = frame == nil ? 0 : FrameArgument.cornerRadius(of: rect)
        let radii = try (cornerRadius ?? CornerRadiiArgument(CornerRadii(standard))).checked(.cornerRadius, for: rect)
        let shape = try cornerShape
        if cornerRadius == nil, frame == nil, let flag = given.first(where: { $0.hasPrefix("--corner-") }) {
            throw Failure(
                .usage, "\(flag): the page's corners are square; say how large they are with --corner-radius R")
        }
        if shape.hasOwnExtent, radii.uniform == nil {
            throw Failure(.usage, "--corner-radius: the style ios and --corner-figma need a single number")
        }
        if shape.hasOwnExtent, cornerKeepDiagonal {
            throw Failure(.usage, "--corner-keep-diagonal: the style ios and --corner-figma imply it; leave it out")
        }
        return shape.corner(of: radii, keepsDiagonal: cornerKeepDiagonal, in: rect)
    }

    private var cornerShape: CornerShape {
        get throws {
            let shapes: [(flag: String, shape: CornerShape)] = [
                try cornerExponent.map {
                    ("--corner-exponent", .exponent(try PictureOption.cornerExponent.checked($0)))
                },
                cornerStyle.map { ("--corner-style", .style($0)) },
                try cornerCss.map { ("--corner-css", .css(try PictureOption.cornerCSS.checked($0))) },
                try cornerFigma.map { ("--corner-figma", .figma(try PictureOption.cornerFigma.checked($0))) },
            ].compactMap(\.self)
            guard shapes.count <= 1 else {
                throw Failure(
                    .usage,
                    "\(shapes[1].flag): it excludes \(shapes[0].flag), as each sets the corner's curve; leave out one")
            }
            return shapes.first?.shape ?? .exponent(Corner().exponent)
        }
    }
}

/// `R`, `RX/RY`, or four of them as `TL,TR,BR,BL`.
struct CornerRadiiArgument: ExpressibleByArgument {
    private let radii: CornerRadii

    init(_ radii: CornerRadii) { self.radii = radii }

    init?(argument: String) {
        guard let given = argument.parts(between: ",", Self.radius), given.count == 1 || given.count == 4 else {
            return nil
        }
        let places = CornerPosition.allCases
        radii = CornerRadii { place in given.count == 1 ? given[0] : given[places.firstIndex(of: place) ?? 0] }
    }

    private static func radius(_ text: Substring) -> CornerRadius? {
        guard let axes = text.parts(between: "/", { Double($0) }), axes.count <= 2,
            axes.allSatisfy({ 0...1e6 ~= $0 }), let x = axes.first, let y = axes.last
        else { return nil }
        return CornerRadius(x: x, y: y)
    }

    /// The radii, where they fit a rect.
    func checked(_ option: PictureOption, for rect: Rect) throws -> CornerRadii {
        if let radius = radii.uniform {
            return CornerRadii(try FlagValue.checked(option.flag, radius, in: 0...(rect.shorterSide / 2)))
        }
        guard radii.fitted(width: rect.width, height: rect.height) == radii else {
            throw Failure(
                .usage,
                "\(option.flag): two corners are together longer than an edge of \(rect.width.jsonText)×\(rect.height.jsonText)"
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
            throw Failure(.usage, sentence(name, value, range))
        }
        return value
    }

    /// The same for a value that may not be given, where it is checked while arguments are parsed.
    static func check(_ name: String, _ value: Double?, in range: ClosedRange<Double>) throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError(sentence(name, value, range))
    }

    private static func sentence(_ name: String, _ value: Double, _ range: ClosedRange<Double>) -> String {
        "\(name): \(value.isFinite ? value.jsonText : "\(value)") is out of range; allowed is \(range.lowerBound.jsonText)…\(range.upperBound.jsonText)"
    }
}
