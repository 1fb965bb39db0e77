import LoupeBase
import LoupeImaging
import LoupeOracle
import LoupeScene
import LoupeSystem

/// The causes of a difference: by both pictures and, where it is known, by the scene.
///
/// The reference renderer draws the part of the scene around a loupe that differs, with the loupe elsewhere or of another
/// size. The change that comes nearest to the actual picture is reported if it explains most of the difference.
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
        if let scene, isOutdated(scene) { return [.outdatedReference] }
        let whole = PictureChange.find(difference, reference: reference, actual: actual)
        switch whole {
        case .evenColors?: return [whole].compactMap(\.self)
        // What a large loupe shows may be most of the picture.
        case .shifted(let shift)? where shift.explained >= Self.wholeShift: return [whole].compactMap(\.self)
        default:
            let loupes = scene.map(loupeChanges) ?? []
            return loupes.isEmpty ? [whole].compactMap(\.self) : loupes
        }
    }

    /// Loupes are looked at where no more than these differ.
    private static let mostLoupes = 8
    /// A shift of the picture that explains this part of the difference is none of a loupe.
    private static let wholeShift = 0.95
    /// Pixels that are drawn for each attempt, about.
    private static let samples = 4000
    /// The part of the pixels that differ that may lie where no loupe is.
    private static let mostOutside = 0.1
    /// The difference of a channel from which on a pixel counts as another one.
    private static let leastOther: Float = 3

    /// Whether the scene describes the actual picture and not the reference.
    private func isOutdated(_ scene: Scene) -> Bool {
        let block = SampledBlock(difference.differingBlock, mostPixels: Self.samples)
        guard let drawn = block.drawn(scene, images) else { return false }
        let (before, after) = (block.values(of: reference), block.values(of: actual))
        /// How many pixels differ in a channel.
        func others(_ one: [Float], _ other: [Float]) -> Double {
            Double(
                stride(from: 0, to: one.count, by: 4).count { start in
                    (start..<start + 4).contains { abs(one[$0] - other[$0]) >= Self.leastOther }
                })
        }
        let changed = others(before, after)
        return changed >= 4 && others(drawn, after) <= 0.02 * changed && others(drawn, before) >= 0.5 * changed
    }

    /// What happened to each loupe that differs; empty where that does not explain the difference.
    private func loupeChanges(_ scene: Scene) -> [PictureChange] {
        let canvas = PixelRect(width: reference.width, height: reference.height)
        let areas = scene.loupes.map { Self.area(of: $0).intersection(canvas) }
        let inside = areas.map { Double(difference.differingPixels(in: $0)) }
        let all = Double(difference.differingPixels)
        let touched = areas.indices.filter { inside[$0] > 0.01 * all }
        guard !touched.isEmpty, touched.count <= Self.mostLoupes,
            all - inside.reduce(0, +) <= Self.mostOutside * all
        else { return [] }
        let found = touched.map { index in
            let block = SampledBlock(areas[index], mostPixels: Self.samples)
            return LoupeFit(scene, images, index, block, reference: reference, actual: actual)?.change
        }
        return found.contains(nil) ? [] : found.compactMap(\.self)
    }

    /// The pixels that a loupe can change.
    private static func area(of loupe: Loupe) -> PixelRect {
        let shadow = loupe.shadow.map { 1.5 * $0.blur + max(abs($0.offset.dx), abs($0.offset.dy)) } ?? 0
        let reach = LoupeFit.longestStep + 2 + (loupe.rim?.casing?.width ?? 0) + shadow
        let disc = PixelRect(around: loupe.center, across: loupe.halfSides.dx + reach, down: loupe.halfSides.dy + reach)
        guard let ring = loupe.callout?.ring else { return disc }
        let edge = ring.width + 2 * (ring.casing?.width ?? 0) + 4
        let source = PixelRect(
            around: loupe.focus, across: loupe.halfSides.dx / loupe.zoom + edge,
            down: loupe.halfSides.dy / loupe.zoom + edge)
        return PixelRect.union(of: [disc, source])
    }
}

/// The change of one loupe that comes nearest to a picture.
private struct LoupeFit {
    private let scene: Scene
    private let images: [ImagePath: Image]
    private let loupe: Int
    private let block: SampledBlock
    private let target: [Float]
    private let squares: Double

    /// The largest distance of one step of the search, in pixels, and the smallest.
    static let (longestStep, shortestStep) = (4.0, 1.0 / 32)
    /// A change by less is not reported, in pixels, and one by more is not looked for.
    private static let (least, most) = (0.04, 8.0)
    /// The part of the difference that has to be explained.
    private static let leastExplained = 0.85

    /// Nil where nothing differs, or where the scene can't be drawn or does not describe the reference.
    init?(
        _ scene: Scene, _ images: [ImagePath: Image], _ loupe: Int, _ block: SampledBlock, reference: Image,
        actual: Image
    ) {
        (self.scene, self.images, self.loupe, self.block) = (scene, images, loupe, block)
        let expected = block.values(of: reference)
        target = block.values(of: actual)
        squares = Self.squares(expected, target)
        guard squares > 0, let drawn = block.drawn(scene, images), Self.squares(drawn, expected) <= 0.25 * squares
        else { return nil }
    }

    private static func squares(_ one: [Float], _ other: [Float]) -> Double {
        zip(one, other).reduce(0) { $0 + Double(($1.0 - $1.1) * ($1.0 - $1.1)) }
    }

    /// Nil where neither another place nor another size explains the difference.
    var change: PictureChange? {
        let size = nearest([0]) { $0.grow(by: $1[0]) }
        let place = nearest([0, 0]) { $0.center = $0.center + Vector(dx: $1[0], dy: $1[1]) }
        let placeAndFocus = nearest([0, 0]) { loupe, amounts in
            let way = Vector(dx: amounts[0], dy: amounts[1])
            (loupe.center, loupe.focus) = (loupe.center + way, loupe.focus + way)
        }
        let moved = place.explained < placeAndFocus.explained ? placeAndFocus : place
        // One number explains less than two.
        let best = moved.explained > size.explained + 0.003 ? moved : size
        guard best.explained >= Self.leastExplained, best.amounts.contains(where: { abs($0) >= Self.least }) else {
            return nil
        }
        return best.amounts.count == 1
            ? .loupeResized(loupe: loupe, pixels: best.amounts[0])
            : .loupeMoved(loupe: loupe, x: best.amounts[0], y: best.amounts[1])
    }

    /// The amounts with which the picture is nearest, and the part of the difference that they explain.
    ///
    /// This is Hooke and Jeeves's direct search: each number is changed by a step either way as long as that helps, then by
    /// half of it.
    private func nearest(
        _ start: [Double], _ edit: (inout Loupe, [Double]) -> Void
    ) -> (amounts: [Double], explained: Double) {
        var best = (amounts: start, squares: squares)
        var step = Self.longestStep
        while step >= Self.shortestStep {
            var isBetter = false
            for index in start.indices {
                for way in [step, -step] {
                    var amounts = best.amounts
                    amounts[index] += way
                    guard abs(amounts[index]) <= Self.most else { continue }
                    var altered = scene
                    edit(&altered.loupes[loupe], amounts)
                    guard let drawn = block.drawn(altered, images) else { continue }
                    let left = Self.squares(drawn, target)
                    if left < best.squares {
                        (best, isBetter) = ((amounts, left), true)
                        break
                    }
                }
            }
            if !isBetter { step /= 2 }
        }
        return (best.amounts, 1 - best.squares / squares)
    }
}

/// Some rows of a block of a picture.
private struct SampledBlock {
    let block: PixelRect
    /// The distance between sampled rows; the block's first row is sampled.
    let step: Int

    /// As many rows of a block as make about so many pixels.
    init(_ block: PixelRect, mostPixels: Int) {
        self.block = block
        step = max(1, block.pixelCount / max(mostPixels, 1))
    }

    /// Red, green, blue and alpha of these pixels of a picture, premultiplied, 0…255.
    func values(of image: Image) -> [Float] { Self.values(image, block, step) }

    /// The same as the reference renderer draws them; nil where it can't.
    func drawn(_ scene: Scene, _ images: [ImagePath: Image]) -> [Float]? {
        guard !block.isEmpty else { return nil }
        return (try? Oracle().render(scene, images: images, block: block, everyRow: step)).map {
            Self.values($0, PixelRect(width: $0.width, height: $0.height), 1)
        }
    }

    private static func values(_ image: Image, _ block: PixelRect, _ step: Int) -> [Float] {
        var values: [Float] = []
        values.reserveCapacity(block.pixelCount / step * 4)
        image.pixels.withUnsafeBufferPointer { pixels in
            for row in stride(from: block.minY, to: block.maxY, by: step) {
                for column in block.minX..<block.maxX {
                    let start = (row * image.width + column) * 4
                    let alpha = Float(pixels[start + 3])
                    for channel in 0..<3 { values.append(Float(pixels[start + channel]) * alpha / 255) }
                    values.append(alpha)
                }
            }
        }
        return values
    }
}

extension Loupe {
    /// Moves the border outward, by the same distance everywhere.
    fileprivate mutating func grow(by distance: Double) {
        switch shape {
        case .circle(let radius): shape = .circle(radius: max(radius + distance, 1))
        case .rectangle(let old):
            let radii = CornerRadii { position in
                let radius = old.corner.radii[position]
                return radius.x > 0 && radius.y > 0
                    ? CornerRadius(x: max(radius.x + distance, 0), y: max(radius.y + distance, 0)) : radius
            }
            shape = .rectangle(
                Rectangle(
                    width: max(old.width + 2 * distance, 2), height: max(old.height + 2 * distance, 2),
                    corner: Corner(radii: radii, exponent: old.corner.exponent)))
        }
    }
}
