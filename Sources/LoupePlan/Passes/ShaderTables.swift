import LoupeBase
import LoupeScene

/// An outline's tangent lines for `common/outline.glsl`.
struct OutlineTable {
    private let tangents: OutlineTangents
    private let rect: Rect
    private let table: FloatTexture

    init(_ tangents: OutlineTangents, of outline: Outline) {
        self.tangents = tangents
        rect = outline.rect
        let (sections, lines) = (tangents.sections, tangents.lines)
        func vector(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> SIMD4<Float> {
            SIMD4(Float(a), Float(b), Float(c), Float(d))
        }
        let heads = sections.flatMap { section -> [SIMD4<Float>] in
            let (first, end) = (sections.count + section.lines.lowerBound, sections.count + section.lines.upperBound)
            return [
                vector(section.outward.dx, section.outward.dy, section.least.dx, section.least.dy),
                vector(Double(first), Double(end - 1), section.isVertical ? 1 : 0, 0),
            ]
        }
        let steps = zip(lines, lines.dropFirst() + lines.suffix(1)).flatMap { line, next -> [SIMD4<Float>] in
            [
                vector(line.a, line.b, line.c, line.turn),
                vector(line.a - next.a, line.b - next.b, line.c - next.c, line.turn),
            ]
        }
        table = FloatTexture(table: heads + steps)
    }

    /// - Parameter pixelOrigin: the canvas pixel that shader positions are relative to.
    func set(_ inputs: inout ShaderInputs, from pixelOrigin: (x: Int, y: Int)) {
        let origin = tangents.origin
        inputs.set(.outlineOrigin, origin.position(from: pixelOrigin))
        inputs.set(
            .outlineEdges,
            SIMD4(
                Float(rect.minX - origin.x), Float(rect.minY - origin.y), Float(rect.maxX - origin.x),
                Float(rect.maxY - origin.y)))
        inputs.set(.sections, table)
        inputs.set(.sectionCount, integer: tangents.sections.count)
    }
}

/// A band of a layer's strokes for `common/ink.glsl`.
struct InkTable {
    let tiles: InkTiles
    private let starts: FloatTexture
    private let entries: FloatTexture

    init(_ tiles: InkTiles) {
        self.tiles = tiles
        starts = FloatTexture(width: tiles.columns.count, height: tiles.rows.count, .floats(tiles.starts))
        entries = FloatTexture(table: tiles.entries)
    }

    func set(_ inputs: inout ShaderInputs, _ target: CanvasTarget) {
        inputs.set(.inkTiles, starts)
        inputs.set(.inkEntries, entries)
        let side = InkTiles.side
        inputs.set(
            .inkOrigin, integers: tiles.columns.lowerBound * side - target.x, tiles.rows.lowerBound * side - target.y)
    }

    /// How many entries a band may have: as many as fit a texture, and as 32-bit floats can count.
    static func entryLimit(_ device: DeviceTraits) -> Int {
        min(device.largestTexture * FloatTexture.tableWidth, 1 << 24) - FloatTexture.tableWidth
    }
}

extension Point {
    /// As `fragPosition()` of the shaders has it, which is relative to a whole pixel.
    func position(from origin: (x: Int, y: Int)) -> SIMD2<Float> {
        SIMD2(Float(x - Double(origin.x)), Float(y - Double(origin.y)))
    }
}

extension Color {
    /// Premultiplied 0…1 in the space in which the scene blends.
    func working(_ blending: Blending) -> SIMD4<Float> {
        let straight = SIMD3(Double(red), Double(green), Double(blue)) / 255
        let light =
            switch blending {
            case .srgb: straight
            case .linear: SIMD3(Self.decoded(straight.x), Self.decoded(straight.y), Self.decoded(straight.z))
            }
        let a = Double(alpha) / 255
        return SIMD4(Float(light.x * a), Float(light.y * a), Float(light.z * a), Float(a))
    }
}

extension Blending {
    /// What the shaders are compiled with.
    var options: ShaderOptions { self == .linear ? .linearLight : [] }
}

extension Shader {
    /// The only switch from a piece's state to its shader; nil where nothing is drawn.
    init?(_ state: ClipState) {
        switch state {
        case .outside: return nil
        case .noEdge: self = .noEdge
        case .singleEdge: self = .singleEdge
        case .corner: self = .corner
        }
    }
}

extension Color {
    /// Red, green, blue and alpha as they are.
    package var channels: SIMD4<UInt8> { SIMD4(red, green, blue, alpha) }
}
