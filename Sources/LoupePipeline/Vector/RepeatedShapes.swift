import LoupeBase

/// The shapes of a file that it draws many times, as the markers of a plot are: cairo writes each anew.
///
/// Two shapes are one where their points differ by less than a 64th of a unit, from the first point on. Recordings round
/// each point to a 256th.
struct RepeatedShapes {
    /// A shape as it is drawn once.
    struct Drawing {
        let range: Range<Int>
        let shape: Int
        /// Where its first point lies.
        let x, y: Double
    }

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
        let tolerance = 1 / (64 * unit)
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

/// Shapes of an SVG that cairo wrote.
///
/// Markers (`marker-mid`) would take a third of the bytes, but Illustrator and Figma draw none.
enum SVGShapes {
    /// The file, in which a shape that is drawn often is stored once and used.
    static func shared(in file: [UInt8]) -> [UInt8] {
        var shapes = RepeatedShapes()
        var rest = file[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if rest.starts(with: "<path ".utf8) { add(rest[..<end], to: &shapes) }
            rest = rest[(end + 1)...]
        }
        var result: [UInt8] = []
        var kept = 0
        var first: [Int: RepeatedShapes.Drawing] = [:]
        for drawing in shapes.often {
            result += file[kept..<drawing.range.lowerBound]
            if let first = first[drawing.shape] {
                let (x, y) = (RepeatedShapes.rounded(drawing.x - first.x), RepeatedShapes.rounded(drawing.y - first.y))
                result += "<use xlink:href=\"#s\(drawing.shape)\" x=\"\(x)\" y=\"\(y)\"/>".utf8
                kept = drawing.range.upperBound
            } else {
                first[drawing.shape] = drawing
                result += "<path id=\"s\(drawing.shape)\"".utf8
                kept = drawing.range.lowerBound + 5
            }
        }
        return result + file[kept...]
    }

    /// Adds a path of one colour, which cairo writes on a line of its own: `<path … d="…" transform="matrix(…)"/>`. How it is
    /// painted is a style in cairo 1.16, and attributes in 1.18.
    private static func add(_ line: ArraySlice<UInt8>, to shapes: inout RepeatedShapes) {
        let parts = line.split(separator: UInt8(ascii: "\""))
        guard let place = parts.firstIndex(where: { $0.elementsEqual(" d=".utf8) }),
            parts.count == place + 3 || parts.count == place + 5
        else { return }
        // A colour is `rgb(…)`, a gradient `url(#…)`, and letters have the colour of their text.
        let style = line[..<parts[place].startIndex]
        guard style.contains(UInt8(ascii: "(")), !style.contains(UInt8(ascii: "#")) else { return }
        var kind = Array(style)
        var numbers: [Double] = []
        // Word by word: an array of them all takes twice as long.
        var rest = parts[place + 1]
        while !rest.isEmpty {
            let word = rest.prefix { $0 != UInt8(ascii: " ") }
            if let number = RepeatedShapes.decimal(word) { numbers.append(number) } else { kind += word }
            rest = rest[word.endIndex...].dropFirst()
        }
        var matrix: [Double] = [1, 0, 0, 1, 0, 0]
        if parts.count == place + 5 {
            let texts = parts[place + 3].dropFirst("matrix(".utf8.count).dropLast().split {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ")
            }
            matrix = texts.compactMap { RepeatedShapes.decimal($0) }
            guard parts[place + 2].elementsEqual(" transform=".utf8), matrix.count == 6 else { return }
            for text in texts.prefix(4) { kind += [UInt8(ascii: " ")] + text }
        }
        guard numbers.count > 1 else { return }
        let (x, y) = (numbers[0], numbers[1])
        shapes.add(
            kind, numbers, unit: matrix[..<4].reduce(0) { max($0, abs($1)) }, line.indices,
            x: matrix[0] * x + matrix[2] * y + matrix[4], y: matrix[1] * x + matrix[3] * y + matrix[5])
    }
}
