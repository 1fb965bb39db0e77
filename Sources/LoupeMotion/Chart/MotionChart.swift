import LoupeBase
import LoupeScene

/// A chart of a session over time, as SVG: positions, velocities and phases, the touches or the rotation beneath, and each
/// decision. For the loupe also how its gestures were recognized.
///
/// It is the same in every viewer: it has plain attributes, its own white background, and no style sheet or script.
package struct MotionChart {
    private let session: Session
    private let source: String
    private let range: ClosedRange<Double>
    private let curves: MotionCurves
    private let samples: [CurveSample]
    private let isShown: [Bool]

    /// Two samples for each unit of the SVG.
    private static let sampleCount = 1500.0

    /// - Parameters:
    ///   - source: What the chart is made from, for its second line; any text.
    ///   - range: The times of the chart, in seconds; the upper bound is over the lower one.
    package init(_ session: Session, source: String, range: ClosedRange<Double>) {
        (self.session, self.source, self.range) = (session, source, range)
        let curves = MotionCurves(session.model)
        let samples = curves.samples(in: range, step: (range.upperBound - range.lowerBound) / Self.sampleCount)
        (self.curves, self.samples) = (curves, samples)
        // If two samples have the same time, the first is the one before the event.
        isShown = samples.indices.map { index in
            let isBefore = index + 1 < samples.count && samples[index + 1].time == samples[index].time
            return curves.isShown(at: isBefore ? samples[index].time.nextDown : samples[index].time)
        }
    }

    /// The chart as a complete SVG document. The same session gives the same bytes.
    package var svg: String {
        let measures = session.model.measures
        let phases = SessionTimeline.phaseLanes(of: session.model, at: samples.map { $0.time })
        return Chart(
            title: session.model.title, source: source, range: range,
            panels: [.lanes(phases)] + plots(measures.guides) + input, marks: measures.decisions
        ).svg
    }

    // MARK: - Values and velocities

    private func plots(_ guides: [(plot: String, value: Double, name: String)]) -> [ChartPanel] {
        var titles: [String] = []
        for title in curves.quantities.compactMap({ $0.plot }) where !titles.contains(title) { titles.append(title) }
        let velocities = samples.map { curves.velocities(at: $0.time) }
        return titles.flatMap { title -> [ChartPanel] in
            let indices = curves.quantities.indices.filter { curves.quantities[$0].plot == title }
            let first = curves.quantities[indices[0]]
            guard indices.contains(where: moves) || first.kind == .position else { return [] }
            let values = ChartPlot(
                title: first.kind != .number ? "\(title), in points" : title,
                series: series(indices) { samples[$0].values[$1] },
                guides: guides.filter { $0.plot == title }.map { (value: $0.value, name: $0.name) },
                height: first.kind != .number ? 120 : 80)
            let moving = indices.filter { curves.quantities[$0].kind == .position }
            guard moving.contains(where: moves) else { return [.plot(values)] }
            let speeds = ChartPlot(
                title: "velocity of the \(title), in points a second",
                series: series(moving) { velocities[$0][$1] }, height: 100)
            return [.plot(values), .plot(speeds)]
        }
    }

    private func moves(_ index: Int) -> Bool {
        let values = zip(samples, isShown).filter { $1 }.map { $0.0.values[index] }
        return (values.max() ?? 0) - (values.min() ?? 0) > 1e-9
    }

    private func series(_ indices: [Int], _ value: (_ sample: Int, _ index: Int) -> Double) -> [ChartSeries] {
        var colors = ChartColor.curves[...]
        var color = ChartColor.blue
        return indices.map { index in
            let quantity = curves.quantities[index]
            if quantity.kind != .goal { color = colors.popFirst() ?? ChartColor.ink }
            let shown = samples.indices.split { !isShown[$0] }.filter { $0.count > 1 }
            return ChartSeries(
                name: quantity.name, color: color, isDashed: quantity.kind == .goal,
                width: quantity.kind == .goal ? 1.2 : 2,
                runs: shown.map { $0.map { (samples[$0].time, value($0, index)) } })
        }
    }

    // MARK: - Touches and rotation

    private var input: [ChartPanel] {
        let lanes = TouchLanes.lanes(of: session)
        let touches = lanes.isEmpty ? [] : [ChartPanel.lanes(lanes)]
        switch session.model {
        case .loupe(let model): return touches + [.plot(ProgressPlot(model).plot)]
        case .tilt: return [.plot(rotation)] + touches
        case .keyframes, .scroll, .panorama, .transition: return touches
        }
    }

    private var rotation: ChartPlot {
        let rates = (session.trace?.events ?? []).compactMap { event -> (time: Double, rate: RotationRate)? in
            guard range.contains(event.time), case .rotation(let rate) = event.content else { return nil }
            return (event.time, rate)
        }
        func series(_ name: String, _ color: String, _ width: Double, _ axis: (RotationRate) -> Double) -> ChartSeries {
            ChartSeries(name: name, color: color, width: width, runs: [rates.map { ($0.time, axis($0.rate)) }])
        }
        let axes = [
            series("about y", ChartColor.blue, 2) { $0.y }, series("about x", ChartColor.vermilion, 1.2) { $0.x },
            series("about z", ChartColor.green, 1.2) { $0.z },
        ]
        return ChartPlot(title: "rotation, in radians a second", series: axes, height: 90)
    }
}

extension Session.Model {
    /// The model in words, as the title of a chart.
    fileprivate var title: String {
        switch self {
        case .keyframes: "Keyframes"
        case .tilt: "Tilting photo panner"
        case .scroll: "Scroll view"
        case .panorama: "Panorama"
        case .transition: "Zoom transition"
        case .loupe: "Loupe in the hand"
        }
    }
}
