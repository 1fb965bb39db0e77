import LoupeBase
import LoupeScene

/// The frame that `--frame` puts behind and around a page: a backdrop, room, round corners and a shadow.
enum PageFrame: Hashable, Sendable {
    /// A backdrop of soft greys.
    case light, dark
    /// A gradient between two colours, from the upper left to the lower right.
    case gradient(Color, Color)
    /// One colour.
    case plain(Color)

    init?(text: String) {
        switch text {
        case "light": self = .light
        case "dark": self = .dark
        default:
            if let dots = text.indices.first(where: { text[$0...].hasPrefix("..") }) {
                guard let from = Color(text: text[..<dots]), let to = Color(text: text[dots...].dropFirst(2)) else {
                    return nil
                }
                self = .gradient(from, to)
            } else if let color = Color(text: text) {
                self = .plain(color)
            } else {
                return nil
            }
        }
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
        }
    }

    /// The frames of greys by their names.
    enum Name: String, Hashable, Sendable, CaseIterable { case auto, light, dark }

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
            color: Color(red: 0, green: 0, blue: 0, alpha: background.isDark ? 0x8c : 0x4d))
    }
}

extension Color {
    /// An opaque colour of 24 bits.
    fileprivate init(number: UInt32) {
        self.init(red: UInt8(number >> 16 & 255), green: UInt8(number >> 8 & 255), blue: UInt8(number & 255))
    }
}
