import LoupeGeometry
import LoupeJSON
import LoupeScene

/// A chart of a session over time, as SVG.
///
/// It is the same in every viewer: it has plain attributes, its own white background, and no style sheet or script.
public struct MotionChart {
    private let chart: Chart

    /// The chart as a complete SVG document. The same session gives the same bytes.
    public var svg: String { chart.svg }

    /// How the gestures of a loupe's trace were recognized: the role of each touch, the progress of each gesture, the
    /// states of the recognizers, and each decision with its reasons.
    /// - Parameter source: What the chart is made from, for its second line; any text.
    public init(decisionsOf model: LoupeModel, source: String) {
        chart = Chart(
            title: "Decisions about gestures", source: source, range: 0...max(model.duration, 0.001),
            panels: Self.gesturePanels(model), marks: Self.marks(model.decisions))
    }

    /// What a model did: positions, velocities and phases, the touches or the rotation beneath, and each decision.
    /// - Parameters:
    ///   - source: What the chart is made from, for its second line; any text.
    ///   - range: The times of the chart, in seconds; the upper bound is over the lower one.
    public init(_ session: Session, source: String, range: ClosedRange<Double>) {
        chart = MotionPanels(session, range: range).chart(source: source)
    }

    static func gesturePanels(_ model: LoupeModel) -> [ChartPanel] {
        [
            .lanes(TouchLanes.lanes(of: model)), .plot(ProgressPlot(model).plot),
            .lanes(RecognizerLanes(model).lanes),
        ]
    }

    static func marks(_ decisions: [ModelDecision]) -> [ChartMark] {
        decisions.map { ChartMark(time: $0.time, text: $0.text, details: $0.details) }
    }
}

/// The panels of any model, from its curves.
private struct MotionPanels {
    private let session: Session
    private let measures: Measures
    private let range: ClosedRange<Double>
    private let curves: MotionCurves
    private let samples: [CurveSample]
    private let velocities: [[Double]]
    private let isShown: [Bool]

    /// Two samples for each unit of the SVG.
    private static let sampleCount = 1500.0

    init(_ session: Session, range: ClosedRange<Double>) {
        self.session = session
        let measures = session.model.measures
        self.measures = measures
        self.range = range
        let curves = MotionCurves(session.model)
        let samples = curves.samples(in: range, step: (range.upperBound - range.lowerBound) / Self.sampleCount)
        self.curves = curves
        self.samples = samples
        velocities = samples.map { curves.velocities(at: $0.time) }
        // If two samples have the same time, the first is the one before the event.
        isShown = samples.indices.map { index in
            let isBefore = index + 1 < samples.count && samples[index + 1].time == samples[index].time
            return measures.isShown(isBefore ? samples[index].time.nextDown : samples[index].time)
        }
    }

    func chart(source: String) -> Chart {
        Chart(
            title: session.model.title, source: source, range: range, panels: panels,
            marks: MotionChart.marks(measures.decisions))
    }

    private var panels: [ChartPanel] {
        [.lanes(SessionTimeline.phaseLanes(of: measures, at: samples.map { $0.time }))] + plots + input
    }

    // MARK: - Values and velocities

    private var plots: [ChartPanel] {
        var titles: [String] = []
        for title in curves.quantities.compactMap({ $0.plot }) where !titles.contains(title) { titles.append(title) }
        return titles.flatMap { title -> [ChartPanel] in
            let indices = curves.quantities.indices.filter { curves.quantities[$0].plot == title }
            let unit = curves.quantities[indices[0]].unit
            guard indices.contains(where: moves) || curves.quantities[indices[0]].isPosition else { return [] }
            let guides = measures.guides.filter { $0.plot == title }.map { (value: $0.value, name: $0.name) }
            let values = ChartPlot(
                title: unit == .points ? "\(title), in points" : title,
                series: series(indices) { samples[$0].values[$1] }, guides: guides,
                height: unit == .points ? 120 : 80)
            let moving = indices.filter { curves.quantities[$0].isPosition && !curves.quantities[$0].isGoal }
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
            if !quantity.isGoal { color = colors.popFirst() ?? ChartColor.ink }
            var runs: [[(time: Double, value: Double)]] = [[]]
            for sample in samples.indices {
                guard isShown[sample] else {
                    if !runs[runs.count - 1].isEmpty { runs.append([]) }
                    continue
                }
                runs[runs.count - 1].append((samples[sample].time, value(sample, index)))
            }
            return ChartSeries(
                name: quantity.name, color: color, isDashed: quantity.isGoal, width: quantity.isGoal ? 1.2 : 2,
                runs: runs.filter { $0.count > 1 })
        }
    }

    // MARK: - Touches and rotation

    private var input: [ChartPanel] {
        guard let trace = session.trace else { return [] }
        if case .loupe(let model) = session.model { return MotionChart.gesturePanels(model) }
        let touches = TouchLanes.lanes(of: trace)
        let rotations: [ChartPanel] =
            if case .tilt(let model) = session.model { rotation(trace, of: model) } else { [] }
        return rotations + (touches.isEmpty ? [] : [.lanes(touches)])
    }

    /// The rotation rates, and when they moved the photo.
    private func rotation(_ trace: Trace, of model: TiltModel) -> [ChartPanel] {
        var rates: [[(time: Double, value: Double)]] = [[], [], []]
        for event in trace.events where range.contains(event.time) {
            guard case .rotation(let rate) = event.content else { continue }
            for (axis, value) in [rate.x, rate.y, rate.z].enumerated() { rates[axis].append((event.time, value)) }
        }
        let order = [
            (1, "about y", ChartColor.blue), (0, "about x", ChartColor.vermilion), (2, "about z", ChartColor.green),
        ]
        let series = order.map { axis, name, color in
            ChartSeries(name: name, color: color, width: axis == 1 ? 2 : 1.2, runs: [rates[axis]])
        }
        return [
            .plot(ChartPlot(title: "rotation, in radians a second", series: series, height: 90)),
            .lanes([SessionTimeline.countedRotation(model, rates[1].map { $0.time })]),
        ]
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
