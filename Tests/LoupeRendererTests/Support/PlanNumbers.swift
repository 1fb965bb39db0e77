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
    mutating func add(_ value: Int) { values.append(Double(value)) }
    mutating func add(_ value: Bool) { values.append(value ? 1 : 0) }
    mutating func add(_ point: Point) { values += [point.x, point.y] }
    mutating func add(_ vector: Vector) { values += [vector.dx, vector.dy] }
    mutating func add(_ rect: Rect) { values += [rect.x, rect.y, rect.width, rect.height] }
    mutating func add(_ range: Range<Int>) { values += [Double(range.lowerBound), Double(range.upperBound)] }
    mutating func add(_ color: Color) { values += [color.red, color.green, color.blue, color.alpha].map(Double.init) }
    mutating func add(_ rect: PixelRect) { values += [rect.minX, rect.minY, rect.maxX, rect.maxY].map(Double.init) }
    mutating func add(_ text: String) { values += text.utf8.map(Double.init) }
    mutating func add(_ casing: Casing?) {
        add(casing != nil)
        if let casing {
            add(casing.width)
            add(casing.color)
        }
    }

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
    /// A plan.
    init(_ plan: DrawPlan) {
        for view in plan.viewsAndHalves { add(view) }
        for callout in plan.callouts { add(callout) }
        for bar in plan.bars {
            add(bar.rect)
            add(bar.color)
            add(bar.halo)
        }
        for run in plan.textRuns {
            add(run.text)
            add(run.anchor)
            add(run.align)
            add(run.style.size)
        }
    }

    private mutating func add(_ view: ViewPlan) {
        add(view.view.magnification)
        add(view.view.center)
        add(view.view.focus)
        let bounds = view.region.bounds
        add(bounds)
        for row in bounds.minY..<max(bounds.minY, bounds.maxY) { add(view.region.columns(inRow: row, of: bounds)) }
        for rect in view.background { add(rect) }
        for layer in view.layers { add(layer) }
        add(view.mark != nil)
        if let mark = view.mark {
            add(mark.inner)
            add(mark.width)
            add(mark.color)
        }
    }

    private mutating func add(_ state: ClipState) { add(ClipState.allCases.firstIndex(of: state) ?? -1) }

    private mutating func add(_ layer: LayerPlan) {
        add(layer.index)
        add(layer.state)
        for piece in layer.pieces {
            add(piece.rect)
            add(piece.state)
        }
        add(layer.outline)
        add(layer.opacity)
        add(layer.isOpaque)
        add(layer.isBottom)
        add(layer.sampling, over: layer.shadedBlock)
        if let tangents = layer.tangents {
            add(tangents.origin)
            for line in tangents.lines { values += [line.a, line.b, line.c, line.turn] }
            for section in tangents.sections {
                add(section.outward)
                add(section.least)
                add(section.lines)
                add(section.isVertical)
            }
        } else {
            add(-1)
        }
        if let grid = layer.grid {
            add(grid.color)
            add(grid.strength)
            values += grid.lines(in: layer.shadedBlock).map(Double.init)
        }
        add(layer.shadow != nil)
        if let shadow = layer.shadow {
            add(shadow.offset)
            add(shadow.blur)
            add(shadow.color)
        }
        let strokes = layer.ink(limit: 1 << 20) { color in
            SIMD4(Float(color.red), Float(color.green), Float(color.blue), Float(color.alpha))
        }
        for tiles in strokes {
            add(tiles.block)
            add(tiles.columns)
            add(tiles.rows)
            values += tiles.starts.map(Double.init)
            for entry in tiles.entries { values += [entry.x, entry.y, entry.z, entry.w].map(Double.init) }
        }
    }

    private mutating func add(_ outline: Outline) {
        add(outline.rect)
        add(outline.exponent)
        for position in CornerPosition.allCases {
            let radius = outline.radii[position]
            values += [radius.x, radius.y]
        }
    }

    private mutating func add(_ sampling: Sampling, over block: PixelRect) {
        switch sampling {
        case .fill(let color): add(color)
        case .copy(let dx, let dy):
            add(dx)
            add(dy)
        case .linear(let columns, let rows):
            for (axis, first) in [(columns, block.minX), (rows, block.minY)] {
                let start = axis.linearStart(pixel: first)
                add(start.texel)
                add(start.fraction)
                add(axis.scale)
            }
        case .separable(let columns, let rows):
            for table in [columns, rows] {
                add(table.firstPixel)
                add(table.taps)
                for texel in table.firstTexels { add(texel) }
                values += table.weights
            }
        case .drawn(let block):
            add(block.rect)
            add(block.pixels)
        }
    }

    private mutating func add(_ callout: CalloutPlan) {
        add(callout.source)
        add(callout.border)
        add(callout.zoom)
        add(callout.hasHole)
        for piece in callout.connector {
            add(piece.capRadius)
            for polygon in piece.polygons + [piece.hull] {
                for side in polygon.sides {
                    add(side.normal)
                    add(side.offset)
                }
            }
        }
        add(callout.color)
        add(callout.casing)
        add(callout.ring?.reach ?? -1)
    }

    private mutating func add(_ border: Border) {
        switch border {
        case .disc(let disc):
            add(disc.center)
            add(disc.radius)
        case .outline(let outline): add(outline)
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
            add(hand.isOpen)
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
