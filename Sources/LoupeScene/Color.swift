import LoupeBase

/// An sRGB colour with straight (not premultiplied) 8-bit channels, as in scenes.
public struct Color: Hashable, Sendable {
    /// 0 … 255, sRGB-encoded.
    public var red: UInt8
    /// 0 … 255, sRGB-encoded.
    public var green: UInt8
    /// 0 … 255, sRGB-encoded.
    public var blue: UInt8
    /// 0 … 255; 255 is opaque.
    public var alpha: UInt8

    /// A colour by its channels, opaque by default.
    public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8 = 255) {
        (self.red, self.green, self.blue, self.alpha) = (red, green, blue, alpha)
    }

    /// Reads `#rgb`, `#rgba`, `#rrggbb` or `#rrggbbaa`; nil for anything else.
    public init?(hex text: some StringProtocol) {
        guard text.first == "#" else { return nil }
        // `Character` accepts full-width digits; scenes do not.
        let digits = text.dropFirst().map { $0.isASCII ? $0.hexDigitValue : nil }
        guard digits.allSatisfy({ $0 != nil }) else { return nil }
        let nibbles = digits.compactMap { $0.map(UInt8.init) }
        switch nibbles.count {
        case 3, 4: self.init(channels: nibbles.map { $0 * 17 })
        case 6, 8:
            self.init(channels: stride(from: 0, to: nibbles.count, by: 2).map { nibbles[$0] * 16 + nibbles[$0 + 1] })
        default: return nil
        }
    }

    private init(channels: [UInt8]) {
        self.init(
            red: channels[0], green: channels[1], blue: channels[2], alpha: channels.count > 3 ? channels[3] : 255)
    }

    /// This colour composited over another one, in sRGB-encoded values.
    package func over(_ below: Color) -> Color {
        if isOpaque { return self }
        let (top, rest) = (Double(alpha) / 255, Double(below.alpha) / 255 * (1 - Double(alpha) / 255))
        let sum = top + rest
        guard sum > 0 else { return .transparent }
        return mixed(top, with: below, rest, alpha: UInt8((255 * sum).rounded()))
    }

    /// The mean of this colour and another one by their weights, in sRGB-encoded values, with an alpha of its own.
    package func mixed(_ weight: Double, with other: Color, _ otherWeight: Double, alpha: UInt8 = 255) -> Color {
        func mean(_ own: UInt8, _ other: UInt8) -> UInt8 {
            UInt8(((Double(own) * weight + Double(other) * otherWeight) / (weight + otherWeight)).rounded())
        }
        return Color(
            red: mean(red, other.red), green: mean(green, other.green), blue: mean(blue, other.blue), alpha: alpha)
    }

    /// Whether alpha is 255.
    public var isOpaque: Bool { alpha == 255 }

    /// `#rrggbb`, or `#rrggbbaa` where the colour is not opaque.
    public var hex: String {
        let channels = isOpaque ? [red, green, blue] : [red, green, blue, alpha]
        return "#" + channels.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

extension Color {
    /// White.
    public static let defaultRim = Color(red: 255, green: 255, blue: 255)
    /// Black, half transparent.
    public static let defaultShadow = Color(red: 0, green: 0, blue: 0, alpha: 0x80)
}

extension Color {
    /// The sRGB transfer function, IEC 61966-2-1: an encoded channel, 0…1, in linear light.
    package static func decoded(_ value: Double) -> Double {
        value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
    }

    /// The same for each byte.
    package static let decodedBytes: [Double] = (0...255).map { decoded(Double($0) / 255) }

    /// The channel that a part of linear light is encoded as, clamped to 0…1: the inverse of ``decoded(_:)``.
    package static func encoded(_ linear: Double) -> UInt8 {
        var (low, high) = (0, 255)
        while low < high {
            let middle = (low + high) / 2
            if halfways[middle] < linear { low = middle + 1 } else { high = middle }
        }
        return UInt8(low)
    }

    /// Linear light that lies halfway to the next channel where it is encoded.
    private static let halfways: [Double] = (0..<255).map { decoded((Double($0) + 0.5) / 255) }
}
