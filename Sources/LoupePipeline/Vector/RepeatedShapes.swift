import LoupeBase

/// The shapes of a file that it draws many times, as the markers of a plot are: cairo writes each anew.
///
/// Two shapes are one where their points differ by less than the tolerance, from the first point on.
struct RepeatedShapes {
    /// A shape as it is drawn once.
    struct Drawing {
        let range: Range<Int>
        let shape: Int
        /// Where its first point lies.
        let x, y: Double
    }

    /// In units of the drawing. Recordings round each point to a 256th.
    static let tolerance = 1.0 / 64
    /// How often a shape is drawn at least. Points that are coloured by a value have some hundred colours.
    private static let fewest = 10
    /// How many shapes of one kind are compared with a new one. A plot has few markers, and thousands of other curves.
    private static let mostCompared = 64
    /// The largest coordinate; others may be too long for an integer.
    private static let farthest = 1e9

    /// What each shape is besides its points, and these, from the first one on.
    private(set) var kinds: [[UInt8]] = []
    private(set) var points: [[Double]] = []
    private var counts: [Int] = []
    private var drawings: [Drawing] = []
    private var shapesByKind: [[UInt8]: [Int]] = [:]

    /// Those drawings whose shapes are drawn often, in order.
    var often: [Drawing] { drawings.filter { counts[$0.shape] >= Self.fewest } }

    /// Adds a drawing.
    /// - Parameters:
    ///   - kind: all that shapes need in common to be one, their operators among it.
    ///   - numbers: the coordinates of its points.
    ///   - unit: how long its units are in the drawing.
    ///   - range: its place in the file.
    ///   - x: where its first point lies in the drawing.
    mutating func add(_ kind: [UInt8], _ numbers: [Double], unit: Double, _ range: Range<Int>, x: Double, y: Double) {
        let points = numbers.indices.map { numbers[$0] - numbers[$0 % 2] }
        guard (points + [x, y]).allSatisfy({ abs($0) < Self.farthest }) else { return }
        let tolerance = Self.tolerance / unit
        let shapes = shapesByKind[kind, default: []]
        let known = shapes.first { shape in
            zip(self.points[shape], points).allSatisfy { abs($0 - $1) < tolerance }
        }
        let shape = known ?? self.points.count
        if known == nil {
            kinds.append(kind)
            self.points.append(points)
            counts.append(0)
            shapesByKind[kind] = shapes.suffix(Self.mostCompared - 1) + [shape]
        }
        counts[shape] += 1
        drawings.append(Drawing(range: range, shape: shape, x: x, y: y))
    }
}

extension RepeatedShapes {
    /// A decimal number without an exponent, as cairo writes them; nil for all else.
    static func decimal(_ text: ArraySlice<UInt8>) -> Double? {
        let isNegative = text.first == UInt8(ascii: "-")
        var (digits, divisor, hasPoint) = (0.0, 1.0, false)
        let unsigned = isNegative ? text.dropFirst() : text
        for byte in unsigned {
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
            } else if 0x30...0x39 ~= byte {
                digits = 10 * digits + Double(byte - 0x30)
                if hasPoint { divisor *= 10 }
            } else {
                return nil
            }
        }
        return unsigned.isEmpty ? nil : (isNegative ? -digits : digits) / divisor
    }

    /// A number with at most two decimals.
    static func rounded(_ number: Double) -> String {
        // No negative zero.
        ((100 * number).rounded() / 100 + 0).jsonText
    }
}
