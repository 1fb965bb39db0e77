import LoupeBase
import LoupeScene

/// An outline's tangent lines for `common/outline.glsl`.
struct OutlineTable {
    private let tangents: OutlineTangents
    private let rect: Rect
    private let table: FloatTexture

    /// As the shader has it.
    private static let width = 1024

    init(_ tangents: OutlineTangents, of outline: Outline) {
        self.tangents = tangents
        rect = outline.rect
        let upper = Self.upperRow(tangents.sections, tangents.lines)
        let lower = Self.lowerRow(tangents.sections, tangents.lines)
        let rows = max(1, (upper.count + Self.width - 1) / Self.width)
        table = FloatTexture(
            width: Self.width, height: 2 * rows, .vectors(Self.interleaved(upper, lower, rows: rows)))
    }

    private static func interleaved(
        _ upper: [SIMD4<Float>], _ lower: [SIMD4<Float>], rows: Int
    ) -> [SIMD4<Float>] {
        func row(_ index: Int, of entries: [SIMD4<Float>]) -> [SIMD4<Float>] {
            let part = entries.dropFirst(index * width).prefix(width)
            return Array(part) + repeatElement(.zero, count: width - part.count)
        }
        return (0..<rows).flatMap { row($0, of: upper) + row($0, of: lower) }
    }

    private static func upperRow(
        _ sections: [OutlineTangents.Section], _ lines: [OutlineTangents.Line]
    ) -> [SIMD4<Float>] {
        sections.map { SIMD4(Float($0.outward.dx), Float($0.outward.dy), Float($0.least.dx), Float($0.least.dy)) }
            + lines.map { SIMD4(Float($0.a), Float($0.b), Float($0.c), Float($0.turn)) }
    }

    private static func lowerRow(
        _ sections: [OutlineTangents.Section], _ lines: [OutlineTangents.Line]
    ) -> [SIMD4<Float>] {
        let heads = sections.map { section in
            SIMD4(
                Float(sections.count + section.lines.lowerBound), Float(sections.count + section.lines.upperBound - 1),
                section.isVertical ? 1 : 0, 0)
        }
        let steps = zip(lines, lines.dropFirst() + lines.suffix(1)).map { line, next in
            SIMD4(Float(line.a - next.a), Float(line.b - next.b), Float(line.c - next.c), Float(line.turn))
        }
        return heads + steps
    }

    /// The point that its lines are relative to.
    var origin: Point { tangents.origin }

    /// - Parameter pixelOrigin: the canvas pixel that shader positions are relative to.
    func set(_ inputs: inout ShaderInputs, from pixelOrigin: (x: Int, y: Int)) {
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
        let width = InkTiles.entriesInRow
        entries = FloatTexture(width: width, height: tiles.entries.count / width, .vectors(tiles.entries))
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
        min(device.largestTexture * InkTiles.entriesInRow, 1 << 24) - InkTiles.entriesInRow
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
