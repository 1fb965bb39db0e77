import ArgumentParser
import LoupeGeometry
import LoupeScene

/// What `--frame` puts behind and around a page: a backdrop, room, round corners and a shadow.
enum FrameArgument: ExpressibleByArgument, Equatable {
    /// A backdrop of soft greys.
    case light, dark
    /// A gradient between two colours, from the upper left to the lower right.
    case gradient(Color, Color)
    /// One colour.
    case plain(Color)
    /// Anything else: an option that may do without its value takes a value that can't be read for the next argument.
    case unknown(String)

    init(argument: String) {
        switch argument {
        case "light": self = .light
        case "dark": self = .dark
        default:
            if let ends = argument.range(of: "..") {
                guard let from = Color(text: argument[..<ends.lowerBound]),
                    let to = Color(text: argument[ends.upperBound...])
                else {
                    self = .unknown(argument)
                    return
                }
                self = .gradient(from, to)
            } else if let color = Color(text: argument) {
                self = .plain(color)
            } else {
                self = .unknown(argument)
            }
        }
    }

    /// - Throws: what is wrong with a value that is none.
    func check() throws {
        guard case .unknown(let text) = self else { return }
        throw ValidationError(
            "--frame: \(Arguments.readable(text).quotable) is no frame; light, dark, COLOR or COLOR..COLOR is needed (COLOR: \(Color.forms)); write --frame=light where a file follows"
        )
    }

    var background: Backdrop {
        func shades(_ from: UInt32, _ to: UInt32) -> Backdrop {
            .gradient(.init(from: Color(number: from), to: Color(number: to), dither: true))
        }
        return switch self {
        case .light: shades(0xf7f8fa, 0xd9dde4)
        case .dark: shades(0x4b5363, 0x2a2f39)
        case .gradient(let from, let to): .gradient(.init(from: from, to: to, angle: 45, dither: true))
        case .plain(let color): .color(color)
        case .unknown: .color(.defaultBackground)
        }
    }

    private var isDark: Bool {
        switch background {
        case .color(let color): OKLab(color).lightness < 0.5
        case .gradient(let gradient): OKLab(gradient.from).lightness + OKLab(gradient.to).lightness < 1
        }
    }

    /// The room around a page, in canvas pixels: a twelfth of the mean of its sides.
    static func margin(width: Double, height: Double) -> Double { max(16, ((width + height) / 24).rounded()) }

    /// The radius of a page's corners, in canvas pixels.
    static func cornerRadius(of rect: Rect) -> Double {
        min(rect.shorterSide / 2, max(4, (rect.shorterSide / 50).rounded()))
    }

    /// The shadow of a page.
    func shadow(of rect: Rect) -> Loupe.Shadow {
        let side = (rect.width * rect.height).squareRoot()
        return Loupe.Shadow(
            offset: Vector(dx: 0, dy: (side / 50).rounded()), blur: (side / 16).rounded(),
            color: Color(red: 0, green: 0, blue: 0, alpha: isDark ? 0x8c : 0x4d))
    }
}

extension Color {
    /// An opaque colour of 24 bits.
    fileprivate init(number: UInt32) {
        self.init(red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }
}

extension String {
    /// Where another text first occurs.
    fileprivate func range(of other: String) -> Range<Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(other) { return start..<index(start, offsetBy: other.count) }
            start = index(after: start)
        }
        return nil
    }
}
