/// The table of shaders. Each case is a file of the folder `Shaders`, and `options` says how it can be compiled.
///
/// To add a shader, write its file, add a case and its options here, and name the file in `shaderFiles` of Package.swift and in
/// `Shaders/ShaderText.swift`, since SwiftPM embeds only what is named there.
package enum Shader: String, Hashable, Sendable, CaseIterable {
    /// The vertex shader of every program.
    case mesh = "mesh.vert"
    /// A layer where its outline covers the whole pixel.
    case noEdge = "no-edge.frag"
    /// A layer along the straight edges of its outline.
    case singleEdge = "single-edge.frag"
    /// A layer at its corners.
    case corner = "corner.frag"
    /// The first pass of a separable filter.
    case horizontalPass = "horizontal-pass.frag"
    /// A loupe's rim and feather.
    case rim = "rim.frag"
    /// A loupe's shadow.
    case shadow = "shadow.frag"
    /// The other half of a split loupe, and the divider.
    case split = "split.frag"
    /// The ring around a loupe's source and the connector from there to the loupe; also a rim's casing.
    case callout = "callout.frag"
    /// The pixels of another target.
    case copy = "copy.frag"
    /// The wide canvas as it is written.
    case finish = "finish.frag"

    /// What it can be compiled with.
    fileprivate var options: ShaderOptions {
        switch self {
        case .mesh, .split, .copy: []
        case .noEdge, .singleEdge, .corner: [.ink, .grid, .linearLight, .fineRows]
        case .horizontalPass: [.linearLight, .fineRows]
        case .rim: .outline
        case .shadow: [.outline, .hole, .readsBelow]
        case .callout: [.outline, .hole]
        case .finish: [.linearLight, .dither]
        }
    }

    /// Whether it draws a layer, so that its programs have a content.
    fileprivate var drawsLayers: Bool { [.noEdge, .singleEdge, .corner].contains(self) }

    /// All but the vertex shader.
    package static let fragments = allCases.filter { $0 != .mesh }
}

/// A shader compiled with some of its options: what is cached, counted and reported.
package struct ShaderProgram: Hashable, Sendable {
    /// Its fragment shader.
    package let shader: Shader
    /// The options that are on.
    package let options: ShaderOptions
    /// Where a layer's colour comes from; nil for shaders that draw no layer.
    package let content: ContentKind?

    /// - Precondition: the shader can be compiled with the options.
    package init(_ shader: Shader, _ options: ShaderOptions = [], content: ContentKind? = nil) {
        (self.shader, self.options, self.content) = (shader, options, content)
    }

    /// The preprocessor names that it is compiled with.
    package var definitions: [(String, Int)] {
        let options = ShaderOptions.table.filter { shader.options.contains($0.option) }.map {
            ($0.define, self.options.contains($0.option) ? 1 : 0)
        }
        guard let content else { return options }
        let contents = ContentKind.allCases
        return options + contents.enumerated().map { ("CONTENT_" + $1.rawValue.uppercased(), $0) }
            + [("CONTENT", contents.firstIndex(of: content) ?? 0)]
    }
}

extension ShaderProgram {
    /// The programs of a shader by which a change of it is checked: with each content, and of its options none, each one
    /// and all.
    package static func checked(_ shader: Shader) -> [ShaderProgram] {
        let single = ShaderOptions.table.map { $0.option }.filter { shader.options.contains($0) }
        let options = [ShaderOptions()] + single + (single.count > 1 ? [shader.options] : [])
        let contents: [ContentKind?] = shader.drawsLayers ? ContentKind.allCases.map { $0 } : [nil]
        return contents.flatMap { content in options.map { ShaderProgram(shader, $0, content: content) } }
    }
}

extension ShaderProgram: CustomStringConvertible {
    /// Its name in reports: the file's, the content's and the options', such as `corner/linear/grid` or `rim`.
    package var description: String {
        shader.rawValue.prefix { $0 != "." } + (content.map { "/" + $0.rawValue } ?? "")
            + ShaderOptions.table.filter { options.contains($0.option) }.map { $0.suffix }.joined()
    }
}

/// Options of shaders. Each is a preprocessor name that is 1 where the option is on and 0 where it is off.
package struct ShaderOptions: OptionSet, Hashable, Sendable {
    /// One bit for each option.
    package let rawValue: UInt16

    /// The options whose bits are set.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The layer has strokes on it.
    package static let ink = ShaderOptions(rawValue: 1)
    /// Lines on the borders of texels are drawn.
    package static let grid = ShaderOptions(rawValue: 2)
    /// The loupe's border is an outline, not a disc.
    package static let outline = ShaderOptions(rawValue: 8)
    /// What the border encloses may be seen through, and nothing of its own is drawn under it.
    package static let hole = ShaderOptions(rawValue: 16)
    /// The shader reads the pixel that it draws over.
    package static let readsBelow = ShaderOptions(rawValue: 32)
    /// Colours are blended in linear light.
    package static let linearLight = ShaderOptions(rawValue: 64)
    /// Filtered rows hold floats.
    static let fineRows = ShaderOptions(rawValue: 128)
    /// What is written to 8 bits is dithered.
    package static let dither = ShaderOptions(rawValue: 256)

    /// For each option its name in GLSL, and what a program's name has for it.
    fileprivate static let table: [(option: ShaderOptions, define: String, suffix: String)] = [
        (.ink, "HAS_INK", "/ink"), (.grid, "HAS_GRID", "/grid"),
        (.outline, "HAS_OUTLINE", "/outline"), (.hole, "HAS_HOLE", "/hole"), (.readsBelow, "READS_BELOW", ""),
        (.linearLight, "LINEAR_LIGHT", "/linear-light"), (.fineRows, "FINE_ROWS", "/fine"),
        (.dither, "DITHER", "/dither"),
    ]
}

/// The origin of a layer's colour: the preprocessor name `CONTENT`. A program's name has it, and in capitals the preprocessor.
package enum ContentKind: String, Hashable, Sendable, CaseIterable {
    /// One colour.
    case fill
    /// The texel at the same position.
    case copy
    /// Four texels, mixed.
    case linear
    /// The second pass of a separable filter.
    case separable
    /// A linear gradient.
    case gradient
}

/// Every uniform, by its name in GLSL. The file that declares it says what it holds, and in which unit.
package enum Uniform: String, Hashable, Sendable, CaseIterable {
    /// The size of the target: mesh.vert.
    case targetSize
    /// The first pixel of the target: common/frag-position.glsl.
    case pixelOrigin
    /// A layer's content: common/content.glsl.
    case opacity, fillColor, gradientEnd, gradientLine
    /// A layer's content: common/content.glsl.
    case image, texelShift, lastTexel
    /// A layer's content: common/content.glsl.
    case texelBase, texelFraction, texelStep
    /// A layer's content: common/content.glsl.
    case filtered, rowTable, rowTaps, filteredOrigin, filteredFirstRow, filteredLastRow
    /// Its strokes and grid: common/ink.glsl, common/surface.glsl.
    case inkTiles, inkOrigin, inkEntries
    /// Its strokes and grid: common/ink.glsl, common/surface.glsl.
    case gridColor, gridLines, gridOrigin, gridColumns
    /// Its outline: single-edge.frag, common/outline.glsl.
    case backdrop, outlineEdges, outlineOrigin, sections, sectionCount
    /// horizontal-pass.frag.
    case columnTable, columnTaps, firstTexelRow, lightTable
    /// The border of a loupe, of its source or of its shadow: common/border.glsl.
    case discCenter, discRadius
    /// rim.frag; `adds` also split.frag.
    case below, belowShift, rimColor, rimWidth, borderShift, adds
    /// shadow.frag.
    case shadowScale, shadowColor, shadowOffset
    /// split.frag.
    case loupeContent, contentShift, halfLine, dividerColor, dividerWidth
    /// callout.frag.
    case sides, capRadius, connectorColor, connectorCasing, connectorCasingWidth
    /// callout.frag.
    case ringColor, ringCasing, ringCasingWidth, ringWidth, zoom, sourceShift
    /// copy.frag, finish.frag.
    case canvas, canvasShift
    /// common/dither.glsl.
    case ditherOrigin
}
