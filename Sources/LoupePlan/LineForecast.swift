import LoupeGeometry
import LoupeMath
import LoupeScene

/// What a line consists of, from one side to the other.
struct LineProfile {
    /// In canvas pixels; infinite for an area that is seen over more than its border.
    let width: Double
    private(set) var color: Color
    /// In canvas pixels.
    let casingWidth: Double
    /// Whether the casing lies on both sides, as at a ring or a connector; or on the outer one alone, as around a rim.
    let isBand: Bool

    /// The profile of a rim with its hairline.
    init(_ rim: Loupe.Rim, _ hairline: Casing) {
        (width, color, casingWidth, isBand) = (rim.width, rim.color, hairline.width, false)
    }

    /// The profile of a ring.
    init(_ ring: Callout.Ring) {
        (width, color, casingWidth, isBand) = (ring.width, ring.color, ring.casing?.width ?? 0, true)
    }

    /// The profile of a line or an arrow, or of a cone beside its flank.
    init(_ connector: Connector) {
        let width = connector.shape.width
        (self.width, isBand) = (width ?? .infinity, width != nil)
        (color, casingWidth) = (connector.color, connector.casing?.width ?? 0)
    }

    /// The same in another colour.
    func colored(_ color: Color) -> LineProfile {
        var profile = self
        profile.color = color
        return profile
    }

    /// Where a line is looked at, in pixels from a `LinePoint` along its normal: at the pixels across a band, of a wide one at
    /// some, and in the middle of its casings; else within the line and around the middle of its casing.
    private var offsets: [Double] {
        guard isBand else { return [-(min(width, 4) + casingWidth) / 2, 0, -Self.aside, Self.aside] }
        // On a large canvas lines are wide, and neighbouring pixels across them much alike.
        let count = Int(width.rounded().clamped(to: 1...5))
        let inLine = (0..<count).map { ((Double($0) + 0.5) / Double(count) - 0.5) * width }
        let inCasing = (width + casingWidth) / 2
        return [-inCasing] + inLine + [inCasing]
    }

    /// Where the page is looked at: under each of the offsets of a band, else once.
    fileprivate var groundOffsets: [Double] { isBand ? offsets : [0] }

    /// The points at which the page is looked at, all of one `LinePoint` after another.
    func probes(at points: [LinePoint]) -> [Point] {
        points.flatMap { place in groundOffsets.map { place.point + $0 * place.normal } }
    }

    /// The pixels across the line at a `LinePoint`: the index in `groundOffsets` of the page under it, the centre, and how
    /// much the line and its casing cover.
    fileprivate func pixels(
        at place: LinePoint
    ) -> [(ground: Int, center: Point, coverage: (line: Double, all: Double))] {
        offsets.enumerated().map { index, offset in
            let at = place.point + offset * place.normal
            let center = Point(x: at.x.rounded(.down) + 0.5, y: at.y.rounded(.down) + 0.5)
            let way = center - place.point
            let coverage = coverages(at: way.dx * place.normal.dx + way.dy * place.normal.dy)
            return (isBand ? index : 0, center, coverage)
        }
    }

    /// So that two of three pixels across a hairline are looked at.
    private static let aside = 0.4

    /// How much of a pixel the line covers, and how much the line with its casing, if the pixel's centre lies so far from a
    /// `LinePoint` along its normal (specification, sections 6.3 and 6.5).
    fileprivate func coverages(at offset: Double) -> (line: Double, all: Double) {
        let depth = isBand ? width / 2 - abs(offset) : -offset - casingWidth / 2
        let inner = isBand ? 1 : Self.coverage(width - depth)
        return (Self.coverage(depth) * inner, Self.coverage(depth + casingWidth))
    }

    private static func coverage(_ depth: Double) -> Double { (depth + 0.5).clamped(to: 0...1) }
}

/// Foretells where a line will be seen on a page. The pixels across the line are computed as the picture's are, for they
/// may cover a thin line or its casing only in part.
struct LineForecast {
    /// A line or its casing is seen where one of its pixels differs from the page by this contrast. The page between the
    /// points is not looked at, so this is a little more than the 0.2 that has to hold.
    private static let seen = 0.21

    /// One point of the line.
    private struct Section {
        /// Whether the line is seen without its casing, where it covers a whole pixel.
        let hasSeenLine: Bool
        /// The pixels across the line; none where that is so.
        let pixels: [Pixel]
    }

    private struct Pixel {
        /// What the line covers of it, and what the line and its casing cover.
        let coverage: (line: Double, all: Double)
        /// The page with the shadow on it.
        let ground: WorkingColor
        /// The page under it.
        let page: OKLab
    }

    private let profile: LineProfile
    private let space: WorkingSpace
    private let contrast: Double
    private let sections: [Section]

    /// - Parameters:
    ///   - points: Along the line.
    ///   - page: The page's opaque colours at the `probes` of these points, or one for each point; with none, nothing is looked
    ///     at.
    ///   - contrast: At which a line is seen.
    ///   - shade: The colour of a shadow on the page at a point near one of those along the line, transparent where there is
    ///     none.
    init(
        _ profile: LineProfile, at points: [LinePoint], on page: some Collection<Color>, in space: WorkingSpace,
        contrast: Double = seen, under shade: (_ center: Point, _ place: LinePoint) -> Color = { _, _ in .transparent }
    ) {
        (self.profile, self.space, self.contrast) = (profile, space, contrast)
        let page = page.map(space.working)
        let samples = page.count == points.count ? 1 : profile.groundOffsets.count
        sections = (page.isEmpty ? 0..<0 : points.indices).map { index in
            let pixels = profile.pixels(at: points[index]).map { pixel in
                let ground = page[index * samples + (samples == 1 ? 0 : pixel.ground)]
                return Pixel(
                    coverage: pixel.coverage, ground: space.over(shade(pixel.center, points[index]), ground),
                    page: space.lab(ground))
            }
            let hasSeenLine = pixels.contains { pixel in
                pixel.coverage.line == 1
                    && space.lab(space.over(profile.color, pixel.ground)).contrast(to: pixel.page) >= contrast
            }
            return Section(hasSeenLine: hasSeenLine, pixels: hasSeenLine ? [] : pixels)
        }
    }

    /// The part of the points at which the line or its casing is seen; 1 where there are none.
    func share(casing: Color) -> Double {
        guard !sections.isEmpty else { return 1 }
        return Double(sections.count { isSeen($0, casing) }) / Double(sections.count)
    }

    private func isSeen(_ section: Section, _ casing: Color) -> Bool {
        section.hasSeenLine
            || section.pixels.contains { pixel in
                // The casing lies beside the line, not under it.
                let line = pixel.coverage.line * Double(profile.color.alpha) / 255
                let band = max(0, pixel.coverage.all - pixel.coverage.line) * Double(casing.alpha) / 255
                let drawn =
                    line * space.working(profile.color) + band * space.working(casing)
                    + (1 - line - band) * pixel.ground
                return space.lab(drawn).contrast(to: pixel.page) >= contrast
            }
    }
}

/// The red, green and blue of an opaque colour, in the values that are blended.
typealias WorkingColor = SIMD3<Double>

/// The values in which a scene's colours are blended (specification, section 5.1).
struct WorkingSpace {
    private let isLinear: Bool
    /// Encoded channels in linear light.
    private let decoded: [Double]

    init(_ blending: Blending) {
        isLinear = blending == .linear
        decoded = (0...255).map { Color.decoded(Double($0) / 255) }
    }

    func working(_ color: Color) -> WorkingColor {
        isLinear ? linear(color) : WorkingColor(Double(color.red), Double(color.green), Double(color.blue))
    }

    /// A colour over an opaque one.
    func over(_ color: Color, _ below: WorkingColor) -> WorkingColor {
        let alpha = Double(color.alpha) / 255
        return alpha > 0 ? alpha * working(color) + (1 - alpha) * below : below
    }

    func lab(_ color: WorkingColor) -> OKLab {
        if isLinear { return OKLab(linear: color) }
        func channel(_ value: Double) -> Double { decoded[Int(value.rounded())] }
        return OKLab(linear: SIMD3(channel(color.x), channel(color.y), channel(color.z)))
    }

    private func linear(_ color: Color) -> SIMD3<Double> {
        SIMD3(decoded[Int(color.red)], decoded[Int(color.green)], decoded[Int(color.blue)])
    }
}
