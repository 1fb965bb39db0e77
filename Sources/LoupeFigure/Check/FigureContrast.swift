import LoupeBase
import LoupePlan
import LoupeScene

/// Whether lines and texts of a figure are seen on what they lie on, and by whom.
///
/// What a line lies on is read from the drawn figure, just beside the line. So the check needs no image but the figure.
extension FigureCheck {
    func contrasts(on picture: (Point) -> Color) -> [FigureFinding] {
        lineContrasts(on: picture) + textContrasts(on: picture)
    }

    // MARK: - Lines

    /// A line with what lies beside it, as the figure shows both.
    private struct CheckedLine {
        let element: String
        /// At each place along it: the figure's colours across the line and its casing, and those beside it.
        let sections: [(across: [Color], beside: [Color])]

        /// The part of the line's length at which it stands out from what lies on each of its sides.
        func share(seenBy vision: ColorVision? = nil) -> Double {
            func lab(_ color: Color) -> OKLab { OKLab(vision?.seen(color) ?? color) }
            let limit = vision == nil ? FigureLimits.lineContrast : FigureLimits.colorDistance
            let seen = sections.count { across, beside in
                let line = across.map(lab)
                return beside.allSatisfy { ground in
                    let ground = lab(ground)
                    return line.contains { $0.contrast(to: ground) >= limit }
                }
            }
            return Double(seen) / Double(sections.count)
        }
    }

    private func lineContrasts(on picture: (Point) -> Color) -> [FigureFinding] {
        checkedLines(on: picture).compactMap { line in
            let share = line.share()
            if share < FigureLimits.seenShare {
                return Self.unseen(
                    line, .lineContrast, share,
                    "it stands out from what it lies on along \(Self.percent(share)) of its length")
            }
            let shares = ColorVision.allCases.map { ($0, line.share(seenBy: $0)) }
            guard let worst = shares.min(by: { $0.1 < $1.1 }), worst.1 < FigureLimits.seenShare else { return nil }
            return Self.unseen(
                line, .colorVision, worst.1,
                "to a reader with \(worst.0.rawValue) it stands out from what it lies on along \(Self.percent(worst.1)) of its length"
            )
        }
    }

    private static func unseen(
        _ line: CheckedLine, _ rule: FigureFinding.Rule, _ share: Double, _ problem: String
    ) -> FigureFinding {
        FigureFinding(
            .error, rule, line.element, "\(problem); at least \(percent(FigureLimits.seenShare)) is needed",
            measure: .init(share * 100, limit: FigureLimits.seenShare * 100, unit: "%"),
            fix:
                "give it a casing of another lightness, or a colour that is lighter or darker than the page (--accent auto chooses both)"
        )
    }

    private static func percent(_ share: Double) -> String { "\(Int((share * 100).rounded(.down))) %" }

    private func checkedLines(on picture: (Point) -> Color) -> [CheckedLine] {
        zip(scene.loupes.indices, LinePlaces.all(of: scene)).flatMap { index, places -> [CheckedLine] in
            let (loupe, name) = (scene.loupes[index], Self.loupe(index))
            var lines: [CheckedLine?] = []
            if let rim = loupe.rim, rim.width > 0 {
                let half = (rim.casing?.width ?? 0) / 2
                lines.append(
                    line(
                        "\(name).rim", at: Border(of: loupe).points(outside: half), in: index,
                        across: -half - rim.width...half, isOpen: true, on: picture))
            }
            if let ring = loupe.callout?.ring {
                let edge = ring.reach / 2
                lines.append(line("\(name).callout.ring", at: places.ring, across: -edge...edge, on: picture))
            }
            if let connector = loupe.callout?.connector {
                let casing = connector.casing?.width ?? 0
                let edge = connector.shape.width.map { $0 / 2 + casing }
                lines.append(
                    line(
                        "\(name).callout.connector", at: places.connector,
                        across: edge.map { -$0...$0 } ?? -3...casing / 2, isOpen: edge == nil, on: picture))
            }
            return lines.compactMap { $0 }
        }
    }

    /// Nil where nothing of the line is seen.
    /// - Parameters:
    ///   - index: of the loupe whose rim it is.
    ///   - extent: where the line with its casing begins and ends, along the normals of its points.
    ///   - isOpen: whether an area begins where the line does, so that only its outer side is looked at.
    private func line(
        _ element: String, at points: [LinePoint], in index: Int? = nil, across extent: ClosedRange<Double>,
        isOpen: Bool = false, on picture: (Point) -> Color
    ) -> CheckedLine? {
        // Pixels that the line does not touch.
        let sides = (isOpen ? [] : [extent.lowerBound - 1.5]) + [extent.upperBound + 1.5]
        let count = max(1, Int((extent.upperBound - extent.lowerBound).rounded(.up)))
        let step = (extent.upperBound - extent.lowerBound) / Double(count)
        let across = (0..<min(count, 9)).map { extent.upperBound - (Double($0) + 0.5) * step }
        let seen = points.filter { place in
            let all = [place.point] + sides.map { place.point + $0 * place.normal }
            return all.allSatisfy { point in
                scene.canvas.contains(point)
                    && !scene.loupes.enumerated().contains { $0 != index && Border(of: $1).contains(point) }
            }
        }
        guard !seen.isEmpty else { return nil }
        func colors(_ offsets: [Double], _ place: LinePoint) -> [Color] {
            offsets.map { picture(place.point + $0 * place.normal) }
        }
        return CheckedLine(element: element, sections: seen.map { (colors(across, $0), colors(sides, $0)) })
    }

    // MARK: - Text

    private func textContrasts(on picture: (Point) -> Color) -> [FigureFinding] {
        let labels = scene.labels.enumerated().compactMap { index, label in
            TextRun(label, in: scene).map { ("labels[\(index)]", $0) }
        }
        let bars = scene.scaleBars.enumerated().compactMap { index, bar in
            bar.plan(in: scene).map { ("scaleBars[\(index)]", $0.run) }
        }
        return (labels + bars).compactMap { element, run in
            let contrast = contrast(of: run, on: picture)
            let needed = limit(of: run.style)
            guard let contrast, contrast < needed else { return nil }
            return FigureFinding(
                .error, .textContrast, element,
                "its text has a contrast of \(contrast.hundredths) to what it lies on; at least \(needed.hundredths) is needed",
                measure: .init(contrast, limit: needed, unit: ""),
                fix: "give it another colour (--label-color), or a halo of another lightness")
        }
    }

    private func limit(of style: TextStyle) -> Double {
        let points = pixelsPerInch.map { style.size / $0 * 72 } ?? 0
        let large = style.weight >= 700 ? FigureLimits.largeText.bold : FigureLimits.largeText.regular
        return points >= large ? FigureLimits.textContrast.large : FigureLimits.textContrast.text
    }

    /// The contrast of a text to its halo or to what lies around it, which four fifths of it have, as a letter
    /// beside its ring has some of that in its box; nil off the canvas.
    private func contrast(of run: TextRun, on picture: (Point) -> Color) -> Double? {
        let box = run.estimatedBox.inset(by: -((run.style.halo?.width ?? 0) + 2))
        let points = (0..<10).flatMap { step -> [Point] in
            let (x, y) = (box.x + box.width * Double(step) / 9, box.y + box.height * Double(step) / 9)
            return [
                Point(x: x, y: box.minY), Point(x: x, y: box.maxY), Point(x: box.minX, y: y), Point(x: box.maxX, y: y),
            ]
        }
        let contrasts = points.filter(scene.canvas.contains).map { point -> Double in
            let ground = picture(point)
            let beside = run.style.color.over(ground).contrastRatio(to: ground)
            guard let halo = run.style.halo?.color else { return beside }
            let band = halo.over(ground)
            return max(beside, run.style.color.over(band).contrastRatio(to: band))
        }
        return contrasts.isEmpty ? nil : contrasts.sorted()[contrasts.count / 5]
    }
}
