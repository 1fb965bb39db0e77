/// The table of shaders. Each case is a file of the folder `Shaders`, and `row` says how it is compiled and what it reads.
///
/// To add a shader, write its file, add a case and its row here, and name the file in `shaderFiles` of Package.swift and in
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

    private var row: Row {
        switch self {
        case .mesh: Row { _ in [] }
        case .noEdge: .layer([])
        case .singleEdge: .layer([.backdrop, .pixelOrigin, .outlineEdges])
        case .corner: .layer([.backdrop, .pixelOrigin] + Uniform.ofOutline)
        case .horizontalPass:
            Row(options: [.linearLight, .fineRows]) { options in
                [.image, .columnTable, .columnTaps, .firstTexelRow, .lastTexel]
                    + (options == .linearLight ? [.lightTable] : [])
            }
        case .rim:
            Row(options: .outline) { options in
                [.pixelOrigin, .below, .belowShift, .rimColor, .borderShift, .adds]
                    + (options.contains(.outline)
                        ? Uniform.ofOutline + [.rimWidth] : [.discCenter, .discRadius, .rimInnerRadius])
            }
        case .shadow:
            Row(options: [.outline, .hole, .readsBelow, .dither]) { options in
                [.pixelOrigin, .shadowScale, .shadowColor] + options.uniforms(.dither, [.ditherOrigin])
                    + (options.contains(.outline)
                        ? Uniform.ofOutline + options.uniforms(.hole, [.shadowOffset])
                        : [.shadowCenter, .shadowRadius] + options.uniforms(.hole, [.discCenter, .discRadius]))
            }
        case .split:
            Row { _ in
                [.pixelOrigin, .loupeContent, .contentShift, .halfLine, .dividerColor, .dividerWidth, .adds]
            }
        case .callout:
            Row(options: [.outline, .hole]) { options in
                [
                    .pixelOrigin, .sides, .capRadius, .connectorColor, .connectorCasing, .connectorCasingWidth,
                    .ringColor, .ringCasing, .ringCasingWidth, .ringWidth,
                ] + Uniform.ofCallout(options)
            }
        case .copy: Row { _ in [.canvas, .canvasShift] }
        case .finish:
            Row(options: [.linearLight, .dither]) { options in
                [.canvas, .canvasShift] + options.uniforms(.dither, [.ditherOrigin])
            }
        }
    }

    private struct Row {
        /// What the shader can be compiled with.
        let options: ShaderOptions
        /// The uniforms that it has when it is compiled with some of its options.
        let uniforms: (ShaderOptions) -> [Uniform]

        init(options: ShaderOptions = [], uniforms: @escaping (ShaderOptions) -> [Uniform]) {
            (self.options, self.uniforms) = (options, uniforms)
        }

        /// A shader that draws `surface()` of `common/surface.glsl`; the uniforms of its content come with the content.
        static func layer(_ uniforms: [Uniform]) -> Row {
            Row(options: [.ink, .grid, .linearLight, .fineRows, .dither]) { options in
                uniforms + options.uniforms(.dither, [.ditherOrigin])
                    + options.uniforms(.ink, [.inkTiles, .inkOrigin, .inkEntries])
                    + options.uniforms(.grid, [.gridColor, .gridLines, .gridOrigin, .gridColumns])
            }
        }
    }

    /// Whether it draws a layer, so that its programs have a content.
    fileprivate var drawsLayers: Bool { [.noEdge, .singleEdge, .corner].contains(self) }
    fileprivate var options: ShaderOptions { row.options }
    fileprivate func uniforms(_ options: ShaderOptions) -> [Uniform] { row.uniforms(options) }
}

/// A shader compiled with some of its options: what is cached, counted and reported.
package struct ShaderProgram: Hashable, Sendable {
    /// Its fragment shader.
    package let shader: Shader
    /// The options that are on.
    package let options: ShaderOptions
    /// Where a layer's colour comes from; nil for shaders that draw no layer.
    package let content: ContentKind?

    /// - Precondition: the shader's row allows the options.
    package init(_ shader: Shader, _ options: ShaderOptions = [], content: ContentKind? = nil) {
        (self.shader, self.options, self.content) = (shader, options, content)
    }

    /// The uniforms that the renderer sets.
    package var uniforms: [Uniform] {
        [.viewport] + shader.uniforms(options) + (content?.uniforms(options) ?? [])
    }

    /// The preprocessor names that it is compiled with.
    package var definitions: [(String, Int)] {
        let options = ShaderOptions.table.filter { shader.options.contains($0.option) }.map {
            ($0.define, self.options.contains($0.option) ? 1 : 0)
        }
        guard let content else { return options }
        return options + ContentKind.allCases.map { ("CONTENT_" + $0.name.uppercased(), $0.rawValue) }
            + [("CONTENT", content.rawValue)]
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
        shader.rawValue.prefix { $0 != "." } + (content.map { "/" + $0.name } ?? "")
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
    /// The loupe is transparent beyond the page, and nothing of its own is drawn under it.
    package static let hole = ShaderOptions(rawValue: 16)
    /// The shader reads the pixel that it draws over.
    package static let readsBelow = ShaderOptions(rawValue: 32)
    /// Colours are blended in linear light.
    package static let linearLight = ShaderOptions(rawValue: 64)
    /// Filtered rows hold floats.
    package static let fineRows = ShaderOptions(rawValue: 128)
    /// What is written to 8 bits is dithered.
    package static let dither = ShaderOptions(rawValue: 256)

    /// For each option its name in GLSL, and what a program's name has for it.
    fileprivate static let table: [(option: ShaderOptions, define: String, suffix: String)] = [
        (.ink, "HAS_INK", "/ink"), (.grid, "HAS_GRID", "/grid"),
        (.outline, "HAS_OUTLINE", "/outline"), (.hole, "HAS_HOLE", "/hole"), (.readsBelow, "READS_BELOW", ""),
        (.linearLight, "LINEAR_LIGHT", "/linear-light"), (.fineRows, "FINE_ROWS", "/fine"),
        (.dither, "DITHER", "/dither"),
    ]

    fileprivate func uniforms(_ option: ShaderOptions, _ uniforms: [Uniform]) -> [Uniform] {
        contains(option) ? uniforms : []
    }
}

/// The origin of a layer's colour: the preprocessor name `CONTENT`.
package enum ContentKind: Int, Hashable, Sendable, CaseIterable {
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

    /// As a program's name and, in capitals, the preprocessor have it.
    fileprivate var name: String {
        switch self {
        case .fill: "fill"
        case .copy: "copy"
        case .linear: "linear"
        case .separable: "separable"
        case .gradient: "gradient"
        }
    }

    fileprivate func uniforms(_ options: ShaderOptions) -> [Uniform] {
        let own = self.own
        return self == .fill && options.isDisjoint(with: [.ink, .grid]) ? own : [.opacity] + own
    }

    private var own: [Uniform] {
        switch self {
        case .fill: [.fillColor]
        case .gradient: [.pixelOrigin, .fillColor, .gradientEnd, .gradientLine]
        case .copy: [.image, .texelShift, .lastTexel]
        case .linear: [.pixelOrigin, .image, .texelBase, .texelFraction, .texelStep, .lastTexel]
        case .separable: [.filtered, .rowTable, .rowTaps, .filteredOrigin, .filteredFirstRow, .filteredLastRow]
        }
    }
}

/// Every uniform, by its name in GLSL. The file that declares it says what it holds, and in which unit.
package enum Uniform: String, Hashable, Sendable, CaseIterable {
    /// The viewport of the target: mesh.vert.
    case viewport
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
    /// rim.frag, shadow.frag, split.frag.
    case below, belowShift, discCenter, discRadius, rimColor, rimInnerRadius, rimWidth, borderShift, adds
    /// rim.frag, shadow.frag, split.frag.
    case shadowCenter, shadowRadius, shadowScale, shadowColor, shadowOffset
    /// rim.frag, shadow.frag, split.frag.
    case loupeContent, contentShift, halfLine, dividerColor, dividerWidth
    /// callout.frag, common/callout.glsl.
    case sides, capRadius, connectorColor, connectorCasing, connectorCasingWidth
    /// callout.frag, common/callout.glsl.
    case ringColor, ringCasing, ringCasingWidth, ringWidth
    /// callout.frag, common/callout.glsl.
    case sourceCenter, sourceRadius, zoom, sourceShift
    /// copy.frag, finish.frag.
    case canvas, canvasShift
    /// common/dither.glsl.
    case ditherOrigin

    /// The uniforms of `common/outline.glsl`.
    fileprivate static let ofOutline: [Uniform] = [.outlineOrigin, .outlineEdges, .sections, .sectionCount]

    /// The uniforms of `common/callout.glsl`.
    fileprivate static func ofCallout(_ options: ShaderOptions) -> [Uniform] {
        options.contains(.outline)
            ? ofOutline + options.uniforms(.hole, [.zoom, .sourceShift])
            : [.sourceCenter, .sourceRadius] + options.uniforms(.hole, [.discCenter, .discRadius])
    }
}
