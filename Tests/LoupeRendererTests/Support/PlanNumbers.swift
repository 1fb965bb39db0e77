import LoupeBase
import LoupeMotion
import LoupePlan
import LoupeScene

// Everything that a plan and a hand's gestures decide, as numbers. `tools/build-web --probe` compiles this file for
// WebAssembly too, so that both can be compared bit for bit.

/// Numbers, in order.
struct NumberList {
    private(set) var values: [Double] = []

    mutating func add(_ value: Double) { values.append(value) }
    mutating func add(_ point: Point) { values += [point.x, point.y] }
    mutating func add(_ text: String) { values += text.utf8.map(Double.init) }
    mutating func add(_ floats: some Sequence<Float>) { values += floats.map(Double.init) }
    mutating func add(_ integers: Int...) { values += integers.map(Double.init) }

    /// The FNV-1a hash of all bits.
    var hash: UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for value in values {
            var bits = value.bitPattern
            for _ in 0..<8 {
                hash = (hash ^ (bits & 255)) &* 0x100_0000_01b3
                bits >>= 8
            }
        }
        return hash
    }
}

extension NumberList {
    /// All that a device gets to draw a plan, but its images.
    init(_ plan: DrawPlan) {
        let device = DeviceTraits(readsBelow: false, largestTexture: 4096)
        // In place of the pictures of texts, as large as each is estimated.
        let overlays = plan.overlays.map { overlay -> PixelRect in
            if case .text(let run) = overlay { return PixelRect(around: run.anchor, across: run.style.size, down: 9) }
            return overlay.pixels(on: plan.canvas)?.block ?? PixelRect(width: 0, height: 0)
        }
        var passes = FramePasses(plan, on: device, overlays: overlays)
        _ = passes.addPicture()
        for step in passes.takeSteps() { add(step, plan.canvas) }
    }

    private mutating func add(_ step: DrawStep, _ canvas: PixelRect) {
        switch step {
        case .begin(_, _, let width, let height): add(width, height)
        case .copy(let block, let from, let to): add(block.minX, block.minY, block.maxX, block.maxY, from.x, to.x)
        case .upload(_, _, let dx, let dy, _): add(dx, dy)
        case .draw(let pass):
            add(pass.program.description)
            add(pass.target.x, pass.target.y, pass.blend.rawValue)
            for corner in pass.mesh(width: canvas.width, height: canvas.height) { add([corner.x, corner.y]) }
            for (uniform, value) in pass.inputs.values { add(uniform, value) }
        }
    }

    private mutating func add(_ uniform: Uniform, _ value: ShaderInputs.Value) {
        add(uniform.rawValue)
        switch value {
        case .integers(let pair, let count): add(pair.x, count > 1 ? pair.y : 0)
        case .floats(let vector, let count): add((0..<count).map { vector[$0] })
        case .vectors(let vectors): for vector in vectors { add([vector.x, vector.y, vector.z]) }
        case .texture(.table(let table)):
            switch table.texels {
            case .floats(let floats): add(floats)
            case .vectors(let vectors): for vector in vectors { add([vector.x, vector.y, vector.z, vector.w]) }
            }
        case .texture: break
        }
    }
}

extension NumberList {
    /// What hands do by a trace: the loupe of FiftyThree's model with its states and decisions at every event, and the loupe
    /// of a live page.
    init(_ trace: Trace) {
        let canvas = Scene.Canvas(width: 900, height: 700, background: .color(.defaultBackground))
        let page = Layer(content: .fill(.defaultBackground), rect: Rect(x: 0, y: 0, width: 900, height: 700))
        let model = LoupeModel(base: Scene(canvas: canvas, layers: [page], loupes: []), trace: trace)
        var hand = ReaderGestures(
            Loupe(center: Point(x: 450, y: 350), radius: 120, zoom: 2), isOpen: false, canvas: canvas)
        for event in trace.events {
            guard case .touch(let touch) = event.content else { continue }
            hand.handle(touch, at: event.time)
            add(hand.isOpen ? 1.0 : 0.0)
            add(hand.loupe)
            let frame = model.frame(at: event.time)
            for loupe in frame.scene.loupes { add(loupe) }
            for stroke in frame.scene.layers.flatMap({ $0.strokes }) {
                add(stroke.width)
                for point in stroke.points { add(point) }
            }
            add(frame.states.line)
        }
    }

    private mutating func add(_ loupe: Loupe) {
        add(loupe.center)
        add(loupe.focus)
        add(loupe.radius)
        add(loupe.zoom)
    }
}
