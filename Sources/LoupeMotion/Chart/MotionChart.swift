import LoupeBase
import LoupeScene

/// A chart of a session over time, as SVG: positions, velocities and phases, the touches or the rotation beneath, and each
/// decision.
///
/// It is the same in every viewer: it has plain attributes, its own white background, and no style sheet or script.
package struct MotionChart {
    private let session: Session
    private let source: String
    private let range: ClosedRange<Double>
    private let curves: MotionCurves
    private let samples: [CurveSample]
    private let recorded: RecordedCurves?

    /// Almost two samples for each unit of the time axis.
    private static let sampleCount = 1500.0

    /// - Parameters:
    ///   - source: What the chart is made from, for its second line; any text.
    ///   - range: The times of the chart, in seconds; the upper bound is over the lower one.
    ///   - recorded: What a device has recorded, for the plots of the same numbers.
    package init(_ session: Session, source: String, range: ClosedRange<Double>, recorded: RecordedCurves? = nil) {
        (self.session, self.source, self.range, self.recorded) = (session, source, range, recorded)
        curves = MotionCurves(session.model)
        samples = curves.samples(in: range, step: (range.upperBound - range.lowerBound) / Self.sampleCount)
    }

    /// The chart as a complete SVG document. The same session gives the same bytes.
    package var svg: String {
        let phases = SessionTimeline.phaseLanes(of: session.model, at: samples.map { $0.time })
        let touches = SessionTimeline.touchLanes(of: session)
        return Chart(
            title: session.model.title, source: source, range: range,
            panels: [.lanes(phases)] + plots + (session.hasRotation ? [.plot(rotation)] : [])
                + (touches.isEmpty ? [] : [.lanes(touches)]),
            marks: session.model.measures.decisions.filter { range.contains($0.time) }
        ).svg
    }

    // MARK: - Values and velocities

    private var plots: [ChartPanel] {
        var titles: [String] = []
        for title in curves.quantities.compactMap({ $0.plot }) where !titles.contains(title) { titles.append(title) }
        let velocities = samples.map { curves.velocities(at: $0.time) }
        return titles.flatMap { title -> [ChartPanel] in
            let indices = curves.quantities.indices.filter { curves.quantities[$0].plot == title }
            let arePositions = curves.quantities[indices[0]].isPosition
            let isMoving = indices.contains { index in
                let values = samples.map { $0.values[index] }
                return (values.max() ?? 0) - (values.min() ?? 0) > 1e-9
            }
            let recordings = recordings(of: indices)
            guard isMoving || arePositions || !recordings.isEmpty else { return [] }
            let values = plot(arePositions ? "\(title), in points" : title, indices, recordings) {
                samples[$0].values[$1]
            }
            guard isMoving, arePositions else { return [.plot(values)] }
            let speeds = plot("velocity of the \(title), in points a second", indices) { velocities[$0][$1] }
            return [.plot(values), .plot(speeds)]
        }
    }

    private func plot(
        _ title: String, _ indices: [Int], _ recordings: [ChartPlot.Series] = [],
        _ value: (_ sample: Int, _ index: Int) -> Double
    ) -> ChartPlot {
        let series = zip(indices, ChartColor.curves).map { index, color in
            ChartPlot.Series(
                name: curves.quantities[index].name, color: color,
                points: samples.indices.map { (samples[$0].time, value($0, index)) })
        }
        return ChartPlot(title: title, series: series + recordings, height: 100)
    }

    /// What was recorded of some quantities.
    private func recordings(of indices: [Int]) -> [ChartPlot.Series] {
        zip(indices, ChartColor.curves.reversed()).compactMap { index, color in
            let quantity = curves.quantities[index]
            guard let column = recorded?.columns.first(where: { $0.name == quantity.key }) else { return nil }
            let name = quantity.name.isEmpty ? "recorded" : "\(quantity.name), recorded"
            return ChartPlot.Series(name: name, color: color, points: column.points.filter { range.contains($0.time) })
        }
    }

    // MARK: - Rotation

    private var rotation: ChartPlot {
        let rates = (session.trace?.events ?? []).compactMap { event -> (time: Double, rate: RotationRate)? in
            guard range.contains(event.time), case .rotation(let rate) = event.content else { return nil }
            return (event.time, rate)
        }
        func series(_ name: String, _ color: String, _ axis: (RotationRate) -> Double) -> ChartPlot.Series {
            ChartPlot.Series(name: name, color: color, points: rates.map { ($0.time, axis($0.rate)) })
        }
        let axes = [
            series("about y", ChartColor.blue) { $0.y }, series("about x", ChartColor.vermilion) { $0.x },
            series("about z", ChartColor.green) { $0.z },
        ]
        return ChartPlot(title: "rotation, in radians a second", series: axes, height: 80)
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
