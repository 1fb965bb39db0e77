import Glibc
import LoupeDiff
import LoupeGeometry
import LoupeImaging
import LoupeOracle
import LoupeScene

/// What happened to a scene's picture, told from the scene.
///
/// For each loupe near which pixels differ, the reference renderer draws the scene with one number of the loupe changed a
/// little. A least-squares fit says how much of that change is in the actual picture, and what is left of the difference then.
/// The change that explains most of the difference is reported.
struct SceneChanges {
    private let scene: Scene?
    private let images: [ImagePath: Image]
    private let difference: Difference
    private let reference: Image
    private let actual: Image

    /// - Parameter scene: Nil where the reference is not of a scene.
    init(
        _ scene: Scene?, _ images: [ImagePath: Image], _ difference: Difference, reference: Image, actual: Image
    ) {
        (self.scene, self.images, self.difference) = (scene, images, difference)
        (self.reference, self.actual) = (reference, actual)
    }

    /// The changes, at most `mostNamed`; empty where nothing can be told.
    var found: [PictureChange] {
        guard difference.differingPixels > 0, difference.referenceSize == difference.actualSize else { return [] }
        let whole = PictureChange.find(difference, reference: reference, actual: actual)
        if case .onlyAntialiasing? = whole {} else if let whole { return [whole] }
        let loupes = scene.map(loupeChanges) ?? []
        return loupes.isEmpty ? [whole].compactMap(\.self) : Array(loupes.prefix(Self.mostNamed))
    }

    private static let mostNamed = 3
    /// Larger canvases are not drawn again to explain a difference, in pixels.
    private static let largestCanvas = 1_500_000
    /// The part of the difference near a loupe that a change has to explain.
    private static let leastExplained = 0.75

    private func loupeChanges(_ scene: Scene) -> [PictureChange] {
        guard scene.canvas.width * scene.canvas.height <= Self.largestCanvas, scene.loupes.count <= 8,
            difference.excludedPixels == 0
        else { return [] }
        var changes: [PictureChange] = []
        var outside = differences(in: PixelRect(width: reference.width, height: reference.height))
        let all = outside
        for index in scene.loupes.indices {
            let area = Self.area(of: scene.loupes[index], reference)
            let inside = differences(in: area)
            guard inside > 0 else { continue }
            guard let change = change(of: index, in: scene, area) else { return [] }
            outside -= inside
            changes.append(change)
        }
        // What the loupes' changes do not explain would be concealed.
        return outside <= 0.1 * all ? changes : []
    }

    /// The pixels that a loupe can change.
    private static func area(of loupe: Loupe, _ picture: Image) -> PixelRect {
        let shadow = loupe.shadow.map { 1.5 * $0.blur + max(abs($0.offset.dx), abs($0.offset.dy)) } ?? 0
        let reach = (loupe.rim?.casing == nil ? 4 : 8) + shadow
        return PixelRect(
            around: loupe.center, across: loupe.halfSides.dx + reach, down: loupe.halfSides.dy + reach
        ).intersection(PixelRect(width: picture.width, height: picture.height))
    }

    /// The sum of squared differences in a block.
    private func differences(in area: PixelRect) -> Double {
        Residual(reference, actual, area).squares
    }

    private func change(of index: Int, in scene: Scene, _ area: PixelRect) -> PictureChange? {
        let residual = Residual(reference, actual, area)
        guard residual.squares > 0, let drawn = draw(scene) else { return nil }
        var best: (explained: Double, change: PictureChange)?
        for candidate in Self.candidates(for: scene.loupes[index]) {
            guard let found = fit(candidate, of: index, in: scene, drawn, residual) else { continue }
            if found.explained > max(best?.explained ?? 0, Self.leastExplained) {
                best = (found.explained, candidate.change(index, found.amounts))
            }
        }
        if let best { return best.change }
        return differsOnlyInside(scene, index, area) ? .loupeContent(loupe: index) : nil
    }

    private func draw(_ scene: Scene) -> Image? { try? Oracle().render(scene, images: images) }

    // MARK: - Candidates

    /// Something that may have changed in a loupe.
    private struct Candidate {
        /// One number for each way in which it may have changed, as steps that are tried.
        let steps: [Double]
        /// Whether it is there or not, and has no amount.
        var isWhole = false
        /// The smallest amount that is worth a sentence.
        var least = 0.04
        /// The loupe with a change; nil for none at all.
        let apply: (Loupe, [Double]) -> Loupe?
        let change: (Int, [Double]) -> PictureChange
    }

    /// Something that may have changed, by a change of the loupe itself.
    private static func candidate(
        _ steps: [Double], least: Double = 0.04, isWhole: Bool = false,
        _ edit: @escaping (inout Loupe, [Double]) -> Void, _ change: @escaping (Int, [Double]) -> PictureChange
    ) -> Candidate {
        let apply = { (loupe: Loupe, amounts: [Double]) -> Loupe? in
            var loupe = loupe
            edit(&loupe, amounts)
            return loupe
        }
        return Candidate(steps: steps, isWhole: isWhole, least: least, apply: apply, change: change)
    }

    private static func candidates(for loupe: Loupe) -> [Candidate] {
        var found = [
            Candidate(
                steps: [1], isWhole: true, apply: { _, _ in nil },
                change: { index, _ in .loupeMissing(.loupe, loupe: index) }),
            candidate(
                [0.25], { $0.radius = max($0.radius + $1[0], 1) }, { .loupeSize(.rim, loupe: $0, pixels: $1[0]) }),
            candidate(
                [0.25, 0.25], { $0.center = Point(x: $0.center.x + $1[0], y: $0.center.y + $1[1]) },
                { .loupeMoved(.loupe, loupe: $0, x: $1[0], y: $1[1]) }),
            candidate(
                [0.25, 0.25],
                { $0.focus = Point(x: $0.focus.x - $1[0] / $0.zoom, y: $0.focus.y - $1[1] / $0.zoom) },
                { .loupeMoved(.content, loupe: $0, x: $1[0], y: $1[1]) }),
            candidate(
                [0.005 * loupe.zoom], least: 0.002 * loupe.zoom, { $0.zoom = max($0.zoom + $1[0], 1) },
                { .loupeZoom(loupe: $0, drawn: loupe.zoom + $1[0], stated: loupe.zoom) }),
        ]
        if let width = loupe.rim?.width {
            found.append(
                candidate(
                    [0.25], { $0.rim?.width = max(width + $1[0], 0) },
                    { .loupeSize(.rimWidth, loupe: $0, pixels: $1[0]) }))
            found.append(
                candidate(
                    [1], isWhole: true, { loupe, _ in loupe.rim = nil },
                    { index, _ in .loupeMissing(.rim, loupe: index) }))
        }
        if let blur = loupe.shadow?.blur {
            found.append(
                candidate(
                    [0.5], least: 0.1, { $0.shadow?.blur = max(blur + $1[0], 0) },
                    { .loupeSize(.shadow, loupe: $0, pixels: $1[0]) }))
            found.append(
                candidate(
                    [1], isWhole: true, { loupe, _ in loupe.shadow = nil },
                    { index, _ in .loupeMissing(.shadow, loupe: index) }))
        }
        return found
    }

    private func fit(
        _ candidate: Candidate, of index: Int, in scene: Scene, _ drawn: Image, _ residual: Residual
    ) -> (explained: Double, amounts: [Double])? {
        func picture(_ amounts: [Double]) -> Image? {
            var changed = scene
            if let loupe = candidate.apply(scene.loupes[index], amounts) {
                changed.loupes[index] = loupe
            } else {
                changed.loupes.remove(at: index)
            }
            return draw(changed)
        }
        func explained(by image: Image) -> Double {
            1 - residual.squares(without: Residual(drawn, image, residual.area)) / residual.squares
        }
        if candidate.isWhole {
            return picture(candidate.steps).map { (explained(by: $0), []) }
        }
        /// What a step in each direction changes, from some amounts on.
        func derivatives(at amounts: [Double], _ image: Image) -> [Residual]? {
            var found: [Residual] = []
            for direction in candidate.steps.indices {
                var next = amounts
                next[direction] += candidate.steps[direction]
                guard let other = picture(next) else { return nil }
                found.append(Residual(image, other, residual.area))
            }
            return found
        }
        let none = [Double](repeating: 0, count: candidate.steps.count)
        guard let slopes = derivatives(at: none, drawn), let first = residual.weights(of: slopes) else { return nil }
        var amounts = zip(first, candidate.steps).map { $0 * $1 }
        // A change that is larger than a pixel is nothing that a fit of small ones finds.
        guard amounts.contains(where: { abs($0) >= candidate.least }),
            zip(first, candidate.steps).allSatisfy({ abs($0.0) <= 16 })
        else { return nil }
        guard var image = picture(amounts) else { return nil }
        var best = (explained: explained(by: image), amounts: amounts)
        // Coverage is not linear, so what is left is fitted again.
        for _ in 0..<5 where best.explained > 0.3 && best.explained < 0.9999 {
            let left = residual.without(Residual(drawn, image, residual.area))
            guard let slopes = derivatives(at: amounts, image), let more = left.weights(of: slopes) else { break }
            amounts = zip(amounts, zip(more, candidate.steps)).map { $0 + $1.0 * $1.1 }
            guard let next = picture(amounts) else { break }
            image = next
            let now = explained(by: image)
            if now > best.explained { best = (now, amounts) }
        }
        return best.amounts.contains { abs($0) >= candidate.least } ? best : nil
    }

    /// Whether every pixel that differs lies inside of a loupe's border and rim.
    private func differsOnlyInside(_ scene: Scene, _ index: Int, _ area: PixelRect) -> Bool {
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

/// How much higher the channels of one picture are than those of another in a block.
private struct Residual {
    let area: PixelRect
    private let steps: [Float]

    init(_ from: Image, _ to: Image, _ area: PixelRect) {
        self.area = area
        var steps: [Float] = []
        steps.reserveCapacity(area.width * area.height * 4)
        from.pixels.withUnsafeBufferPointer { from in
            to.pixels.withUnsafeBufferPointer { other in
                let width = to.width * 4
                for row in area.minY..<area.maxY {
                    for index in row * width + area.minX * 4..<row * width + area.maxX * 4 {
                        steps.append(Float(other[index]) - Float(from[index]))
                    }
                }
            }
        }
        self.steps = steps
    }

    private init(_ area: PixelRect, _ steps: [Float]) { (self.area, self.steps) = (area, steps) }

    var squares: Double { product(self) }

    private func product(_ other: Residual) -> Double {
        var sum = 0.0
        for index in steps.indices { sum += Double(steps[index] * other.steps[index]) }
        return sum
    }

    func without(_ other: Residual) -> Residual { Residual(area, zip(steps, other.steps).map { $0 - $1 }) }

    func squares(without other: Residual) -> Double { without(other).squares }

    /// The weights of one or two others whose sum comes nearest; nil where they are too alike.
    func weights(of others: [Residual]) -> [Double]? {
        if others.count == 1 {
            let square = others[0].squares
            return square > 0 ? [product(others[0]) / square] : nil
        }
        let (a, b, c) = (others[0].squares, others[0].product(others[1]), others[1].squares)
        let (p, q) = (product(others[0]), product(others[1]))
        let determinant = a * c - b * b
        guard determinant > 1e-9 * a * c, determinant > 0 else { return nil }
        return [(p * c - q * b) / determinant, (q * a - p * b) / determinant]
    }
}
