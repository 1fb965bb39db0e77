import LoupeDiff
import LoupeFiles
import LoupeImaging
import LoupeOracle
import LoupeScene

/// Finds which alterations of a scene explain how an actual picture differs from the reference in a block.
struct AlterationFit: Sendable {
    private let scene: Scene
    private let images: [ImagePath: Image]
    private let block: SampledBlock
    /// What the reference renderer draws.
    private let drawn: BlockSamples
    /// What has to be explained: how much higher the actual picture is than the reference.
    private let target: BlockSamples
    private let squares: Double

    /// Nil where nothing differs, or where the scene can't be drawn or does not describe the reference.
    init?(
        _ scene: Scene, _ images: [ImagePath: Image], _ block: SampledBlock, reference: Image, actual: Image
    ) {
        (self.scene, self.images, self.block) = (scene, images, block)
        let expected = block.samples(of: reference)
        target = block.samples(of: actual) - expected
        squares = target.squares
        guard squares > 0, let drawn = block.drawn(scene, images), (drawn - expected).squares <= 0.25 * squares else {
            return nil
        }
        self.drawn = drawn
    }

    /// The part of the difference that has to be explained.
    private static let leastExplained = 0.85
    /// From here on nothing is added to an explanation.
    private static let wellExplained = 0.97
    /// A second change has to explain at least this much more.
    private static let leastMore = 0.05
    /// How many alterations are fitted exactly.
    private static let mostFitted = 3
    /// An explanation by fewer numbers is preferred to one that is better by no more than this, for each number.
    private static let priceOfANumber = 0.003

    private struct Explanation: Sendable {
        let alterations: [SceneAlteration]
        let amounts: [[Double]]
        let explained: Double

        var changes: [PictureChange] { zip(alterations, amounts).map { $0.change($1) } }

        /// How good it is, for a choice among several.
        var rank: Double {
            explained - AlterationFit.priceOfANumber * Double(alterations.reduce(0) { $0 + max($1.steps.count, 1) })
        }
    }

    /// The alteration that explains the difference, or two that do so together; none where nothing does.
    ///
    /// - Parameter check: of a larger block, in which the explanation must not add differences.
    func best(of alterations: [SceneAlteration], unlessWorse check: AlterationFit? = nil) -> [PictureChange] {
        let tried = Threads.map(alterations.count) { slopes(of: alterations[$0]) }
        // What each explains if its pictures were straight lines.
        var starts: [(index: Int, weights: [Double], explained: Double)] = []
        for (index, slopes) in tried.enumerated() {
            guard let slopes else { continue }
            guard let weights = alterations[index].isWhole ? [1] : target.weights(of: slopes) else { continue }
            starts.append((index, weights, explained(slopes, weights, of: target)))
        }
        starts.sort { $0.explained > $1.explained }
        let chosen = Array(starts.prefix(Self.mostFitted).filter { $0.explained > 0.2 })
        let fitted = Threads.map(chosen.count) { number in
            let alteration = alterations[chosen[number].index]
            return fit([alteration], from: [alteration.amounts(chosen[number].weights)])
        }.compactMap(\.self)
        guard let one = fitted.max(by: { $0.rank < $1.rank }) else { return [] }
        var best = one
        if one.explained < Self.wellExplained, let two = withAnother(one, alterations, tried),
            two.explained > one.explained + Self.leastMore
        {
            best = two
        }
        guard best.explained >= Self.leastExplained, check?.allows(best) ?? true else { return [] }
        return best.changes
    }

    /// An explanation with the alteration that explains most of what it leaves.
    private func withAnother(
        _ one: Explanation, _ alterations: [SceneAlteration], _ slopes: [[BlockSamples]?]
    ) -> Explanation? {
        guard let first = one.alterations.first, !first.isWhole, let image = picture(one.alterations, one.amounts)
        else { return nil }
        let left = target - (image - drawn)
        var best: (index: Int, weights: [Double], explained: Double)?
        for (index, slopes) in slopes.enumerated() {
            guard let slopes, !alterations[index].isWhole, alterations[index].name != first.name,
                let weights = left.weights(of: slopes)
            else { continue }
            let more = explained(slopes, weights, of: left)
            if more > best?.explained ?? 0 { best = (index, weights, more) }
        }
        guard let best else { return nil }
        let second = alterations[best.index]
        return fit([first, second], from: [one.amounts[0], second.amounts(best.weights)])
    }

    private func explained(_ slopes: [BlockSamples], _ weights: [Double], of target: BlockSamples) -> Double {
        1 - target.without(slopes, weights: weights).squares / target.squares
    }

    // MARK: - Fitting

    /// How the picture changes with each number of an alteration, for a step each: the mean of a step up and one down, since
    /// a straight edge between two pixels changes one of them either way.
    private func slopes(of alteration: SceneAlteration) -> [BlockSamples]? {
        if alteration.isWhole { return picture([alteration], [[]]).map { [$0 - drawn] } }
        var found: [BlockSamples] = []
        for (number, step) in alteration.steps.enumerated() {
            var (up, down) = (alteration.nothing, alteration.nothing)
            up[number] += step
            down[number] -= step
            guard let higher = picture([alteration], [up]), let lower = picture([alteration], [down]) else {
                return nil
            }
            found.append((higher - lower).halved)
        }
        return found
    }

    /// How the picture changes with each number of some alterations, for a step each, from some amounts on.
    private func slopes(
        of alterations: [SceneAlteration], at amounts: [[Double]], _ image: BlockSamples
    ) -> [BlockSamples]? {
        var found: [BlockSamples] = []
        for (index, alteration) in alterations.enumerated() {
            for (number, step) in alteration.steps.enumerated() {
                var next = amounts
                next[index][number] += step
                guard let other = picture(alterations, next) else { return nil }
                found.append(other - image)
            }
        }
        return found
    }

    private func picture(_ alterations: [SceneAlteration], _ amounts: [[Double]]) -> BlockSamples? {
        var altered = scene
        for (alteration, amounts) in zip(alterations, amounts) { alteration.apply(&altered, amounts) }
        return block.drawn(altered, images)
    }

    private func explained(by image: BlockSamples) -> Double {
        1 - (target - (image - drawn)).squares / squares
    }

    /// Gauss and Newton's method: coverage is not linear, so what is left is fitted again.
    private func fit(_ alterations: [SceneAlteration], from start: [[Double]]) -> Explanation? {
        if alterations[0].isWhole {
            return picture(alterations, [[]]).map {
                Explanation(alterations: alterations, amounts: [[]], explained: explained(by: $0))
            }
        }
        // A change that is larger than some pixels is nothing that a fit of small ones finds.
        guard zip(alterations, start).allSatisfy({ $0.isNear($1) }), var image = picture(alterations, start) else {
            return nil
        }
        var amounts = start
        var best = (explained: explained(by: image), amounts: amounts)
        for _ in 0..<6 where best.explained < 0.9995 {
            guard let slopes = self.slopes(of: alterations, at: amounts, image),
                let weights = (target - (image - drawn)).weights(of: slopes)
            else { break }
            var rest = weights[...]
            var moved = 0.0
            for (index, alteration) in alterations.enumerated() {
                let own = rest.prefix(alteration.steps.count)
                rest = rest.dropFirst(alteration.steps.count)
                for (number, weight) in own.enumerated() {
                    amounts[index][number] += weight * alteration.steps[number]
                    moved = max(moved, abs(weight))
                }
            }
            guard let next = picture(alterations, amounts) else { break }
            image = next
            let now = explained(by: image)
            if now > best.explained { best = (now, amounts) }
            if moved < 0.01 { break }
        }
        let isWorthIt = zip(alterations, best.amounts).allSatisfy { alteration, amounts in
            alteration.isNear(amounts) && amounts.contains { abs($0) >= alteration.least }
        }
        return isWorthIt
            ? Explanation(alterations: alterations, amounts: best.amounts, explained: best.explained) : nil
    }

    /// Whether an explanation of another block explains something here, too, and adds no difference.
    private func allows(_ explanation: Explanation) -> Bool {
        picture(explanation.alterations, explanation.amounts).map { explained(by: $0) >= 0.6 } ?? false
    }
}

extension SampledBlock {
    /// These pixels as the reference renderer draws them; nil where it can't.
    func drawn(_ scene: Scene, _ images: [ImagePath: Image]) -> BlockSamples? {
        guard !block.isEmpty else { return nil }
        return (try? Oracle().render(scene, images: images, block: block, everyRow: step)).map { BlockSamples($0) }
    }
}
