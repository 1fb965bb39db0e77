import LoupeFiles
import LoupeImaging

/// The largest whole pictures of a page stored with losses, for a page of hundreds of photographs, which would be too large
/// to be sent otherwise.
///
/// Near the pixels in which a reference and its actual picture differ both stay exact: there, the picture with losses is
/// replaced by the pixels themselves.
struct ApproximatePages {
    /// Two pictures that are compared, by their numbers; of a picture that is compared with none, twice its own.
    struct Pair: Hashable, Sendable {
        let reference: Int
        let actual: Int
    }

    /// A picture that is stored as a change of a whole one, or is that itself. Others may be changes of it in turn.
    private struct Top: Hashable, Sendable {
        let number: Int
        /// The number of the whole picture.
        let root: Int
    }

    /// What has to be exact in a top.
    private struct Needs: Sendable {
        /// Near the pixels in which these differ; all of it for a picture that is compared with none.
        var pairs: Set<Pair> = []
        /// What other pictures replace of it, as far as they are exact there themselves.
        var blocks: [PagePictures.Change] = []
    }

    /// A whole picture that could be stored with losses.
    private struct Candidate {
        let root: Int
        /// What is then stored for the pictures that are a change of it, and for itself where a case shows it: exact parts.
        var parts: [Int: PackedPicture] = [:]
        /// How many bytes it may take with losses before this saves nothing; below 0 where the exact parts take more than all
        /// of it without losses.
        var worth: Int
    }

    /// How many pixels around those that differ are exact.
    private static let margin = 4
    /// How many bytes a picture with losses has at the least.
    private static let leastSize = 1000

    private let given: [GivenPicture]
    private let packed: [PackedPicture]
    private let pairs: Set<Pair>
    /// The numbers of the pictures that cases show.
    private let shown: Set<Int>

    /// - Parameters:
    ///   - packed: The pictures without losses.
    ///   - pairs: What the cases show.
    init(given: [GivenPicture], packed: [PackedPicture], pairs: Set<Pair>) {
        (self.given, self.packed, self.pairs) = (given, packed, pairs)
        shown = Set(pairs.flatMap { [$0.reference, $0.actual] })
    }

    /// The pictures, the largest of them with losses; others that these need follow. Nil where none is smaller with losses.
    /// - Parameter limit: About how many bytes all may take. They take more where the exact parts alone do.
    func packed(within limit: Int) -> [PackedPicture]? {
        let room = limit - packed.reduce(0) { $0 + $1.bytes.count }
        let candidates = candidates(toSave: -room)
        let most = Self.most(of: candidates.map(\.worth), within: candidates.reduce(room) { $0 + $1.worth })
        let worthy = candidates.filter { $0.worth > most }
        let roots = worthy.map { given[$0.root] }
        let lossy = Threads.map(roots.count) { roots[$0].image.flatMap { WebP.encode($0, size: Int32(most)) } }
        var result: [PackedPicture]?
        for case (let candidate, let bytes?) in zip(worthy, lossy) where bytes.count < candidate.worth {
            var pictures = result ?? packed
            let isShown = shown.contains(candidate.root)
            let number = isShown ? pictures.count : candidate.root
            for (part, stored) in candidate.parts {
                pictures[part] = stored
                pictures[part].change?.base = number
            }
            let whole = PackedPicture(bytes: bytes)
            if isShown { pictures.append(whole) } else { pictures[number] = whole }
            result = pictures
        }
        return result
    }

    /// The largest amount that each may have so that all have room; smaller ones are taken whole.
    private static func most(of amounts: [Int], within room: Int) -> Int {
        var (room, left) = (room, amounts.count)
        for amount in amounts.sorted() {
            if amount * left > room { return max(room / left, leastSize) }
            (room, left) = (room - amount, left - 1)
        }
        return .max
    }

    // MARK: - Exact parts

    /// The largest whole pictures: as many as have three times the bytes to be saved, so that what is much smaller need not be
    /// looked at.
    private func candidates(toSave bytes: Int) -> [Candidate] {
        let needs = needs
        let roots = Set(needs.keys.map(\.root)).sorted {
            (packed[$1].bytes.count, $0) < (packed[$0].bytes.count, $1)
        }
        var sum = 0
        let largest = roots.prefix { root in
            defer { sum += packed[root].bytes.count }
            return sum < 3 * bytes
        }
        let tops = needs.filter { largest.contains($0.key.root) }.sorted { $0.key.number < $1.key.number }
        let parts = Threads.map(tops.count) { part(tops[$0].key, tops[$0].value) }
        var candidates = Dictionary(
            uniqueKeysWithValues: largest.map { ($0, Candidate(root: $0, worth: packed[$0].bytes.count)) })
        for (top, part) in zip(tops.map(\.key), parts) {
            guard let part else {
                candidates[top.root] = nil
                continue
            }
            candidates[top.root]?.parts[top.number] = part
            let lossless = top.number == top.root ? 0 : packed[top.number].bytes.count
            candidates[top.root]?.worth += lossless - part.bytes.count
        }
        return largest.compactMap { candidates[$0] }
    }

    /// What has to be exact of each top.
    private var needs: [Top: Needs] {
        var needs: [Top: Needs] = [:]
        for pair in pairs {
            let (one, other) = (way(of: pair.reference), way(of: pair.actual))
            // Pictures of different sizes have no pixel in common.
            let isCompared = one.top.root == other.top.root
            for (number, way) in [(pair.reference, one), (pair.actual, other)] {
                needs[way.top, default: Needs()].pairs.insert(
                    isCompared ? pair : Pair(reference: number, actual: number))
                needs[way.top]?.blocks += way.blocks
            }
        }
        return needs
    }

    /// The top whose pixels a picture shows, and what is replaced of it on the way.
    private func way(of number: Int) -> (top: Top, blocks: [PagePictures.Change]) {
        guard let change = packed[number].change else { return (Top(number: number, root: number), []) }
        let base = way(of: change.base)
        if base.top.number == base.top.root, !shown.contains(base.top.root) {
            return (Top(number: number, root: base.top.root), [])
        }
        return (base.top, base.blocks + (change.kind == .replace ? [change] : []))
    }

    /// The exact part of a top, as a change of the whole picture; nil where a picture can't be read or is not opaque.
    private func part(_ top: Top, _ needs: Needs) -> PackedPicture? {
        guard let whole = given[top.root].image, let image = given[top.number].image, whole.isOpaque, image.isOpaque
        else { return nil }
        var mask = PixelMask(image, whole)
        for pair in needs.pairs {
            guard let one = given[pair.reference].image, let other = given[pair.actual].image else { return nil }
            if pair.reference == pair.actual {
                mask.formUnion((0..<image.width, 0..<image.height))
            } else {
                mask.formUnion(PixelMask(one, other).grown(by: Self.margin))
            }
        }
        for block in needs.blocks {
            mask.formUnion((block.x..<block.x + block.width, block.y..<block.y + block.height))
        }
        guard let block = mask.block else { return PackedPicture(bytes: [], change: .init(same: top.root)) }
        return WebP.encode(image.cut(mask, block)).map {
            PackedPicture(bytes: $0, change: .init(kind: .over, base: top.root, block: block))
        }
    }
}
