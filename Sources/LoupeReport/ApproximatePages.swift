import LoupeFiles
import LoupeImaging

/// The whole pictures of a page stored with losses, for a page of hundreds of photographs, which would be too large to be
/// sent otherwise.
///
/// Near the pixels in which a reference and its actual picture differ both stay exact: there, the picture with losses is
/// replaced by the pixels themselves.
struct ApproximatePages {
    /// Two pictures that are compared, by their numbers; of a picture that has no other one, twice its own.
    struct Pair: Hashable, Sendable {
        let reference: Int
        let actual: Int
    }

    /// A whole picture that could be stored with losses.
    private struct Candidate: Sendable {
        let root: Int
        /// What is then stored for the pictures that are a change of it, and for itself where a case shows it: exact parts.
        let parts: [Int: PackedPicture]
        /// How many bytes it may take with losses before this saves nothing; below 0 where the exact parts take more than all
        /// of it without losses.
        let worth: Int
    }

    /// How many pixels around those that differ are exact.
    private static let margin = 4
    /// How many bytes a picture with losses has at the least.
    private static let leastSize = 1000

    private let given: [GivenPicture]
    private let packed: [PackedPicture]
    private let pairs: Set<Pair>

    /// - Parameters:
    ///   - packed: The pictures without losses.
    ///   - pairs: What the cases show.
    init(given: [GivenPicture], packed: [PackedPicture], pairs: Set<Pair>) {
        (self.given, self.packed, self.pairs) = (given, packed, pairs)
    }

    /// The pictures, the largest of them with losses; others that these need follow.
    /// - Parameter limit: About how many bytes all may take. They take more where the exact parts alone do.
    func packed(within limit: Int) -> [PackedPicture] {
        var pairsOfRoot: [Int: [Pair]] = [:]
        var mixed: Set<Int> = []
        for pair in pairs {
            let (root, other) = (root(of: pair.reference), root(of: pair.actual))
            pairsOfRoot[root, default: []].append(pair)
            if root != other { mixed.formUnion([root, other]) }
        }
        let room = limit - packed.reduce(0) { $0 + $1.bytes.count }
        let groups = largest(pairsOfRoot.filter { !mixed.contains($0.key) }, toSave: -room)
        let candidates = Threads.map(groups.count) { candidate(groups[$0].key, groups[$0].value) }.compactMap(\.self)
        let most = Self.most(of: candidates.map(\.worth), within: candidates.reduce(room) { $0 + $1.worth })
        let approximated = candidates.filter { $0.worth > most }
        let lossy = Threads.map(approximated.count) { index in
            given[approximated[index].root].image.flatMap { WebP.encode($0, size: Int32(most)) }
        }
        var result = packed
        for case (let candidate, let lossy?) in zip(approximated, lossy) {
            let whole = PackedPicture(bytes: lossy)
            let isShown = candidate.parts[candidate.root] != nil
            let number = isShown ? result.count : candidate.root
            for (part, stored) in candidate.parts {
                result[part] = stored
                result[part].change?.base = number
            }
            if isShown { result.append(whole) } else { result[number] = whole }
        }
        return result
    }

    /// The largest whole pictures with what belongs to them: as many as have three times the bytes to be saved, so that what
    /// is much smaller need not be looked at.
    private func largest(_ groups: [Int: [Pair]], toSave bytes: Int) -> [(key: Int, value: [Pair])] {
        var sum = 0
        let sorted = groups.sorted { (packed[$1.key].bytes.count, $0.key) < (packed[$0.key].bytes.count, $1.key) }
        return Array(
            sorted.prefix { group in
                defer { sum += packed[group.key].bytes.count }
                return sum < 3 * bytes
            })
    }

    /// How much of each amount can be had so that all take no more than there is room for, where those below it are had in full.
    private static func most(of amounts: [Int], within room: Int) -> Int {
        var (room, left) = (room, amounts.count)
        for amount in amounts.sorted() {
            if amount * left > room { return max(room / left, leastSize) }
            (room, left) = (room - amount, left - 1)
        }
        return .max
    }

    /// The number of the whole picture that a picture is a change of, by one step or more.
    private func root(of number: Int) -> Int {
        packed[number].change.map { root(of: $0.base) } ?? number
    }

    /// The number of the picture that is to be exact where another one is: it, or one that it is a change of.
    private func top(of number: Int, below root: Int, isShown: Bool) -> Int {
        guard let change = packed[number].change, isShown || change.base != root else { return number }
        return top(of: change.base, below: root, isShown: isShown)
    }

    /// - Returns: nil where a picture can't be read, or is not opaque.
    private func candidate(_ root: Int, _ pairs: [Pair]) -> Candidate? {
        guard let whole = given[root].image, whole.isOpaque else { return nil }
        let isShown = pairs.contains { $0.reference == root || $0.actual == root }
        var masks: [Int: PixelMask] = [:]
        for pair in pairs {
            guard let one = given[pair.reference].image, let other = given[pair.actual].image else { return nil }
            let mask = PixelMask(one, other).grown(by: Self.margin)
            for number in [pair.reference, pair.actual] {
                masks[top(of: number, below: root, isShown: isShown), default: mask].formUnion(mask)
            }
        }
        var parts: [Int: PackedPicture] = [:]
        for (number, near) in masks {
            guard let image = given[number].image else { return nil }
            var mask = PixelMask(image, whole)
            mask.formUnion(near)
            guard let block = mask.block else {
                parts[number] = PackedPicture(bytes: [], change: .init(same: root))
                continue
            }
            guard let bytes = WebP.encode(image.cut(mask, block)) else { return nil }
            parts[number] = PackedPicture(bytes: bytes, change: .init(kind: .over, base: root, block: block))
        }
        let lossless = Set(parts.keys).union([root]).reduce(0) { $0 + packed[$1].bytes.count }
        return Candidate(root: root, parts: parts, worth: lossless - parts.values.reduce(0) { $0 + $1.bytes.count })
    }
}
