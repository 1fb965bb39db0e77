import LoupeGLES
import LoupeGeometry
import LoupePlan
import LoupeScene
import LoupeShaders

/// An outline's tangent lines on the device, for `common/outline.glsl`.
struct OutlineTexture {
    private let tangents: OutlineTangents
    private let rect: Rect
    private let texture: Texture

    init(_ tangents: OutlineTangents, of outline: Outline, on context: Context) throws(GLError) {
        self.tangents = tangents
        rect = outline.rect
        let upper = Self.upperRow(tangents.sections, tangents.lines)
        let lower = Self.lowerRow(tangents.sections, tangents.lines)
        let rows = (upper.count + Self.width - 1) / Self.width
        texture = try Texture(context, format: .rgba32F, width: Self.width, height: 2 * max(1, rows))
        try texture.upload(vectors: Self.interleaved(upper, lower, rows: max(1, rows)))
    }

    /// As the shader has it.
    private static let width = 1024

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
    func bind(_ program: Program, from pixelOrigin: (x: Int, y: Int), unit: Int) {
        let origin = tangents.origin
        program.set(
            .outlineOrigin, SIMD2(Float(origin.x - Double(pixelOrigin.x)), Float(origin.y - Double(pixelOrigin.y))))
        program.set(
            .outlineEdges,
            SIMD4(
                Float(rect.minX - origin.x), Float(rect.minY - origin.y), Float(rect.maxX - origin.x),
                Float(rect.maxY - origin.y)))
        program.set(.sections, texture, unit: unit)
        program.set(.sectionCount, integer: tangents.sections.count)
    }
}

/// A band of a layer's strokes on the device.
struct InkTexture {
    let tiles: InkTiles
    private let starts: Texture
    private let entries: Texture

    init(_ tiles: InkTiles, on context: Context) throws(GLError) {
        self.tiles = tiles
        starts = try Texture(context, format: .r32F, width: tiles.columns.count, height: tiles.rows.count)
        try starts.upload(floats: tiles.starts)
        let width = InkTiles.entriesInRow
        entries = try Texture(context, format: .rgba32F, width: width, height: tiles.entries.count / width)
        try entries.upload(vectors: tiles.entries)
    }

    func bind(_ program: Program, _ target: Target) {
        program.set(.inkTiles, starts, unit: 3)
        program.set(.inkEntries, entries, unit: 4)
        let side = InkTiles.side
        program.set(
            .inkOrigin, integers: tiles.columns.lowerBound * side - target.x, tiles.rows.lowerBound * side - target.y)
    }

    /// How many entries a band may have: as many as fit a texture, and as 32-bit floats can count.
    static func entryLimit(of context: Context) -> Int {
        min(context.info.limits.textureSize * InkTiles.entriesInRow, 1 << 24) - InkTiles.entriesInRow
    }
}

extension Texture {
    /// Row 0: each tangent line; row 1: each line less the next one.
    convenience init(_ context: Context, _ tangents: CornerTangents) throws(GLError) {
        let planes = tangents.planes
        try self.init(context, format: .rgba32F, width: planes.count, height: 2)
        let following = planes.dropFirst() + planes.suffix(1)
        let lines = planes.map { SIMD4(Float($0.a), Float($0.b), Float($0.c), 0) }
        let steps = zip(planes, following).map { plane, next in
            SIMD4(Float(plane.a - next.a), Float(plane.b - next.b), Float(plane.c - next.c), 0)
        }
        try upload(vectors: lines + steps)
    }
}
