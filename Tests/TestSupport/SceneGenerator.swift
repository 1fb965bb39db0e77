import LoupeBase
import LoupeScene

/// Scenes of images and loupes as people might make them: small, crowded, often aligned to whole or
/// quarter pixels, with focuses at edges and corners; within the range of the usual tolerance.
package struct SceneGenerator {
    let images: [(path: ImagePath, size: ImageSize)]
    package var random: SplitMix64
    /// For crops alone, for strokes alone, and for what loupes have beyond disc, rim and shadow.
    private var cropRandom: SplitMix64
    private var inkRandom: SplitMix64
    private var extrasRandom: SplitMix64
    /// For corners that differ, rectangular loupes, and split loupes.
    var shapeRandom: SplitMix64

    package init(seed: UInt64, images: [(path: ImagePath, size: ImageSize)]) {
        self.images = images
        random = SplitMix64(seed: seed)
        cropRandom = SplitMix64(seed: ~seed)
        inkRandom = SplitMix64(seed: seed &+ 1 << 32)
        extrasRandom = SplitMix64(seed: seed &+ 1 << 33)
        shapeRandom = SplitMix64(seed: seed &+ 1 << 34)
    }

    /// A scene.
    /// - Parameter hasShapes: Whether some of its corners and loupes have other shapes; all else is as without.
    package mutating func scene(hasShapes: Bool = false) -> Scene {
        let width = Int.random(in: 20...256, using: &random)
        let height = Int.random(in: 20...256, using: &random)
        let background = Int.random(in: 0..<4, using: &random) == 0 ? color() : color(alpha: 255)
        let canvas = Scene.Canvas(width: width, height: height, background: background)
        let layers = (0..<pick(1, 1, 1, 2, 3)).map { _ in layer(on: canvas) }
        let loupes = (0..<pick(0, 1, 1, 1, 2, 3)).map { _ in loupe(on: canvas, over: layers) }
        var scene = Scene(canvas: canvas, blending: pick(.srgb, .srgb, .linear), layers: layers, loupes: loupes)
        if hasShapes { addShapes(to: &scene) }
        return scene
    }

    package mutating func pick<Value>(_ values: Value...) -> Value {
        values[Int.random(in: values.indices, using: &random)]
    }

    mutating func isLikely(_ chance: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < chance
    }

    /// Whole, in quarters, or any.
    mutating func number(_ low: Double, _ high: Double) -> Double {
        let value = Double.random(in: low...high, using: &random)
        let kind = Double.random(in: 0..<1, using: &random)
        if kind < 0.3 { return value.rounded() }
        return kind < 0.6 ? (value * 4).rounded() / 4 : value
    }

    mutating func color(alpha: UInt8? = nil) -> Color {
        let bits = random.next()
        return Color(
            red: UInt8(truncatingIfNeeded: bits), green: UInt8(truncatingIfNeeded: bits >> 8),
            blue: UInt8(truncatingIfNeeded: bits >> 16), alpha: alpha ?? pick(255, 255, 128, 40, 0))
    }

    mutating func imagePath() -> ImagePath { images.randomElement(using: &random)?.path ?? "" }

    private mutating func filter() -> Filter { pick(.nearest, .sharp, .linear, .cubic, .lanczos) }

    private mutating func layer(on canvas: Scene.Canvas) -> Layer {
        let (width, height) = (Double(canvas.width), Double(canvas.height))
        let content: Layer.Content =
            isLikely(0.25) ? .fill(color()) : .image(path: imagePath())
        var rect = Rect(
            x: number(-40, width * 0.6), y: number(-40, height * 0.6), width: max(0.5, number(5, width * 1.1)),
            height: max(0.5, number(5, height * 1.1)))
        if case .image(let path) = content, isLikely(0.3), let (_, size) = images.first(where: { $0.path == path }) {
            rect = Rect(
                x: rect.x.rounded(), y: rect.y.rounded(), width: Double(size.width), height: Double(size.height))
        }
        let crop = crop(of: rect)
        var layer = Layer(
            content: content, rect: rect, crop: crop, corner: corner(of: crop ?? rect), filter: filter(),
            opacity: pick(1, 1, 1, 0.5, Double.random(in: 0...1, using: &random)))
        addStrokes(to: &layer)
        return layer
    }

    /// Seldom any; sometimes without any other content. Leaves the numbers of all else alone.
    private mutating func addStrokes(to layer: inout Layer) {
        swap(&random, &inkRandom)
        defer { swap(&random, &inkRandom) }
        guard isLikely(0.3) else { return }
        if isLikely(0.2) { layer.content = .fill(.transparent) }
        let bounds = layer.bounds
        layer.strokes = (0..<pick(1, 2, 3, 12)).map { _ in stroke(over: bounds) }
    }

    /// A dot, a few straight lines or a long scribble, now and then reaching far beyond the rect.
    private mutating func stroke(over rect: Rect) -> Stroke {
        let reach = pick(5, 5, 60, 100_000.0)
        let points = (0..<pick(1, 2, 3, 3, 12, 80)).map { _ in
            Point(
                x: number(rect.minX - reach, rect.maxX + reach), y: number(rect.minY - reach, rect.maxY + reach))
        }
        let repeated = isLikely(0.2) ? Array(points.suffix(1)) : []
        return Stroke(
            points: points + repeated, width: max(0.01, pick(0.2, 1, 3, number(0, 12), number(0, 300))), color: color())
    }

    /// Seldom any; mostly within the rect, sometimes reaching far beyond it. Leaves the numbers of all else alone.
    private mutating func crop(of rect: Rect) -> Rect? {
        swap(&random, &cropRandom)
        defer { swap(&random, &cropRandom) }
        guard isLikely(0.25), rect.shorterSide >= 8 else { return nil }
        let reach = pick(0, 0, 0, 40.0)
        let (x, y) = (number(-reach, rect.width * 0.6), number(-reach, rect.height * 0.6))
        return Rect(
            x: rect.x + x, y: rect.y + y, width: max(8, number(0, rect.width - x + reach)),
            height: max(8, number(0, rect.height - y + reach)))
    }

    /// Radius 0 or at least 4.
    private mutating func corner(of rect: Rect) -> Corner {
        let half = rect.shorterSide / 2
        let exponent = pick(1, 2, 3.35, 4, 5, 8, number(1, 8), Double.random(in: 1...1.3, using: &random))
        guard half >= 4 else { return Corner(radius: 0, exponent: exponent) }
        let any = Double.random(in: 4...half, using: &random)
        return Corner(radius: pick(0, half, any, any), exponent: exponent)
    }

    private mutating func loupe(on canvas: Scene.Canvas, over layers: [Layer]) -> Loupe {
        let radius = max(1, number(4, 110))
        let center = Point(x: number(-30, Double(canvas.width) + 30), y: number(-30, Double(canvas.height) + 30))
        let zoom = pick(1, 1.5, 2, 2.5, 4, 16, 64, Double.random(in: 1...64, using: &random))
        var loupe = Loupe(
            center: center, radius: radius, zoom: zoom, focus: isLikely(0.6) ? focus(on: layers) : nil,
            filter: LoupeFilter(filter()), rim: isLikely(0.5) ? rim(within: radius) : nil,
            shadow: isLikely(0.4) ? shadow() : nil)
        addExtras(to: &loupe)
        return loupe
    }

    /// In half of the loupes. Leaves the numbers of all else alone.
    private mutating func addExtras(to loupe: inout Loupe) {
        swap(&random, &extrasRandom)
        defer { swap(&random, &extrasRandom) }
        guard isLikely(0.5) else { return }
        if isLikely(0.5) { loupe.callout = callout() }
        if isLikely(0.3) { loupe.rim?.casing = Casing(width: width(), color: color()) }
        if isLikely(0.4) { loupe.grid = TexelGrid(color: color()) }
        if isLikely(0.4) { loupe.mark = TexelMark(width: width(), color: color()) }
        if isLikely(0.2) { loupe.filter = .auto }
        loupe.outside = pick(.background, .background, .transparent, .clamp)
    }

    mutating func callout() -> Callout {
        Callout(
            ring: isLikely(0.7) ? .init(width: width(), color: color(), casing: casing()) : nil,
            connector: isLikely(0.8) ? Connector(connectorShape(), color: color(), casing: casing()) : nil)
    }

    private mutating func casing() -> Casing? { isLikely(0.3) ? Casing(width: width(), color: color()) : nil }

    private mutating func width() -> Double { max(0.01, pick(0.3, 1, 2, number(0, 8), number(0, 60))) }

    private mutating func connectorShape() -> Connector.Shape {
        pick(.lines, .cone, .arrow, Connector.Style.leader).shape(width: width())
    }

    private mutating func rim(within radius: Double) -> Loupe.Rim {
        Loupe.Rim(width: min(radius, number(0, 10)), color: color())
    }

    private mutating func shadow() -> Loupe.Shadow {
        Loupe.Shadow(
            offset: Vector(dx: number(-20, 20), dy: number(-20, 20)), blur: pick(0, number(0, 40)), color: color())
    }

    /// Within 3 pixels of a layer's edges, corners, middle or any point of it.
    private mutating func focus(on layers: [Layer]) -> Point? {
        guard let rect = layers.randomElement(using: &random)?.bounds else { return nil }
        let any = Double.random(in: 0...1, using: &random)
        return Point(
            x: rect.x + rect.width * pick(0, 1, 0.5, any) + Double.random(in: -3...3, using: &random),
            y: rect.y + rect.height * pick(0, 1, 0.5, any) + Double.random(in: -3...3, using: &random))
    }
}
