import LoupeBase
import LoupeScene

/// A corner as it is written: `R` or `R:STYLE`.
struct GivenCorner: Hashable, Sendable {
    let radii: CornerRadii
    /// Nil for the usual one.
    let curve: CornerShape?

    /// For messages.
    static let styleForms = "an exponent, round, squircle, bevel, ios, css(K) or figma(S)"
    static let forms =
        "R or R:STYLE, such as 24 or 24:round; R is a radius, RX/RY, or four of them with commas; STYLE is \(styleForms); ios and figma(S) need a single radius"

    init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count <= 2, let radii = CornerRadii(text: parts[0]) else { return nil }
        let curve = parts.count > 1 ? CornerShape(text: parts[1]) : nil
        guard parts.count == 1 || curve != nil else { return nil }
        // Theirs reach as far as one radius says.
        guard radii.uniform != nil || curve?.hasOwnExtent != true else { return nil }
        (self.radii, self.curve) = (radii, curve)
    }
}

/// The form of a loupe as it is written: `circle`, `rectangle`, or `WxH:R:STYLE`.
struct GivenShape: Hashable, Sendable {
    /// Of a rectangle, in canvas pixels; nil where it follows from a region.
    let size: Vector?
    /// Of a rectangle of a size; nil for the usual one.
    let corner: GivenCorner?
    let isCircle: Bool

    /// For messages.
    static let forms = "WxH, WxH:R or WxH:R:STYLE with R and STYLE as in --corner, such as 240x160:24:round"

    init?(text: String) {
        isCircle = text == "circle"
        guard !isCircle, text != "rectangle" else {
            (size, corner) = (nil, nil)
            return
        }
        let end = text.firstIndex { ":".contains($0) } ?? text.endIndex
        let corner = end == text.endIndex ? nil : GivenCorner(text: String(text[end...].dropFirst()))
        guard let size = Vector(sides: String(text[..<end])), end == text.endIndex || corner != nil else { return nil }
        (self.size, self.corner) = (size, corner)
    }
}

extension CornerShape {
    /// An exponent, the name of a style, `css(K)` or `figma(S)`, each within its range.
    fileprivate init?(text: String) {
        func number(in name: String, _ range: ClosedRange<Double>) -> Double? {
            guard text.hasPrefix(name + "("), text.hasSuffix(")") else { return nil }
            return Double(decimal: text.dropFirst(name.count + 1).dropLast()).flatMap { range.contains($0) ? $0 : nil }
        }
        if let exponent = Double(decimal: text), Corner.exponentRange.contains(exponent) {
            self = .exponent(exponent)
        } else if let style = CornerStyle(rawValue: text) {
            self = .style(style)
        } else if let k = number(in: "css", Self.cssRange) {
            self = .css(k)
        } else if let smoothing = number(in: "figma", Self.figmaRange) {
            self = .figma(smoothing)
        } else {
            return nil
        }
    }
}

extension Vector {
    /// `WxH`, canvas pixels, also fractions.
    init?(sides text: String) {
        let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Double($0) }
        guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
        self.init(dx: width, dy: height)
    }
}

extension CornerRadii {
    /// `R`, `RX/RY`, or four of them as `TL,TR,BR,BL`.
    init?(text: String) {
        func radius(_ text: Substring) -> CornerRadius? {
            let axes = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) ?? -1 }
            guard axes.count <= 2, axes.allSatisfy({ 0...1e6 ~= $0 }), let x = axes.first, let y = axes.last else {
                return nil
            }
            return CornerRadius(x: x, y: y)
        }
        let given = text.split(separator: ",", omittingEmptySubsequences: false).compactMap(radius)
        guard given.count == text.reduce(1, { $0 + ($1 == "," ? 1 : 0) }), given.count == 1 || given.count == 4 else {
            return nil
        }
        let places = CornerPosition.allCases
        self.init { place in given.count == 1 ? given[0] : given[places.firstIndex(of: place) ?? 0] }
    }
}
