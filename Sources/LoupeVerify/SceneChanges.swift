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
        // A mean, or many small differences, can be too large although no pixel differs by itself.
        let small = Comparison(metric: .channel(Tolerance(1)), scene: scene)
        let isSmall = difference.differingPixels == 0 && difference.excludedPixels == 0
        self.difference =
            isSmall ? (try? small.compare(reference: reference, actual: actual)) ?? difference : difference
    }

    /// The changes; empty where nothing can be told.
    package var found: [PictureChange] {
        guard difference.differingPixels > 0, difference.referenceSize == difference.actualSize,
            difference.excludedPixels == 0
        else { return [] }
        let whole = PictureChange.find(difference, reference: reference, actual: actual)
        if scene != nil, isOutdated { return [.outdatedReference] }
        switch whole {
        case .onlyAntialiasing?, .onlySoftPixels?, .oneColor?, nil:
            let parts = partChanges(of: actual)
            return parts.isEmpty ? [whole].compactMap(\.self) : parts
        case let whole?:
            guard let rest = whole.undone(in: actual, reference: reference) else { return [whole] }
            let others = reference.pixels(unlike: rest, by: Self.leastOther)
            guard others >= Self.fewestOthers else { return [whole] }
            if case .shifted = whole {
                // A layer that moved is not the whole picture.
                let parts = partChanges(of: actual)
                if !parts.isEmpty { return parts }
            }
            let parts = partChanges(of: rest)
            return [whole] + (parts.isEmpty ? [.others(pixels: others)] : parts)
        }
    }

    /// At most so many changes are named.
    private static let mostNamed = 3
    /// The parts of more loupes are not looked at.
    private static let mostLoupes = 8
    /// Steps of a channel from which on a pixel counts as not explained by a change of the whole picture, and how many
    /// such pixels are worth a sentence.
    private static let (leastOther, fewestOthers) = (3, 4)
    /// Pixels of a loupe, and of the whole picture, that are drawn for each attempt, about.
    private static let (loupeSamples, pictureSamples) = (4_000, 9_000)
    /// The part of the difference that may lie where no change explains it.
    private static let mostOutside = 0.1

    private var canvas: PixelRect { PixelRect(width: reference.width, height: reference.height) }

    /// Where pixels differ.
    private var differing: PixelRect { reference.block(unlike: actual) }

    /// Whether the scene describes the actual picture and not the reference.
    private var isOutdated: Bool {
        guard let scene else { return false }
        let block = SampledBlock(differing, mostPixels: Self.loupeSamples)
        guard let drawn = block.drawn(scene, images) else { return false }
        let (before, after) = (block.samples(of: reference), block.samples(of: actual))
        let changed = before.pixels(unlike: after, by: Self.leastOther)
        return changed >= Self.fewestOthers
            && Double(drawn.pixels(unlike: after, by: Self.leastOther)) <= 0.02 * Double(changed)
            && Double(drawn.pixels(unlike: before, by: Self.leastOther)) >= 0.5 * Double(changed)
    }

    // MARK: - Parts of the scene

    /// What happened to loupes, or to a layer.
    private func partChanges(of actual: Image) -> [PictureChange] {
        guard let scene else { return [] }
        let loupes = loupeChanges(scene, actual)
        return loupes.isEmpty ? layerChange(scene, actual) : Array(loupes.prefix(Self.mostNamed))
    }

    private func loupeChanges(_ scene: Scene, _ actual: Image) -> [PictureChange] {
        let areas = scene.loupes.map { Self.area(of: $0).intersection(canvas) }
        let (all, inside, outside) = reference.squares(to: actual, in: areas)
        // Noise below the tolerance differs everywhere.
        let touched = scene.loupes.indices.filter { inside[$0] > 0.01 * all }
        guard !touched.isEmpty, touched.count <= Self.mostLoupes else { return [] }
        // What the loupes' changes do not explain would be concealed.
        guard outside <= Self.mostOutside * all else { return [] }
        var changes: [PictureChange] = []
        for index in touched {
            let block = SampledBlock(areas[index], mostPixels: Self.loupeSamples)
            let fit = AlterationFit(scene, images, block, reference: reference, actual: actual)
            let found = fit?.best(of: SceneAlteration.ofLoupe(index, in: scene)) ?? []
            if !found.isEmpty {
                changes += found
            } else if differsOnlyInside(scene, index, areas[index], actual) {
                changes.append(.loupeContent(loupe: index))
            } else {
                return []
            }
        }
        return changes
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

    private func layerChange(_ scene: Scene, _ actual: Image) -> [PictureChange] {
        let block = SampledBlock(differing.inset(by: -4).intersection(canvas), mostPixels: Self.pictureSamples)
        guard let fit = AlterationFit(scene, images, block, reference: reference, actual: actual) else { return [] }
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
