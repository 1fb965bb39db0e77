import ArgumentParser
import LoupeGeometry
import LoupeScene

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
        let places = CornerPlace.allCases
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
