import LoupeGeometry
import LoupeJSON
import LoupeScene

/// UIPanoramaView: items that scroll and snap, under a title and over a background that move more slowly.
public struct PanoramaModel: MotionModel {
    /// A picture or a fill with its size.
    public struct Picture: Hashable, Sendable {
        public var content: Layer.Content
        /// In points.
        public var width: Double
        /// In points.
        public var height: Double

        public init(content: Layer.Content, width: Double, height: Double) {
            self.content = content
            self.width = width
            self.height = height
        }
    }

    private struct State: Sendable {
        var offset = AnimatedValue(0)
        var isDragging = false
    }

    private let canvas: Scene.Canvas
    private let title: Picture
    private let background: Picture?
    private let items: [Layer.Content]
    private let options: PanoramaOptions
    public let layout: PanoramaLayout
    private var timeline = Timeline(State())
    public let duration: Double

    /// - Parameters:
    ///   - title: As wide as its text.
    ///   - items: What each shows, and its width in points; 0 stands for the canvas's width less 30. They fill the
    ///     canvas under the title.
    public init(
        canvas: Scene.Canvas, title: Picture, background: Picture?, items: [(content: Layer.Content, width: Double)],
        trace: Trace, options: PanoramaOptions = PanoramaOptions()
    ) {
        self.canvas = canvas
        self.title = title
        self.background = background
        self.items = items.map(\.content)
        self.options = options
        layout = PanoramaLayout(viewportWidth: Double(canvas.width), itemWidths: items.map(\.width))
        duration = trace.duration + options.snapDuration
        fold(trace)
    }

    // MARK: - Rates

    /// tw, in points.
    private var titleWidth: Double { title.width + PanoramaLayout.gap }

    /// Points of the title for each point of the items.
    public var titleRate: Double {
        switch options.titleRate {
        case .prose:
            let last = layout.stops.last ?? 0
            return last > 0 ? titleWidth / last : 0
        case .code:
            let way = layout.contentWidth - 2 * titleWidth
            return way > 0 ? titleWidth / way : 0
        }
    }

    /// Points of the background for each point of the items.
    public var backgroundRate: Double { titleWidth / layout.contentWidth }

    // MARK: - Events

    private mutating func fold(_ trace: Trace) {
        var down = TouchesDown()
        var drag: (id: Int, start: Double)?
        for event in trace.events {
            guard case .touch(let touch) = event.content, let tracked = down.apply(touch, at: event.time) else {
                continue
            }
            if touch.phase == .began, drag == nil {
                drag = (touch.id, timeline.last.offset.presentation(at: event.time))
            }
            guard let current = drag, current.id == touch.id else { continue }
            var state = timeline.last
            state.isDragging = touch.phase == .began || touch.phase == .moved
            state.offset.set((current.start - tracked.translation.dx).clamped(to: layout.offsetRange))
            if !state.isDragging {
                snap(&state.offset, at: event.time)
                drag = nil
            }
            timeline.append(state, at: event.time)
        }
    }

    private func snap(_ offset: inout AnimatedValue, at time: Double) {
        let stop = layout.reachableTarget(from: offset.model)
        offset.animate(
            to: stop == 0 ? options.zeroStop.clamped(to: layout.offsetRange) : stop, at: time,
            duration: options.snapDuration, timing: .curve(.easeOut))
    }

    // MARK: - Frames

    public func frame(at time: Double) -> MotionFrame {
        let state = timeline.state(at: time)
        let offset = state.offset.presentation(at: time)
        let titleX = PanoramaLayout.gap - offset * titleRate
        let backgroundX = -offset * backgroundRate
        let phase = state.isDragging ? "dragging" : state.offset.isSettled(at: time) ? "idle" : "snapping"
        let states: JSONValue = [
            "phase": .string(phase), "offset": .number(state.offset.model), "presentationOffset": .number(offset),
            "titleX": .number(titleX), "backgroundX": .number(backgroundX),
        ]
        let layers =
            (background.map { [layer($0, x: backgroundX)] } ?? []) + [layer(title, x: titleX)] + itemLayers(offset)
        return MotionFrame(scene: Scene(canvas: canvas, layers: layers), states: states)
    }

    private func layer(_ picture: Picture, x: Double) -> Layer {
        Layer(content: picture.content, rect: Rect(x: x, y: 0, width: picture.width, height: picture.height))
    }

    private func itemLayers(_ offset: Double) -> [Layer] {
        let height = Double(canvas.height) - title.height
        guard height > 0 else { return [] }
        return items.indices.map { index in
            Layer(
                content: items[index],
                rect: Rect(
                    x: layout.itemPlaces[index] - offset, y: title.height, width: layout.itemWidths[index],
                    height: height))
        }
    }
}
