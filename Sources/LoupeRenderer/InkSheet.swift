import LoupeGLES
import LoupePlan
import LoupeScene
import LoupeShaders

/// A band of a layer's strokes on the device.
struct InkSheet {
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
