import LoupeBase

/// A length in the world that a picture shows, such as 0.65 µm: how large a pixel is, or how long a scale bar.
public struct PhysicalLength: Hashable, Sendable {
    /// A unit of length.
    public enum Unit: String, Hashable, Sendable, CaseIterable {
        /// The units by their symbols, with u for micro.
        case nm, um, mm, cm, m, km
        /// An inch, 25.4 mm.
        case inch = "in"

        /// In metres.
        public var metres: Double {
            switch self {
            case .nm: 1e-9
            case .um: 1e-6
            case .mm: 1e-3
            case .cm: 1e-2
            case .m: 1
            case .km: 1e3
            case .inch: 0.0254
            }
        }

        /// As a label writes it.
        public var symbol: String { self == .um ? "µm" : rawValue }

        fileprivate init?(symbol: ArraySlice<UInt8>) {
            // Both the micro sign and the Greek letter are in use.
            let isMicrometre = symbol.elementsEqual("\u{b5}m".utf8) || symbol.elementsEqual("\u{3bc}m".utf8)
            self.init(rawValue: isMicrometre ? "um" : String(decoding: symbol, as: UTF8.self))
        }
    }

    /// Above 0, in the unit.
    public var value: Double
    /// The unit in which it is written.
    public var unit: Unit

    /// A length by its number and unit.
    public init(_ value: Double, _ unit: Unit) { (self.value, self.unit) = (value, unit) }

    /// Reads a number and a unit, such as `0.65um`, `0.65 µm` or `1e-3 in`; nil for anything else, and for numbers outside
    /// of `valueRange`.
    public init?(text: String) {
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        let bytes = Array(text.utf8)
        guard let last = bytes.lastIndex(where: { digits.contains($0) }) else { return nil }
        let (number, rest) = (bytes[...last], bytes[(last + 1)...])
        let isPlain = number.allSatisfy { digits.contains($0) || ".eE+-".utf8.contains($0) }
        guard isPlain, let value = Double(String(decoding: number, as: UTF8.self)), Self.valueRange.contains(value),
            let unit = Unit(symbol: rest.first == UInt8(ascii: " ") ? rest.dropFirst() : rest)
        else { return nil }
        self.init(value, unit)
    }

    /// The numbers that lengths may have, in any unit.
    public static let valueRange: ClosedRange<Double> = 1e-9...1e9
    /// The forms in which lengths are written, for messages.
    public static let forms = "a number and nm, um, mm, cm, m, km or in, such as 0.65um"

    /// In metres.
    public var metres: Double { value * unit.metres }

    /// As scenes write it, such as `0.65um`.
    public var text: String { value.jsonText + unit.rawValue }

    /// As a label writes it, such as `50 µm`.
    public var label: String { "\(value.jsonText) \(unit.symbol)" }

    /// The length of this form that is nearest to another one by ratio: 1, 2 or 5 times a power of ten, in inches for a
    /// length in inches, and otherwise in the largest of nm, µm, mm, m and km of which it has at least one.
    public func rounded() -> PhysicalLength {
        if unit == .inch { return PhysicalLength(Self.round(value), .inch) }
        // In nanometres, so that each unit is a whole number of them.
        let nanometres = Self.round(metres * 1e9)
        let units: [(Unit, Double)] = [(.km, 1e12), (.m, 1e9), (.mm, 1e6), (.um, 1e3)]
        for (unit, size) in units where nanometres >= size * 0.999 {
            return PhysicalLength(Self.clean(nanometres / size), unit)
        }
        return PhysicalLength(Self.clean(nanometres), .nm)
    }

    /// The nearest by ratio of 1, 2 and 5 times the powers of ten.
    private static func round(_ value: Double) -> Double {
        var power = 1.0
        while power > value { power /= 10 }
        while power * 10 <= value { power *= 10 }
        // The middles, by ratio, between 1, 2, 5 and 10.
        let digit = value / power
        let factor = digit * digit < 2 ? 1.0 : digit * digit < 10 ? 2 : digit * digit < 50 ? 5 : 10
        return clean(factor * power)
    }

    /// Without what repeated divisions by ten left behind.
    private static func clean(_ value: Double) -> Double {
        guard value < 1 else { return value.rounded() }
        var scale = 1.0
        while value * scale < 0.999 { scale *= 10 }
        return (value * scale).rounded() / scale
    }
}
