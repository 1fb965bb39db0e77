import LoupeBase

import func Glibc.atan2

/// Shapes of an SVG that cairo wrote.
///
/// Markers (`marker-mid`) would take a third of the bytes of `<use>`, but Illustrator and Figma draw none.
enum SVGShapes {
    /// How many dots a path has at most: librsvg takes the square of their number.
    private static let mostDots = 100

    /// The file, in which a shape that is drawn often is stored once and used. Opaque discs that follow each other are the
    /// dots of a path: a third of the bytes, and viewers draw them in a third of the time.
    static func shared(in file: [UInt8]) -> [UInt8] {
        var shapes = RepeatedShapes()
        var rest = file[...]
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if let path = SVGPath(rest[..<end]) {
                shapes.add(
                    path.kind, path.numbers, unit: path.scale, rest.startIndex..<end, x: path.start.x, y: path.start.y)
            }
            rest = rest[(end + 1)...]
        }
        var result: [UInt8] = []
        var kept = 0
        var first: [Int: RepeatedShapes.Drawing] = [:]
        for run in runs(of: shapes.often) {
            if run.count > 1, let disc = SVGPath(file[run[0].range])?.disc {
                result += file[kept..<run[0].range.lowerBound] + disc.dots(at: run)
                kept = run[run.count - 1].range.upperBound
                continue
            }
            for drawing in run {
                result += file[kept..<drawing.range.lowerBound]
                if let first = first[drawing.shape] {
                    let x = RepeatedShapes.rounded(drawing.x - first.x)
                    let y = RepeatedShapes.rounded(drawing.y - first.y)
                    result += "<use xlink:href=\"#s\(drawing.shape)\" x=\"\(x)\" y=\"\(y)\"/>".utf8
                    kept = drawing.range.upperBound
                } else {
                    first[drawing.shape] = drawing
                    result += "<path id=\"s\(drawing.shape)\"".utf8
                    kept = drawing.range.lowerBound + "<path".utf8.count
                }
            }
        }
        return result + file[kept...]
    }

    /// Drawings of one shape, on lines that follow each other.
    private static func runs(of drawings: [RepeatedShapes.Drawing]) -> [[RepeatedShapes.Drawing]] {
        var runs: [[RepeatedShapes.Drawing]] = []
        for drawing in drawings {
            if let last = runs.last?.last, runs[runs.count - 1].count < mostDots, last.shape == drawing.shape,
                last.range.upperBound + 1 == drawing.range.lowerBound
            {
                runs[runs.count - 1].append(drawing)
            } else {
                runs.append([drawing])
            }
        }
        return runs
    }
}

/// A path of one colour, which cairo writes on a line of its own: `<path … d="…" transform="matrix(…)"/>`. How it is painted is
/// a style in cairo 1.16, and attributes in 1.18.
private struct SVGPath {
    /// An opaque disc of one colour, its edge included.
    struct Disc {
        let color: String
        let diameter: Double
        /// Where its centre lies, from its first point on.
        let x, y: Double

        /// A path with a dot at each place: a line of a hundredth of a unit with round ends, as some viewers draw
        /// no line without length.
        func dots(at places: [RepeatedShapes.Drawing]) -> [UInt8] {
            let lines = places.map { "M\(RepeatedShapes.rounded($0.x + x)) \(RepeatedShapes.rounded($0.y + y))h.01" }
            let width = RepeatedShapes.rounded(diameter)
            let paint = "fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(width)\" stroke-linecap=\"round\""
            return Array("<path \(paint) d=\"\(lines.joined())\"/>".utf8)
        }
    }

    /// How it is painted.
    private let style: ArraySlice<UInt8>
    private var operators: [UInt8] = []
    /// The coordinates of its points.
    private(set) var numbers: [Double] = []
    private var matrix: [Double] = [1, 0, 0, 1, 0, 0]
    /// All that shapes need in common to be one, but for their points.
    private(set) var kind: [UInt8]

    /// Nil for all other lines.
    init?(_ line: ArraySlice<UInt8>) {
        guard line.starts(with: "<path ".utf8) else { return nil }
        let parts = line.split(separator: UInt8(ascii: "\""))
        guard let place = parts.firstIndex(where: { $0.elementsEqual(" d=".utf8) }),
            parts.count == place + 3 || parts.count == place + 5
        else { return nil }
        // A colour is `rgb(…)`, a gradient `url(#…)`, and letters have the colour of their text.
        style = line[..<parts[place].startIndex]
        guard style.contains(UInt8(ascii: "(")), !style.contains(UInt8(ascii: "#")) else { return nil }
        // Word by word: an array of them all takes twice as long.
        var rest = parts[place + 1]
        while !rest.isEmpty {
            let word = rest.prefix { $0 != UInt8(ascii: " ") }
            if let number = RepeatedShapes.decimal(word) { numbers.append(number) } else { operators += word }
            rest = rest[word.endIndex...].dropFirst()
        }
        guard numbers.count > 1 else { return nil }
        kind = style + operators
        if parts.count == place + 5 {
            let texts = parts[place + 3].dropFirst("matrix(".utf8.count).dropLast().split {
                $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: " ")
            }
            matrix = texts.compactMap { RepeatedShapes.decimal($0) }
            guard parts[place + 2].elementsEqual(" transform=".utf8), matrix.count == 6 else { return nil }
            for text in texts.prefix(4) { kind += [UInt8(ascii: " ")] + text }
        }
    }

    /// How long its units are in the drawing at most.
    var scale: Double { max(lengths.x, lengths.y) }

    /// How long the units of its axes are in the drawing.
    private var lengths: (x: Double, y: Double) {
        (
            (matrix[0] * matrix[0] + matrix[1] * matrix[1]).squareRoot(),
            (matrix[2] * matrix[2] + matrix[3] * matrix[3]).squareRoot()
        )
    }

    /// Where its first point lies in the drawing.
    var start: (x: Double, y: Double) { point(numbers[0], numbers[1]) }

    /// Where a point of it lies in the drawing.
    private func point(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
        (matrix[0] * x + matrix[2] * y + matrix[4], matrix[1] * x + matrix[3] * y + matrix[5])
    }

    /// The disc that it is, its edge in the colour of its filling; nil for all else.
    var disc: Disc? {
        let paint = properties
        let stroke = paint["stroke"] ?? "none"
        guard let color = paint["fill"], paint["fill-opacity"] == "1",
            stroke == "none" || stroke == color && paint["stroke-opacity"] == "1" && paint["stroke-dasharray"] == nil,
            let edge = stroke == "none" ? 0 : paint["stroke-width"].flatMap({ Double($0) }), let circle,
            // Numbers have two decimals.
            scale * circle.radius > 0.5,
            // A circle stays one, and has an edge of one width.
            abs(lengths.x - lengths.y) < 1e-6 * scale,
            abs(matrix[0] * matrix[2] + matrix[1] * matrix[3]) < 1e-6 * scale * scale
        else { return nil }
        let center = point(circle.x, circle.y)
        return Disc(
            color: color, diameter: scale * (2 * circle.radius + edge), x: center.x - start.x, y: center.y - start.y)
    }

    /// The circle that its curves go once around, in its own coordinates; nil where they are another line.
    private var circle: (x: Double, y: Double, radius: Double)? {
        let count = operators.count - 3
        guard count > 1, operators == Array("M\(String(repeating: "C", count: count))ZM".utf8),
            numbers.count == 6 * count + 4
        else { return nil }
        let ends = (1...count).map { (x: numbers[6 * $0], y: numbers[6 * $0 + 1]) }
        let (x, y) = (ends.reduce(0) { $0 + $1.x } / Double(count), ends.reduce(0) { $0 + $1.y } / Double(count))
        var (last, turn) = ((x: numbers[0] - x, y: numbers[1] - y), 0.0)
        let radius = (last.x * last.x + last.y * last.y).squareRoot()
        let tolerance = min(RepeatedShapes.tolerance / scale, radius / 64)
        for curve in 0..<count {
            for time in [0.25, 0.5, 0.75, 1] {
                func coordinate(_ index: Int) -> Double {
                    let rest = 1 - time
                    return rest * rest * (rest * numbers[index] + 3 * time * numbers[index + 2])
                        + time * time * (3 * rest * numbers[index + 4] + time * numbers[index + 6])
                }
                let next = (x: coordinate(6 * curve) - x, y: coordinate(6 * curve + 1) - y)
                let distance = (next.x * next.x + next.y * next.y).squareRoot()
                guard abs(distance - radius) < tolerance else { return nil }
                turn += atan2(last.x * next.y - last.y * next.x, last.x * next.x + last.y * next.y)
                last = next
            }
        }
        return abs(abs(turn) - 2 * .pi) < 1e-3 ? (x, y, radius) : nil
    }

    /// Its style by name.
    private var properties: [String: String] {
        let text = String(decoding: style.dropFirst("<path ".utf8.count), as: UTF8.self)
        let pairs = text.replacing("style=\"", with: "").replacing("=\"", with: ":").replacing("\"", with: ";").split(
            separator: ";")
        return Dictionary(
            pairs.compactMap { pair in
                let words = pair.drop { $0 == " " }.split(separator: ":", maxSplits: 1)
                return words.count == 2 ? (String(words[0]), String(words[1])) : nil
            }, uniquingKeysWith: { first, _ in first })
    }
}
