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

    /// The part of the difference that has to be explained by one change, and by two.
    private static let (leastExplained, leastExplainedByTwo) = (0.85, 0.95)
    /// Steps of a channel from which on a pixel counts as not explained, and how many such pixels are worth a sentence.
    static let (leastOther, fewestOthers) = (3, 4)
    /// Two changes have to leave at most this part of what the better one leaves alone: of the squares, and of the pixels.
    private static let mostLeft = 0.2
    /// How many alterations, or pairs of them, are fitted exactly, and how many pairs are tried by a step of the fit.
    private static let (mostFitted, mostPairs) = (3, 10)
    /// An explanation by fewer numbers is preferred to one that is better by no more than this, for each number: of the
    /// whole difference for one change, of what is left for two.
    private static let (priceOfANumber, priceOfANumberOfTwo) = (0.003, 0.15)

    private struct Explanation: Sendable {
        let alterations: [SceneAlteration]
        let amounts: [[Double]]
        let explained: Double
        /// The pixels that it does not explain.
        let others: Int

        var numbers: Double { Double(alterations.reduce(0) { $0 + max($1.steps.count, 1) }) }
    }

    /// What happened in a block.
    struct Finding {
        /// One change or two; none where nothing explains the difference.
        var changes: [PictureChange] = []
        /// Whether they leave no pixel that differs clearly.
        var isComplete = false
    }

    /// The alteration that explains the difference, or two that do so together; none where nothing does.
    ///
    /// - Parameter check: of a larger block, in which the explanation must not add differences.
    func best(of alterations: [SceneAlteration], unlessWorse check: AlterationFit? = nil) -> Finding {
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
        func rank(_ one: Explanation) -> Double { one.explained - Self.priceOfANumber * one.numbers }
        guard let one = fitted.max(by: { rank($0) < rank($1) }) else { return Finding() }
        var best = one
        if one.others >= Self.fewestOthers, let two = two(from: fitted, alterations, tried),
            two.explained >= Self.leastExplainedByTwo,
            Double(two.others) <= Self.mostLeft * Double(one.others),
            1 - two.explained <= Self.mostLeft * (1 - one.explained)
        {
            best = two
        }
        guard best.explained >= Self.leastExplained, check?.allows(best) ?? true else { return Finding() }
        return Finding(
            changes: zip(best.alterations, best.amounts).map { $0.change($1) },
            isComplete: best.others < Self.fewestOthers)
    }

    /// The best explanation by one of those that are fitted and another alteration.
    private func two(
        from fitted: [Explanation], _ alterations: [SceneAlteration], _ slopes: [[BlockSamples]?]
    ) -> Explanation? {
        var starts: [(alterations: [SceneAlteration], amounts: [[Double]], explained: Double)] = []
        for one in fitted.sorted(by: { $0.explained > $1.explained }) {
            let first = one.alterations[0]
            guard !first.isAlone, let image = picture(one.alterations, one.amounts),
                let own = self.slopes(of: one.alterations, at: one.amounts, image)
            else { continue }
            let left = target - (image - drawn)
            for (second, slopes) in zip(alterations, slopes) where !second.isAlone && second.name != first.name {
                let isKnown = starts.contains {
                    $0.alterations[0].name == second.name && $0.alterations[1].name == first.name
                }
                guard let slopes, !isKnown else { continue }
                let rest = second.isWhole ? left - slopes[0] : left
                let columns = own + (second.isWhole ? [] : slopes)
                guard let weights = rest.weights(of: columns) else { continue }
                starts.append(
                    (
                        [first, second], [one.amounts[0], second.amounts(Array(weights.suffix(second.steps.count)))],
                        1 - rest.without(columns, weights: weights).squares / squares
                    ))
            }
        }
        starts.sort { $0.explained > $1.explained }
        func rank(_ two: Explanation) -> Double { (two.explained - 1) * (1 + Self.priceOfANumberOfTwo * two.numbers) }
        let tried = Array(starts.prefix(Self.mostPairs))
        let begun = Threads.map(tried.count) { fit(tried[$0].alterations, from: tried[$0].amounts, steps: 1) }
            .compactMap(\.self).sorted { rank($0) > rank($1) }
        return Threads.map(min(begun.count, Self.mostFitted)) { fit(begun[$0].alterations, from: begun[$0].amounts) }
            .compactMap(\.self).max { rank($0) < rank($1) }
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

    /// Alterations by some amounts, of which a picture is known.
    private func explanation(
        _ alterations: [SceneAlteration], _ amounts: [[Double]], _ image: BlockSamples
    ) -> Explanation {
        let change = image - drawn
        return Explanation(
            alterations: alterations, amounts: amounts, explained: 1 - (target - change).squares / squares,
            others: target.pixels(unlike: change, by: Self.leastOther))
    }

    /// Gauss and Newton's method: coverage is not linear, so what is left is fitted again.
    ///
    /// - Parameter steps: How often at most.
    private func fit(_ alterations: [SceneAlteration], from start: [[Double]], steps: Int = 6) -> Explanation? {
        // A change that is larger than some pixels is nothing that a fit of small ones finds.
        guard zip(alterations, start).allSatisfy({ $0.isNear($1) }), var image = picture(alterations, start) else {
            return nil
        }
        var amounts = start
        var best = explanation(alterations, amounts, image)
        // One change that explains almost all is known well enough; the smaller one of two is not yet.
        for _ in 0..<steps where alterations.count > 1 || best.explained < 0.9995 || best.others > 0 {
            guard let slopes = self.slopes(of: alterations, at: amounts, image), !slopes.isEmpty,
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
            let now = explanation(alterations, amounts, image)
            if now.explained > best.explained { best = now }
            if moved < 0.01 { break }
        }
        let isWorthIt = zip(alterations, best.amounts).allSatisfy { alteration, amounts in
            alteration.isWhole
                || alteration.isNear(amounts) && amounts.contains { abs($0) >= alteration.least }
        }
        return isWorthIt ? best : nil
    }

    /// Whether an explanation of another block explains something here, too, and adds no difference.
    private func allows(_ explanation: Explanation) -> Bool {
        let (alterations, amounts) = (explanation.alterations, explanation.amounts)
        return picture(alterations, amounts).map { self.explanation(alterations, amounts, $0).explained >= 0.6 }
            ?? false
    }
}

extension SampledBlock {
    /// These pixels as the reference renderer draws them; nil where it can't.
    func drawn(_ scene: Scene, _ images: [ImagePath: Image]) -> BlockSamples? {
        guard !block.isEmpty else { return nil }
        return (try? Oracle().render(scene, images: images, block: block, everyRow: step)).map { BlockSamples($0) }
    }
}
