import LoupeDiff
import LoupeGeometry
import LoupeImaging
import LoupeScene

/// Finds what happened to a picture: by both pictures and, where it is known, by the scene.
///
/// First come changes of the whole picture, which need no scene. Then the reference renderer draws the part of the scene
/// that differs with one number changed a little, for each number that may be wrong (``SceneAlteration``). A fit by least
/// squares says how much of that change is in the actual picture, and what is left of the difference then (``AlterationFit``).
/// The change that explains most of the difference is reported.
package struct SceneChanges {
    private let scene: Scene?
    private let images: [ImagePath: Image]
    private let difference: Difference
    private let reference: Image
    private let actual: Image

    /// - Parameter scene: What the reference shows; nil where that is not known.
    package init(
        _ scene: Scene?, _ images: [ImagePath: Image], _ difference: Difference, reference: Image, actual: Image
    ) {
        // The oracle draws nothing where an image is missing.
        let isDrawable = scene?.imagePaths.allSatisfy { images[$0] != nil } ?? false
        (self.scene, self.images) = (isDrawable ? scene : nil, images)
        (self.reference, self.actual) = (reference, actual)
        // Where a metric counts other pixels than those that changed, or judges a mean, these are counted here.
        let small = Comparison(metric: .channel(Tolerance(1)), scene: scene)
        let isOther = difference.metric.isOfErrors || difference.differingPixels == 0
        self.difference =
            isOther && difference.excludedPixels == 0
            ? (try? small.compare(reference: reference, actual: actual)) ?? difference : difference
    }

    /// The changes; empty if the cause is not found.
    package var found: [PictureChange] {
        guard difference.differingPixels > 0, difference.referenceSize == difference.actualSize,
            difference.excludedPixels == 0
        else { return [] }
        let whole = PictureChange.find(difference, reference: reference, actual: actual)
        if scene != nil, isOutdated { return [.outdatedReference] }
        switch whole {
        case .onlyAntialiasing?, .onlySoftPixels?, .oneColor?, nil:
            let parts = partChanges(of: actual)
            if !parts.isComplete, let both = partChangesAndColors { return both }
            return parts.changes.isEmpty ? [whole].compactMap(\.self) : parts.changes
        case let whole?:
            guard let rest = whole.undone(in: actual, reference: reference) else { return [whole] }
            let others = reference.pixels(unlike: rest, by: AlterationFit.leastOther)
            guard others >= AlterationFit.fewestOthers else { return [whole] }
            if case .shifted = whole {
                // A layer that moved is not the whole picture.
                let parts = partChanges(of: actual).changes
                if !parts.isEmpty { return parts }
            }
            let parts = partChanges(of: rest).changes
            return [whole] + (parts.isEmpty ? [.others(pixels: others)] : parts)
        }
    }

    /// At most so many changes are named.
    private static let mostNamed = 3
    /// The parts of more loupes are not looked at.
    private static let mostLoupes = 8
    /// Pixels of a loupe, and of the whole picture, that are drawn for each attempt, about.
    private static let (loupeSamples, pictureSamples) = (4_000, 9_000)
    /// The part of the difference that may lie where no change explains it.
    private static let mostOutside = 0.1
    /// How many pixels have to fit where colours differ evenly and parts of the scene differ, too.
    private static let leastEven = 0.3

    private var canvas: PixelRect { PixelRect(width: reference.width, height: reference.height) }

    /// Where pixels differ.
    private var differing: PixelRect { reference.block(unlike: actual) }

    /// Whether the scene describes the actual picture and not the reference.
    private var isOutdated: Bool {
        guard let scene else { return false }
        let block = SampledBlock(differing, mostPixels: Self.loupeSamples)
        guard let drawn = block.drawn(scene, images) else { return false }
        let (before, after) = (block.samples(of: reference), block.samples(of: actual))
        let leastOther = AlterationFit.leastOther
        let changed = before.pixels(unlike: after, by: leastOther)
        return changed >= AlterationFit.fewestOthers
            && Double(drawn.pixels(unlike: after, by: leastOther)) <= 0.02 * Double(changed)
            && Double(drawn.pixels(unlike: before, by: leastOther)) >= 0.5 * Double(changed)
    }

    // MARK: - Parts of the scene

    /// What happened to loupes, or to a layer.
    private func partChanges(of actual: Image) -> AlterationFit.Finding {
        guard let scene else { return .init() }
        var loupes = loupeChanges(scene, actual)
        if loupes.changes.isEmpty { return layerChange(scene, actual) }
        loupes.changes = Array(loupes.changes.prefix(Self.mostNamed))
        return loupes
    }

    /// Colours that differ evenly in too small a part of the picture to be said alone, with what happened to parts of the
    /// scene besides; nil where the two do not explain the difference together.
    private var partChangesAndColors: [PictureChange]? {
        guard scene != nil,
            let colors = PictureChange.evenColors(
                difference, reference: reference, actual: actual, leastFitting: Self.leastEven),
            let rest = colors.undone(in: actual, reference: reference)
        else { return nil }
        let parts = partChanges(of: rest)
        return parts.isComplete ? [colors] + parts.changes : nil
    }

    private func loupeChanges(_ scene: Scene, _ actual: Image) -> AlterationFit.Finding {
        let areas = scene.loupes.map { Self.area(of: $0).intersection(canvas) }
        let (all, inside, outside) = reference.squares(to: actual, in: areas)
        // Noise below the tolerance differs everywhere.
        let touched = scene.loupes.indices.filter { inside[$0] > 0.01 * all }
        guard !touched.isEmpty, touched.count <= Self.mostLoupes else { return .init() }
        // What the loupes' changes do not explain would be concealed.
        guard outside <= Self.mostOutside * all else { return .init() }
        var finding = AlterationFit.Finding(isComplete: !differs(actual, outside: touched.map { areas[$0] }))
        for index in touched {
            let block = SampledBlock(areas[index], mostPixels: Self.loupeSamples)
            let fit = AlterationFit(scene, images, block, reference: reference, actual: actual)
            let found = fit?.best(of: SceneAlteration.ofLoupe(index, in: scene)) ?? .init()
            if !found.changes.isEmpty {
                finding.changes += found.changes
                if !found.isComplete { finding.isComplete = false }
            } else if differsOnlyInside(scene, index, areas[index], actual) {
                finding.changes.append(.loupeContent(loupe: index))
                finding.isComplete = false
            } else {
                return .init()
            }
        }
        return finding
    }

    /// Whether pixels differ clearly that lie in none of some blocks.
    private func differs(_ actual: Image, outside blocks: [PixelRect]) -> Bool {
        var masked = actual
        for block in blocks {
            for row in block.minY..<block.maxY {
                let range = (row * masked.width + block.minX) * 4..<(row * masked.width + block.maxX) * 4
                masked.pixels.replaceSubrange(range, with: reference.pixels[range])
            }
        }
        return reference.pixels(unlike: masked, by: AlterationFit.leastOther) >= AlterationFit.fewestOthers
    }

    /// The pixels that a loupe can change.
    private static func area(of loupe: Loupe) -> PixelRect {
        let shadow = loupe.shadow.map { 1.5 * $0.blur + max(abs($0.offset.dx), abs($0.offset.dy)) } ?? 0
        let reach = 4 + (loupe.rim?.casing?.width ?? 0) + shadow
        let disc = PixelRect(around: loupe.center, across: loupe.halfSides.dx + reach, down: loupe.halfSides.dy + reach)
        guard let ring = loupe.callout?.ring else { return disc }
        let edge = ring.width + 2 * (ring.casing?.width ?? 0) + 4
        let source = PixelRect(
            around: loupe.focus, across: loupe.halfSides.dx / loupe.zoom + edge,
            down: loupe.halfSides.dy / loupe.zoom + edge)
        return PixelRect.union(of: [disc, source])
    }

    private func layerChange(_ scene: Scene, _ actual: Image) -> AlterationFit.Finding {
        let block = SampledBlock(differing.inset(by: -4).intersection(canvas), mostPixels: Self.pictureSamples)
        guard let fit = AlterationFit(scene, images, block, reference: reference, actual: actual) else {
            return .init()
        }
        // A change that explains what differs must not make anything else differ.
        let check = AlterationFit(
            scene, images, SampledBlock(canvas, mostPixels: Self.pictureSamples), reference: reference, actual: actual)
        return fit.best(of: SceneAlteration.ofLayers(in: scene), unlessWorse: check)
    }

    /// Whether every pixel that differs lies inside of a loupe's border and rim.
    private func differsOnlyInside(_ scene: Scene, _ index: Int, _ area: PixelRect, _ actual: Image) -> Bool {
        let map = RegionMap(scene)
        var isInside = false
        for row in area.minY..<area.maxY {
            for column in area.minX..<area.maxX {
                let start = (row * reference.width + column) * 4
                guard reference.pixels[start..<start + 4] != actual.pixels[start..<start + 4] else { continue }
                let region = map.region(column: column, row: row)
                guard region != .rim, region != .page, region != .background else { return false }
                let pixel = Point(x: Double(column) + 0.5, y: Double(row) + 0.5)
                guard pixel.distance(to: scene.loupes[index].center) < scene.loupes[index].halfSides.length else {
                    return false
                }
                isInside = true
            }
        }
        return isInside
    }
}
