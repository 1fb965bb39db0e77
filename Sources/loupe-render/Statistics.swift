import LoupeJSON
import LoupePlan
import LoupeRenderer
import LoupeScene

/// What was drawn, by which shaders, and how long it took: the JSON of `--stats` (SPEC 8).
struct Statistics {
    /// Nil for the reference renderer.
    let device: DeviceInfo?
    let plan: DrawPlan
    let colors: [ImageColor]
    let times: Stopwatch.Times

    var json: JSONValue {
        [
            "device": Self.json(of: device),
            "views": .array(views.flatMap { name, view in view.layers.map { Self.json(name, $0) } }),
            "images": .array(colors.map(\.json)),
            "milliseconds": times.json,
        ]
    }

    /// Each by its name; a split loupe's other half right after the loupe.
    private var views: [(name: String, view: ViewPlan)] {
        plan.views.flatMap { view -> [(name: String, view: ViewPlan)] in
            let name = view.view.kind.description
            guard case .loupe(let index) = view.view.kind, let other = plan.otherHalves[index] else {
                return [(name, view)]
            }
            return [(name, view), ("\(name) versus", other)]
        }
    }

    /// - Parameter device: nil for the reference renderer.
    static func json(of device: DeviceInfo?) -> JSONValue {
        [
            "vendor": .string(device?.vendor ?? "Loupe"),
            "renderer": .string(device?.renderer ?? "double-precision CPU reference"),
            "version": .string(device?.version ?? LoupeRender.configuration.version),
            "software": .bool(device?.isSoftware ?? true),
        ]
    }

    private static func json(_ name: String, _ layer: LayerPlan) -> JSONValue {
        [
            "view": .string(name),
            "layer": .number(Double(layer.index)),
            "state": .string(layer.state.rawValue),
            "pixels": [
                "no-edge": .number(Double(layer.pixelCount(.noEdge))),
                "single-edge": .number(Double(layer.pixelCount(.singleEdge))),
                "corner": .number(Double(layer.pixelCount(.corner))),
                "outside": .number(Double(layer.pixelCount(.outside))),
            ],
        ]
    }
}

/// Times the steps of a command, one after another.
struct Stopwatch {
    struct Times {
        var decode: Duration = .zero
        var start: Duration = .zero
        var draw: Duration = .zero
        var encode: Duration = .zero
        var total: Duration = .zero

        var json: JSONValue {
            [
                "decode": .number(decode.milliseconds), "start": .number(start.milliseconds),
                "draw": .number(draw.milliseconds), "encode": .number(encode.milliseconds),
                "total": .number(total.milliseconds),
            ]
        }
    }

    private let clock = ContinuousClock()
    private let began: ContinuousClock.Instant
    private var last: ContinuousClock.Instant
    private var times = Times()

    init() {
        began = clock.now
        last = began
    }

    /// Ends a step: the time since the last one was this.
    mutating func lap(_ step: WritableKeyPath<Times, Duration>) {
        let now = clock.now
        times[keyPath: step] += now - last
        last = now
    }

    /// Puts down a step that ran beside the others.
    mutating func set(_ step: WritableKeyPath<Times, Duration>, _ time: Duration) {
        times[keyPath: step] = time
        last = clock.now
    }

    func finished() -> Times {
        var times = times
        times.total = clock.now - began
        return times
    }
}

extension Duration {
    /// Rounded to a thousandth.
    var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded() / 1e3
    }
}
