import LoupeBase

/// A model's curves as CSS easing functions, `linear(…)` of CSS Easing Functions Level 2, one custom property each.
///
/// 0 stands for the value at the start and 1 for the value at the end. Where these are the same, or nearer than a tenth
/// of the range, 0 stands for the least and 1 for the greatest value, and the function begins and ends between them. A
/// comment names both values.
package struct CSSEasing {
    /// The style sheet.
    package let text: String

    /// How far a function may be off, as a part of the range of its values.
    static let tolerance = 0.002
    /// The time between samples, in seconds; more where these were over 100,000.
    private static let step = 0.001

    /// - Parameters:
    ///   - range: The span of time, in seconds.
    ///   - title: What the curves were made from; any text.
    package init(_ model: Session.Model, range: ClosedRange<Double>, title: String) {
        let curves = MotionCurves(model)
        let duration = range.upperBound - range.lowerBound
        let samples = curves.samples(in: range, step: max(Self.step, duration / 100_000))
        let functions = curves.quantities.enumerated().map { index, quantity in
            Self.function(
                quantity.key, samples.map { ($0.time - range.lowerBound, $0.values[index]) }, duration)
        }
        let span = "\(range.lowerBound.thousandths) s to \(range.upperBound.thousandths) s"
        text =
            "/* \(title.cssComment), \(span) */\n:root {\n  --duration: \(duration.rounded(decimals: 6).jsonText)s;\n"
            + functions.joined() + "}\n"
    }

    /// The lines of one function.
    private static func function(_ key: String, _ samples: [(time: Double, value: Double)], _ duration: Double)
        -> String
    {
        let values = samples.map { $0.value }
        let (least, greatest) = (values.min() ?? 0, values.max() ?? 0)
        let extent = greatest - least
        guard extent > 1e-9 * max(1, abs(greatest)) else {
            return "  /* \(key) is \(greatest.rounded(decimals: 4).jsonText) all the time */\n"
        }
        let (first, last) = (values[0], values[values.count - 1])
        let isReturn = abs(last - first) < extent / 10
        let from = (isReturn ? least : first).rounded(decimals: 6)
        let to = (isReturn ? greatest : last).rounded(decimals: 6)
        // Rounding takes the rest of the tolerance.
        let corners = PolylineFit.corners(of: samples, tolerance: 0.9 * tolerance * extent)
        let list = corners.enumerated().map { index, corner in
            let output = ((corner.value - from) / (to - from)).rounded(decimals: 5).jsonText
            guard index > 0, index < corners.count - 1 else { return output }
            return "\(output) \((100 * corner.time / duration).rounded(decimals: 4).jsonText)%"
        }
        return "  /* \(key) from \(from.jsonText) to \(to.jsonText) */\n"
            + "  --\(key.cssName): linear(\(list.joined(separator: ", ")));\n"
    }
}

extension Double {
    /// Rounded to a number of decimals.
    fileprivate func rounded(decimals: Int) -> Double {
        let scale = (0..<decimals).reduce(1.0) { scale, _ in scale * 10 }
        let rounded = (self * scale).rounded() / scale
        return rounded == 0 ? 0 : rounded
    }
}

extension String {
    /// The text within a comment, on one line.
    fileprivate var cssComment: String {
        var text = ""
        var last: Character = " "
        for character in self {
            let isEnd = last == "*" && character == "/"
            text.append(isEnd || character.isNewline ? " " : character)
            last = character
        }
        return text
    }

    /// The name of a custom property: letters and digits, other characters as single hyphens.
    fileprivate var cssName: String {
        split { !($0.isLetter || $0.isNumber) }.joined(separator: "-")
    }
}
