import LoupeGeometry
import LoupeJSON
import LoupeScene

/// A model's curves as a Lottie animation (Lottie Animation Format 1.0): a layer for each thing that moves, whose
/// transform and size have linear keyframes.
///
/// The layers are outlines, for a designer to replace by artwork or to parent it to. What is no place, size or opacity,
/// such as a loupe's zoom, is the scale of an empty layer of that name.
public struct LottieDocument {
    /// The document as JSON text.
    public let text: String
    /// How well the keyframes follow each quantity, measured with the numbers as they stand in the text.
    public let reports: [CurveReport]

    /// - Parameters:
    ///   - title: The name of the animation; any text.
    ///   - framesPerSecond: In Hz; keyframes may lie between frames.
    public init(_ fit: CurveFit, of model: Session.Model, title: String, framesPerSecond: Double) {
        var writer = LottieWriter(fit, framesPerSecond: framesPerSecond)
        let canvas = model.frame(at: fit.range.lowerBound).scene.canvas
        let layers = model.lottieLayers.enumerated().map { writer.layer($1, number: $0 + 1) }
        let document: JSONValue = [
            "v": "5.9.0", "ver": 10_000, "nm": .string(title), "fr": .number(framesPerSecond), "ip": 0,
            "op": .number(writer.end), "w": .number(Double(canvas.width)), "h": .number(Double(canvas.height)),
            "layers": .array(layers),
        ]
        text = document.text() + "\n"
        reports = writer.reports
    }
}

/// A layer of a Lottie animation, and which quantities move it.
struct LottieLayer {
    enum Shape {
        /// An empty layer.
        case none
        case rectangle, ellipse
    }

    /// A number that follows a quantity, times a factor, or stays.
    struct Track {
        let key: String?
        var factor = 1.0
        var constant = 0.0

        static func of(_ key: String, times factor: Double = 1) -> Track { Track(key: key, factor: factor) }
        static func still(_ value: Double) -> Track { Track(key: nil, constant: value) }
    }

    let name: String
    let shape: Shape
    /// The point of the layer that lies at its position: its middle, or its upper left corner.
    var isCentered = true
    var position = [Track.still(0), Track.still(0)]
    var size = [Track.still(0), Track.still(0)]
    /// In percent.
    var scale = [Track.still(100), Track.still(100)]
    /// In percent.
    var opacity = Track.still(100)
    var radius = Track.still(0)
}

extension Session.Model {
    /// The layers, the topmost first.
    fileprivate var lottieLayers: [LottieLayer] {
        switch self {
        case .keyframes(let model): model.lottieLayers
        case .tilt(let model): model.lottieLayers
        case .scroll(let model): model.lottieLayers
        case .panorama(let model): model.lottieLayers
        case .transition(let model): model.lottieLayers
        case .loupe: LoupeModel.lottieLayers
        }
    }
}

extension ScrollModel {
    fileprivate var lottieLayers: [LottieLayer] {
        [
            LottieLayer(
                name: "content", shape: .rectangle, isCentered: false,
                position: [.of("offset.x", times: -1), .of("offset.y", times: -1)],
                size: [.still(x.content), .still(y.content)])
        ]
    }
}

extension PanoramaModel {
    fileprivate var lottieLayers: [LottieLayer] {
        let height = Double(canvas.height) - title.height
        let items = LottieLayer(
            name: "items", shape: .rectangle, isCentered: false,
            position: [.of("offset", times: -1), .still(title.height)],
            size: [.still(layout.contentWidth), .still(max(0, height))])
        let back = background.map { picture in
            LottieLayer(
                name: "background", shape: .rectangle, isCentered: false,
                position: [.of("backgroundX"), .still(0)], size: [.still(picture.width), .still(picture.height)])
        }
        return [
            items,
            LottieLayer(
                name: "title", shape: .rectangle, isCentered: false, position: [.of("titleX"), .still(0)],
                size: [.still(title.width), .still(title.height)]),
        ] + (back.map { [$0] } ?? [])
    }
}

extension TiltModel {
    /// The photo at zoom 1, scaled.
    fileprivate var lottieLayers: [LottieLayer] {
        let width = Double(canvas.width)
        return [
            LottieLayer(
                name: "photo", shape: .rectangle,
                position: [.of("center.x"), .still(Double(canvas.height) / 2)],
                size: [.still(width), .still(width * aspect)],
                scale: [.of("zoom", times: 100), .of("zoom", times: 100)])
        ]
    }
}

extension TransitionModel {
    fileprivate var lottieLayers: [LottieLayer] {
        [
            LottieLayer(
                name: "picture", shape: .rectangle, position: [.of("center.x"), .of("center.y")],
                size: [.still(geometry.width), .still(geometry.height)],
                scale: [.of("scale", times: 100), .of("scale", times: 100)]),
            LottieLayer(
                name: "mask", shape: .rectangle, position: [.of("center.x"), .of("center.y")],
                size: [.of("mask.width"), .of("mask.height")], radius: .of("cornerRadius")),
            LottieLayer(
                name: "background", shape: .rectangle, isCentered: false,
                size: [.still(geometry.screen.width), .still(geometry.screen.height)],
                opacity: .of("background", times: 100)),
        ]
    }
}

extension LoupeModel {
    fileprivate static var lottieLayers: [LottieLayer] {
        [
            LottieLayer(
                name: "loupe", shape: .ellipse, position: [.of("center.x"), .of("center.y")],
                size: [.of("radius", times: 2), .of("radius", times: 2)], opacity: .of("isOpen", times: 100)),
            LottieLayer(
                name: "zoom", shape: .none, position: [.of("center.x"), .of("center.y")],
                scale: [.of("zoom", times: 100), .of("zoom", times: 100)]),
        ]
    }
}

extension KeyframeModel {
    fileprivate var lottieLayers: [LottieLayer] {
        loupeLayers + scene.layers.indices.reversed().compactMap(layer)
    }

    private func isAnimated(_ property: SceneProperty) -> Bool { tracks.contains { $0.property == property } }

    private var loupeLayers: [LottieLayer] {
        scene.loupes.indices.reversed().flatMap { index -> [LottieLayer] in
            let loupe = scene.loupes[index]
            let path = "loupes[\(index)]"
            let center: [LottieLayer.Track] =
                isAnimated(.loupe(index, .center))
                ? [.of("\(path).center.x"), .of("\(path).center.y")]
                : [.still(loupe.center.x), .still(loupe.center.y)]
            let size: LottieLayer.Track =
                isAnimated(.loupe(index, .radius)) ? .of("\(path).radius", times: 2) : .still(2 * loupe.radius)
            var layers = [
                LottieLayer(name: "loupe \(index + 1)", shape: .ellipse, position: center, size: [size, size])
            ]
            if isAnimated(.loupe(index, .focus)) {
                layers.append(
                    LottieLayer(
                        name: "focus of loupe \(index + 1)", shape: .none,
                        position: [.of("\(path).focus.x"), .of("\(path).focus.y")]))
            }
            if isAnimated(.loupe(index, .zoom)) {
                let zoom = LottieLayer.Track.of("\(path).zoom", times: 100)
                layers.append(
                    LottieLayer(
                        name: "zoom of loupe \(index + 1)", shape: .none, position: center, scale: [zoom, zoom]))
            }
            return layers
        }
    }

    /// A layer that moves; nil for one that stands still.
    private func layer(_ index: Int) -> LottieLayer? {
        let properties = LayerProperty.allCases.filter { isAnimated(.layer(index, $0)) }
        guard !properties.isEmpty else { return nil }
        let (layer, path) = (scene.layers[index], "layers[\(index)]")
        let isMoving = properties.contains(.rect)
        return LottieLayer(
            name: "layer \(index + 1)", shape: .rectangle, isCentered: false,
            position: isMoving
                ? [.of("\(path).rect.x"), .of("\(path).rect.y")] : [.still(layer.rect.x), .still(layer.rect.y)],
            size: isMoving
                ? [.of("\(path).rect.width"), .of("\(path).rect.height")]
                : [.still(layer.rect.width), .still(layer.rect.height)],
            opacity: properties.contains(.opacity)
                ? .of("\(path).opacity", times: 100) : .still(100 * layer.opacity),
            radius: properties.contains(.cornerRadius)
                ? .of("\(path).corner.radius") : .still(layer.corner.radius))
    }
}

/// Writes layers and their keyframes.
private struct LottieWriter {
    private let fit: CurveFit
    private let framesPerSecond: Double
    private(set) var reports: [CurveReport] = []

    init(_ fit: CurveFit, framesPerSecond: Double) {
        (self.fit, self.framesPerSecond) = (fit, framesPerSecond)
    }

    /// The frame after the last one.
    var end: Double { max(1, (fit.duration * framesPerSecond).rounded(decimals: 4)) }

    mutating func layer(_ layer: LottieLayer, number: Int) -> JSONValue {
        let transform: JSONValue = [
            "a": value([0, 0]), "p": property(layer.position), "s": property(layer.scale), "r": value([0]),
            "o": property([layer.opacity]),
        ]
        return [
            "ty": layer.shape == .none ? 3 : 4, "nm": .string(layer.name), "ind": .number(Double(number)), "st": 0,
            "ip": 0, "op": .number(end), "ks": transform, "shapes": shapes(layer),
        ]
    }

    private mutating func shapes(_ layer: LottieLayer) -> JSONValue? {
        let outline: JSONValue
        switch layer.shape {
        case .none: return nil
        case .ellipse: outline = ["ty": "el", "p": value([0, 0]), "s": property(layer.size)]
        case .rectangle:
            // Its position is its middle.
            let middle = layer.isCentered ? value([0, 0]) : property(layer.size, times: 0.5)
            outline = ["ty": "rc", "p": middle, "s": property(layer.size), "r": property([layer.radius])]
        }
        let stroke: JSONValue = [
            "ty": "st", "c": value([0, 0.447, 0.698]), "o": value([100]), "w": value([2]), "lc": 2, "lj": 2,
        ]
        let transform: JSONValue = [
            "ty": "tr", "a": value([0, 0]), "p": value([0, 0]), "s": value([100, 100]), "r": value([0]),
            "o": value([100]),
        ]
        return [["ty": "gr", "nm": "outline", "it": [outline, stroke, transform]]]
    }

    /// A property that stays; one number, or a vector.
    private func value(_ numbers: [Double]) -> JSONValue {
        ["a": 0, "k": numbers.count == 1 ? .number(numbers[0]) : .array(numbers.map { .number($0) })]
    }

    /// A property with keyframes, or one that stays.
    private mutating func property(_ tracks: [LottieLayer.Track], times factor: Double = 1) -> JSONValue {
        let indices = tracks.map { track in fit.quantities.firstIndex { $0.key == track.key } }
        let moving = Set(indices.compactMap { $0 }).sorted().filter { index in
            let limits = fit.limits(of: index)
            return limits.greatest - limits.least > 1e-9
        }
        let corners = moving.isEmpty ? Array(fit.corners(of: []).prefix(1)) : fit.corners(of: moving)
        func numbers(_ corner: CurveSample) -> [Double] {
            zip(tracks, indices).map { track, index in
                guard let index else { return (factor * track.constant).rounded(decimals: 4) }
                let moved = moving.firstIndex(of: index).map { corner.values[$0] }
                let value = moved ?? fit.limits(of: index).least
                return (factor * track.factor * value).rounded(decimals: 4)
            }
        }
        guard !moving.isEmpty, corners.count > 1 else { return value(corners.first.map(numbers) ?? []) }
        let frames = corners.map { ($0.time * framesPerSecond).rounded(decimals: 4) }
        let keyframes = corners.indices.map { index -> JSONValue in
            let isLast = index == corners.count - 1
            let isJump = !isLast && frames[index + 1] == frames[index]
            let values = JSONValue.array(numbers(corners[index]).map { .number($0) })
            guard !isLast, !isJump else { return ["t": .number(frames[index]), "s": values, "h": 1] }
            return ["t": .number(frames[index]), "s": values, "i": ["x": 1, "y": 1], "o": ["x": 0, "y": 0]]
        }
        for (track, index) in zip(tracks, indices) {
            guard let index, moving.contains(index), factor == 1 else { continue }
            let written = zip(frames, corners).map { frame, corner in
                let position = moving.firstIndex(of: index) ?? 0
                let number = (track.factor * corner.values[position]).rounded(decimals: 4)
                return (time: frame / framesPerSecond, value: number / track.factor)
            }
            report(index, written)
        }
        return ["a": 1, "k": .array(keyframes)]
    }

    private mutating func report(_ index: Int, _ written: [(time: Double, value: Double)]) {
        let limits = fit.limits(of: index)
        let quantity = fit.quantities[index]
        let report = CurveReport(
            key: quantity.key, corners: written.count, error: fit.error(of: written, for: index),
            range: limits.greatest - limits.least, unit: quantity.unit)
        guard let known = reports.firstIndex(where: { $0.key == quantity.key }) else { return reports.append(report) }
        if reports[known].error < report.error { reports[known] = report }
    }
}
