import LoupeJSON

/// A model's curves as CSS easing functions, `linear(…)` of CSS Easing Functions Level 2, one custom property each.
///
/// 0 stands for the value at the start and 1 for the value at the end. Where these are the same, or nearer than a tenth
/// of the range, 0 stands for the least and 1 for the greatest value, and the function begins and ends between them. A
/// comment names both values.
public struct CSSEasing {
    /// The style sheet.
    public let text: String
    /// How well each function follows its quantity, measured with the numbers as they stand in the text.
    public let reports: [CurveReport]

    /// - Parameter title: What the curves were made from; any text.
    public init(_ fit: CurveFit, title: String) {
        var (lines, reports) = ([String](), [CurveReport]())
        for index in fit.quantities.indices where !fit.quantities[index].isGoal {
            let function = Function(fit, index)
            reports.append(function.report)
            lines += function.lines
        }
        let span = "\(fit.range.lowerBound.thousandths) s to \(fit.range.upperBound.thousandths) s"
        self.reports = reports
        text =
            "/* \(title.cssComment), \(span) */\n:root {\n  --duration: \(fit.duration.rounded(decimals: 6).jsonText)s;\n"
            + lines.joined() + "}\n"
    }

    /// One easing function.
    private struct Function {
        let report: CurveReport
        let lines: [String]

        init(_ fit: CurveFit, _ index: Int) {
            let curve = fit.curve(of: index)
            let (key, unit) = (curve.quantity.key, curve.quantity.unit)
            guard !curve.isConstant else {
                report = CurveReport(key: key, corners: 1, error: 0, range: 0, unit: unit)
                lines = ["  /* \(key) is \(curve.greatest.rounded(decimals: 4).jsonText) all the time */\n"]
                return
            }
            let (first, last) = (curve.corners[0].value, curve.corners[curve.corners.count - 1].value)
            let isReturn = abs(last - first) < curve.range / 10
            let from = (isReturn ? curve.least : first).rounded(decimals: 6)
            let to = (isReturn ? curve.greatest : last).rounded(decimals: 6)
            let stops = curve.corners.map { corner in
                (
                    output: ((corner.value - from) / (to - from)).rounded(decimals: 5),
                    percent: (100 * corner.time / fit.duration).rounded(decimals: 4)
                )
            }
            let written = stops.map { (time: $0.percent / 100 * fit.duration, value: from + (to - from) * $0.output) }
            report = CurveReport(
                key: key, corners: stops.count, error: fit.error(of: written, for: index), range: curve.range,
                unit: unit)
            let list = stops.enumerated().map { index, stop in
                let isEnd = index == 0 || index == stops.count - 1
                return stop.output.jsonText + (isEnd ? "" : " \(stop.percent.jsonText)%")
            }
            lines = [
                "  /* from \(from.jsonText) to \(to.jsonText); \(report.line) */\n",
                "  --\(key.cssName): linear(\(list.joined(separator: ", ")));\n",
            ]
        }
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
    var cssName: String {
        var name = ""
        for character in self {
            if character.isLetter || character.isNumber {
                name.append(character)
            } else if name.last != "-" {
                name.append("-")
            }
        }
        return name.last == "-" ? String(name.dropLast()) : name
    }
}
