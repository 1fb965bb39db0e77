// The elements of a chart's SVG, with presentation attributes only.

import LoupeBase

/// Elements of SVG text, a line each. Numbers are rounded to tenths.
package enum SVG {
    package enum Anchor: String { case start, middle, end }

    /// A text at its baseline; nothing for an empty one.
    package static func text(
        _ text: String, _ x: Double, _ y: Double, size: Double = 12, color: String = ChartColor.ink,
        isBold: Bool = false, anchor: Anchor = .start
    ) -> String {
        guard !text.isEmpty else { return "" }
        let font = (size == 12 ? "" : " font-size=\"\(size.tenths)\"") + (isBold ? " font-weight=\"bold\"" : "")
        let anchor = anchor == .start ? "" : " text-anchor=\"\(anchor.rawValue)\""
        return "<text x=\"\(x.tenths)\" y=\"\(y.tenths)\" fill=\"\(color)\"\(font)\(anchor)>\(text.xmlEscaped)</text>\n"
    }

    /// The width of a text in the widest of the fonts that charts name, DejaVu Sans, rounded up.
    package static func width(of text: String, size: Double = 12, isBold: Bool = false) -> Double {
        let ems = text.reduce(0.0) { sum, character in sum + width(of: character) }
        return ems * size * (isBold ? 1.12 : 1)
    }

    /// In ems.
    private static func width(of character: Character) -> Double {
        switch character {
        case "i", "j", "l", "'": 0.28
        case " ", ".", ",", "I": 0.33
        case "f", "r", "t", "(", ")", ":", ";", "/", "-", "[", "]", "!": 0.42
        case "m": 0.98
        case "w", "M", "W", "−", "×", "–": 0.85
        case "a"..."z", "0"..."9": 0.64
        case "A"..."Z": 0.78
        default: 1
        }
    }

    static func rect(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, color: String, title: String
    ) -> String {
        "<rect x=\"\(x.tenths)\" y=\"\(y.tenths)\" width=\"\(width.tenths)\" height=\"\(height.tenths)\""
            + " fill=\"\(color)\"><title>\(title.xmlEscaped)</title></rect>\n"
    }

    static func line(
        _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, color: String, opacity: Double = 1, width: Double = 1
    ) -> String {
        "<line x1=\"\(x1.tenths)\" y1=\"\(y1.tenths)\" x2=\"\(x2.tenths)\" y2=\"\(y2.tenths)\" stroke=\"\(color)\""
            + (width == 1 ? "" : " stroke-width=\"\(width.tenths)\"")
            + (opacity == 1 ? "" : " stroke-opacity=\"\(opacity.hundredths)\"") + "/>\n"
    }

    static func polyline(_ points: [(Double, Double)], color: String) -> String {
        let text = points.map { "\($0.tenths),\($1.tenths)" }.joined(separator: " ")
        return "<polyline points=\"\(text)\" fill=\"none\" stroke-linejoin=\"round\" stroke=\"\(color)\""
            + " stroke-width=\"2\"/>\n"
    }
}

/// The colours of charts: those of Okabe and Ito, which colour-blind readers can distinguish, on white.
enum ChartColor {
    static let paper = "#ffffff"
    static let ink = "#222222"
    static let faintInk = "#5c6066"
    static let grid = "#e3e5e8"
    /// For text on bars.
    static let barInk = "#111111"

    static let blue = "#0072b2"
    static let vermilion = "#d55e00"
    static let green = "#009e73"
    static let purple = "#cc79a7"
    static let orange = "#e69f00"
    static let sky = "#56b4e9"
    static let grey = "#cccccc"
    static let lightGrey = "#e6e6e6"
    /// A lighter purple.
    static let ghost = "#ebd2e1"

    /// The colours of curves, in their order.
    static let curves = [blue, vermilion, green, purple, orange, sky]

    /// The colour of a phase, by its name in a model's states.
    static func of(phase: String) -> String {
        switch phase {
        case "dragging", "held", "drag", "pinch", "pan", "hold": purple
        case "decelerating", "snapping", "presenting": sky
        case "bouncing", "dismissing": orange
        case "full", "resting": "#8fd6bf"
        default: lightGrey
        }
    }
}
