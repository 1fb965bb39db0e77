import LoupeBase
import LoupeScene

/// UIPanoramaView, a Windows Phone panorama for iOS: items that scroll and snap, under a title and over a background
/// that move more slowly.
public struct PanoramaModel: MotionModel, LiveModel {
    /// An image, a colour or a text with its size.
    public struct Picture: Hashable, Sendable {
        /// The image or the colour; without effect where there is a text.
        public var content: Layer.Content
        /// The text in place of it, from the picture's left side on and in the middle of its height; nil for none.
        public var label: Label?
        /// The width, in points.
        public var width: Double
        /// The height, in points.
        public var height: Double

        /// An image or a colour of a size in points.
        public init(content: Layer.Content, width: Double, height: Double) {
            (self.content, self.width, self.height) = (content, width, height)
        }

        /// A text, as high as one and a half lines.
        /// - Parameter width: Of the text's box, in points.
        public init(_ label: Label, width: Double) {
            let height = 1.5 * label.style.size * Double(label.text.lineLengths.count)
            self.init(content: .fill(.transparent), width: width, height: height)
            self.label = label
        }
    }

    /// A page with a width, and a title of its own above it.
    public struct Item: Hashable, Sendable {
        /// The content of an item.
        public enum Page: Hashable, Sendable {
            /// An image or a colour, which fills the item.
            case content(Layer.Content)
            /// The layers of a scene, from the item's left top corner on and cut by the item, with its labels and scale bars.
            case scene(Scene)
        }

        /// What it shows.
        public var page: Page
        /// In points; 0 stands for the canvas's width less 30.
        public var width: Double
        /// Above the page; nil for none.
        public var title: Picture?

        /// A page with its width in points.
        public init(_ page: Page, width: Double = 0, title: Picture? = nil) {
            (self.page, self.width, self.title) = (page, width, title)
        }
    }

    struct State: Sendable {
        var offset = AnimatedValue(0)
        var isDragging = false
    }

    let canvas: Scene.Canvas
    let title: Picture
    let background: Picture?
    private let items: [Item]
    private let options: PanoramaOptions
    /// The positions of the items, and the stops.
    public let layout: PanoramaLayout
    var timeline = Timeline(State())
    private(set) var decisions: [ModelDecision] = []
    private var down = TouchesDown()
    /// The finger that drags, and the offset at its start, without the rubber band.
    private var drag: (id: Int, start: Double)?
    /// The time after which nothing moves, in seconds.
    public internal(set) var duration = 0.0

    /// Builds the model from its trace.
    /// - Parameters:
    ///   - title: As wide as its text.
    ///   - items: They fill the canvas below the title.
    public init(
        canvas: Scene.Canvas, title: Picture, background: Picture?, items: [Item], trace: Trace,
        options: PanoramaOptions = PanoramaOptions()
    ) {
        (self.canvas, self.title, self.background) = (canvas, title, background)
        (self.items, self.options) = (items, options)
        layout = PanoramaLayout(viewportWidth: Double(canvas.width), itemWidths: items.map { $0.width })
        follow(trace)
    }

    // MARK: - Rates

    /// The title's width with its gap, tw, in points.
    private var titleWidth: Double { title.width + PanoramaLayout.gap }

    /// How far the title moves for each point that the items move, at most 1.
    public var titleRate: Double { min(1, askedTitleRate) }

    private var askedTitleRate: Double {
        switch options.titleRate {
        case .prose:
            let last = layout.stops.last ?? 0
            return last > 0 ? titleWidth / last : 0
        case .code:
            let distance = layout.contentWidth - 2 * titleWidth
            return distance > 0 ? titleWidth / distance : 0
        }
    }

    /// How far the background moves for each point that the items move: at most 1, and never so far that it bares the canvas.
    public var backgroundRate: Double { min(askedBackgroundRate, 1, spareBackground / max(1, greatestOffset)) }

    private var askedBackgroundRate: Double { options.animatesBackground ? titleWidth / layout.contentWidth : 0 }
    private var greatestOffset: Double { layout.offsetRange.upperBound }
    /// How much wider the background is than the canvas, in points.
    private var spareBackground: Double { max(0, (background?.width ?? .infinity) - Double(canvas.width)) }

    /// What is too long or too narrow to move as its rule says, a sentence each without a full stop.
    var warnings: [String] {
        var warnings: [String] = []
        if askedTitleRate > 1 {
            warnings.append(
                "the title is \(titleWidth.tenths) points wide with its gap: it would move \(askedTitleRate.hundredths) times as "
                    + "fast as the content, and moves as fast; a title of at most "
                    + "\((titleWidth / askedTitleRate - PanoramaLayout.gap).tenths) points fits")
        }
        if let background, askedBackgroundRate > backgroundRate || background.width < Double(canvas.width) {
            let needed = Double(canvas.width) + min(1, askedBackgroundRate) * greatestOffset
            warnings.append(
                "the background is \(background.width.tenths) points wide and moves \(backgroundRate.hundredths) times as fast as "
                    + "the content in place of \(askedBackgroundRate.hundredths); \(needed.tenths) points are needed")
        }
        return warnings
    }

    // MARK: - Events

    mutating func restart() {
        timeline = Timeline(timeline.initial)
        decisions = []
        down = TouchesDown()
        drag = nil
    }

    mutating func handle(_ event: Trace.Event) {
        guard case .touch(let touch) = event.content, let tracked = down.apply(touch, at: event.time) else { return }
        if touch.phase == .began, drag == nil {
            let shown = timeline.last.offset.presentation(at: event.time)
            drag = (touch.id, band.offset(shownAs: shown, in: layout.offsetRange))
        }
        guard let current = drag, current.id == touch.id else { return }
        var state = timeline.last
        state.isDragging = touch.phase == .began || touch.phase == .moved
        let shown = band.offset(current.start - tracked.translation.dx, in: layout.offsetRange)
        state.offset.set(shown)
        if !state.isDragging {
            let velocity = touch.phase == .ended ? -tracked.velocity(at: event.time).dx : 0
            snap(&state.offset, velocity: velocity * band.follow(at: shown, in: layout.offsetRange), at: event.time)
            drag = nil
        }
        timeline.append(state, at: event.time)
    }

    private var band: RubberBand { RubberBand(length: Double(canvas.width)) }

    func duration(after trace: Trace) -> Double { max(trace.duration, timeline.last.offset.end) }

    /// As `scrollViewWillEndDragging(_:withVelocity:targetContentOffset:)` lets one do it: the natural target of
    /// UIKit's deceleration snaps, so that one swipe reaches the last item, and the velocity continues.
    /// - Parameter velocity: the velocity of the offset, in points per second.
    private mutating func snap(_ offset: inout AnimatedValue, velocity: Double, at time: Double) {
        let target = Deceleration.uikit(from: offset.model, velocity: velocity).restValue
        let stop = layout.snapTarget(from: target)
        let number = (layout.stops.firstIndex(of: stop) ?? 0) + 1
        decisions.append(
            ModelDecision(
                time: time,
                text: "released at \(velocity.spoken) points a second: the natural target is \(target.spoken), "
                    + "which snaps to stop \(number) at \(stop.spoken)"))
        offset.glide(
            to: stop == 0 ? options.zeroStop.clamped(to: layout.offsetRange) : stop, velocity: velocity, at: time)
    }

    // MARK: - Frames

    /// The background, the title and the items at a time in seconds.
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
        var scene = Scene(canvas: canvas)
        if let background { scene.add(background, x: backgroundX) }
        scene.add(title, x: titleX)
        for index in items.indices { add(index, to: &scene, offset: offset) }
        return MotionFrame(scene: scene, states: states)
    }

    private func add(_ index: Int, to scene: inout Scene, offset: Double) {
        let (item, x) = (items[index], layout.itemPositions[index] - offset)
        let top = title.height + (item.title?.height ?? 0)
        if let own = item.title { scene.add(own, x: x, y: title.height) }
        let frame = Rect(x: x, y: top, width: layout.itemWidths[index], height: Double(canvas.height) - top)
        guard frame.height > 0 else { return }
        switch item.page {
        case .content(let content): scene.layers.append(Layer(content: content, rect: frame))
        case .scene(let page): scene.add(page, in: frame)
        }
    }
}

extension Scene {
    fileprivate mutating func add(_ picture: PanoramaModel.Picture, x: Double, y: Double = 0) {
        if var label = picture.label {
            label.anchor = .point(Point(x: x, y: y + picture.height / 2), align: Vector(dx: 0, dy: 0.5))
            labels.append(label)
        } else {
            let rect = Rect(x: x, y: y, width: picture.width, height: picture.height)
            layers.append(Layer(content: picture.content, rect: rect))
        }
    }

    /// Adds what an item's scene shows in a frame: its background, its layers, its scale bars, and the labels that lie there.
    fileprivate mutating func add(_ page: Scene, in frame: Rect) {
        let way = Vector(dx: frame.x, dy: frame.y)
        if case .color(let color) = page.canvas.background { layers.append(Layer(content: .fill(color), rect: frame)) }
        let shown = page.withBarsAsLayers(within: Rect(x: 0, y: 0, width: frame.width, height: frame.height))
        layers += shown.layers.compactMap { $0.moved(by: way).cut(by: frame) }
        labels += shown.labels.map { $0.moved(by: way) }.filter { label in
            guard case .point(let point, _) = label.anchor else { return false }
            return frame.contains(point)
        }
    }
}

extension Layer {
    /// The part of the layer in a rect; nil without one.
    fileprivate func cut(by rect: Rect) -> Layer? {
        let (x, y) = (max(bounds.minX, rect.minX), max(bounds.minY, rect.minY))
        let part = Rect(
            x: x, y: y, width: min(bounds.maxX, rect.maxX) - x, height: min(bounds.maxY, rect.maxY) - y)
        guard part.width > 0, part.height > 0 else { return nil }
        var layer = self
        if part != bounds {
            layer.crop = part
            layer.corner = corner.fitted(to: part)
        }
        return layer
    }
}

/// The options of the panorama.
public struct PanoramaOptions: Hashable, Sendable {
    /// The rule for how far the title moves when the items move.
    public enum TitleRate: String, Hashable, Sendable, CaseIterable {
        /// tw/last stop: the title has left the window when the last item comes into full view, as UIPanoramaView's
        /// description says.
        case prose
        /// tw/(contentW − 2tw), and 0 if the content is no wider than two titles, as UIPanoramaView's published code
        /// computes it.
        case code
    }

    /// The rule for the title.
    public var titleRate = TitleRate.prose
    /// Whether the background moves: UIPanoramaView's `animate`.
    public var animatesBackground = true
    /// The target of a snap to 0, in points: UIPanoramaView's published code takes 1 to work around a defect.
    public var zeroStop = 0.0

    /// The rule of the description, and an exact stop at 0.
    public init() {}
}

/// The positions of a panorama's items, and the offsets at which it may rest.
public struct PanoramaLayout: Hashable, Sendable {
    /// How much narrower than the viewport an item without a width is, in points, so that the edge of the next one is
    /// visible.
    static let peek = 30.0
    /// The gap before the first item, and beside each item in the content's width, in points.
    static let gap = 5.0

    /// The width W of the viewport, in points.
    public let viewportWidth: Double
    /// The items' widths in points, with the default filled in.
    public let itemWidths: [Double]
    /// The position of each item's left edge in the content, in points: x₀ = 5, x_{i+1} = x_i + w_i.
    public let itemPositions: [Double]
    /// The width of the content, in points: ceil(Σ(5 + w_i)/W)·W.
    public let contentWidth: Double
    /// The distance from each stop to the next, in points: an item wider than the viewport is divided into several
    /// chunks.
    public let chunks: [Double]
    /// The offsets at which the panorama may rest, in points: the sums of the chunks before each. Those that would leave
    /// more than a peek empty behind the last item are replaced by one, at which the last item's right edge is the
    /// viewport's.
    public let stops: [Double]

    /// Lays out items of given widths.
    /// - Parameter itemWidths: In points; 0 stands for the viewport's width less 30.
    public init(viewportWidth: Double, itemWidths: [Double]) {
        let widths = itemWidths.map { $0 > 0 ? $0 : max(1, viewportWidth - Self.peek) }
        self.viewportWidth = viewportWidth
        self.itemWidths = widths
        itemPositions = Self.sums(widths, from: Self.gap)
        let total = widths.reduce(0) { $0 + $1 + Self.gap }
        contentWidth = max(1, (total / viewportWidth).rounded(.up)) * viewportWidth
        chunks = widths.flatMap { Self.chunks(of: $0, viewportWidth: viewportWidth) }
        let limit = contentWidth - viewportWidth
        let end = (Self.gap + widths.reduce(0, +) - viewportWidth).clamped(to: 0...limit)
        let reach = min(limit, end + Self.peek)
        let sums = Self.sums(chunks, from: 0)
        let reached = sums.filter { $0 <= reach }
        stops = reached.count == sums.count || reached.last.map { $0 >= end } == true ? reached : reached + [end]
    }

    /// The sum of the elements before each.
    private static func sums(_ lengths: [Double], from start: Double) -> [Double] {
        var sum = start
        return lengths.map { length in
            defer { sum += length }
            return sum
        }
    }

    private static func chunks(of width: Double, viewportWidth: Double) -> [Double] {
        var rest = width
        var chunks: [Double] = []
        let step = viewportWidth - peek
        while rest > viewportWidth, step > 0 {
            chunks.append(step)
            rest -= step
        }
        return chunks + [rest]
    }

    /// The range of the offset, in points.
    public var offsetRange: ClosedRange<Double> { 0...(contentWidth - viewportWidth) }

    /// The stop that is nearest to an offset, in points; at the middle of two, the second: the first stop x with
    /// offset < x + chunk/2, else the last one.
    public func snapTarget(from offset: Double) -> Double {
        for (stop, next) in zip(stops, stops.dropFirst()) where offset < stop + (next - stop) / 2 { return stop }
        return stops.last ?? 0
    }
}
