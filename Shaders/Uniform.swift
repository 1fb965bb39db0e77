/// Every name that the shaders and the renderer share.
public enum Uniform: String, Hashable, Sendable, CaseIterable {
    case viewport
    case pixelOrigin
    // The content of a layer.
    case opacity, fillColor
    case image, texelShift, lastTexel
    case texelBase, texelFraction, texelStep
    case filtered, rowTable, rowTaps, filteredOrigin, filteredFirstRow, filteredLastRow
    // The strokes on it, and the lines on its texels' borders.
    case inkTiles, inkOrigin, inkEntries
    case gridColor, gridFraction, gridStep, gridBorders
    // The clip.
    case backdrop, outlineEdges, diagonalShift, tangents, tangentCount, edgeInset, curveEnd
    case outlineOrigin, sections, sectionCount
    // The first direction of a filter.
    case columnTable, columnTaps, firstTexelRow, lightTable
    // The loupe's rim and shadow.
    case below, belowShift, discCenter, discRadius, rimColor, rimInnerRadius, adds
    case shadowCenter, shadowRadius, shadowScale, shadowColor
    case rimWidth, shadowOffset
    case loupeContent, contentShift, halfLine, dividerColor, dividerWidth
    // The callout of a loupe, and the frame around a texel.
    case sides, connectorColor, ringReach, ringColor
    case sourceCenter, sourceRadius, zoom, sourceShift
    case markOuter, markInner, markColor
    // The last step.
    case canvas, canvasShift
}

/// The values of the preprocessor name `CONTENT`.
public enum ContentKind: Int, Hashable, Sendable, CaseIterable {
    case fill
    case copy
    case linear
    case separable
    /// The same from rows that hold floats.
    case fineSeparable

    /// The definitions that make a clip shader sample this kind.
    public var definitions: [(String, Int)] {
        [
            ("CONTENT_FILL", ContentKind.fill.rawValue), ("CONTENT_COPY", ContentKind.copy.rawValue),
            ("CONTENT_LINEAR", ContentKind.linear.rawValue), ("CONTENT_SEPARABLE", ContentKind.separable.rawValue),
            ("CONTENT", self == .fineSeparable ? ContentKind.separable.rawValue : rawValue),
        ] + (self == .fineSeparable ? [("FINE_ROWS", 1)] : [])
    }
}
