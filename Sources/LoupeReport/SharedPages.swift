import LoupeFiles
import LoupeImaging
import LoupeVerify

/// The pages that several pictures show behind what differs from picture to picture, such as a loupe in other places.
///
/// A page is put together of tiles: of each tile the form that most of its pictures have. So it also shows what a loupe
/// hides in each single picture, and a picture is stored as its loupe alone.
struct SharedPages {
    /// A page that at least two pictures share, as a PNG.
    private(set) var pages: [[UInt8]] = []
    /// By the picture's index, the index of its page; nil for a picture that shares none.
    private(set) var pageOfPicture: [Int?]

    /// How large a part of its tiles a picture has to share with another one; tiles of one colour do not count.
    private static let leastShared = 0.3

    /// - Parameter pictures: PNGs in base64; nil where there is none.
    init(of pictures: [String?]) {
        let prints = Threads.map(pictures.count) {
            pictures[$0].flatMap { GivenPicture.base64($0).image }.map(TilePrints.init)
        }
        let groups = Self.groups(prints)
        pageOfPicture = pictures.map { _ in nil }
        for group in groups where group.count > 1 {
            guard let page = Self.page(group, prints, pictures),
                let png = try? PNG.encode(page, options: PNGOptions(effort: .fast))
            else { continue }
            for index in group { pageOfPicture[index] = pages.count }
            pages.append(png)
        }
    }

    /// The indices of pictures that share tiles. Each picture joins the group with which it shares most.
    private static func groups(_ prints: [TilePrints?]) -> [[Int]] {
        var groups: [[Int]] = []
        var groupOfTile: [TilePrints.Tile: Int] = [:]
        for (index, print) in prints.enumerated() {
            guard let print else { continue }
            var shared: [Int: Int] = [:]
            for tile in print.variedTiles {
                if let group = groupOfTile[tile] { shared[group, default: 0] += 1 }
            }
            var group = groups.count
            if let best = shared.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }),
                Double(best.value) >= leastShared * Double(print.variedTiles.count)
            {
                group = best.key
                groups[group].append(index)
            } else {
                groups.append([index])
            }
            for tile in print.variedTiles where groupOfTile[tile] == nil { groupOfTile[tile] = group }
        }
        return groups
    }

    /// The most frequent form of each tile, from the first picture that has it; nil where a picture can't be read again.
    private static func page(_ group: [Int], _ prints: [TilePrints?], _ pictures: [String?]) -> Image? {
        guard let first = prints[group[0]] else { return nil }
        var sources: [Int: [Int]] = [:]
        for tile in first.hashes.indices {
            var counts: [UInt64: (count: Int, first: Int)] = [:]
            for index in group {
                guard let hash = prints[index]?.hashes[tile] else { continue }
                counts[hash, default: (0, index)].count += 1
            }
            let most = counts.values.max { ($0.count, $1.first) < ($1.count, $0.first) }
            sources[most?.first ?? group[0], default: []].append(tile)
        }
        let count = first.width * first.height * 4
        var page = Image(width: first.width, height: first.height, pixels: [UInt8](repeating: 0, count: count))
        for (source, tiles) in sources {
            guard let image = pictures[source].flatMap({ GivenPicture.base64($0).image }) else { return nil }
            for block in tiles.map(first.block) {
                page.replaceBlock(
                    x: block.columns.lowerBound, y: block.rows.lowerBound, with: image.cropped(to: block))
            }
        }
        return page
    }
}

/// Hashes of a picture's tiles.
private struct TilePrints: Sendable {
    /// A tile of a picture of some size at some place.
    struct Tile: Hashable {
        let width: Int
        let height: Int
        let index: Int
        let hash: UInt64
    }

    /// In pixels.
    let width: Int
    let height: Int
    /// In reading order.
    private(set) var hashes: [UInt64] = []
    /// Those that have more than one colour.
    private(set) var variedTiles: [Tile] = []

    /// The side of a tile, in pixels.
    private static let side = 16

    init(of image: Image) {
        (width, height) = (image.width, image.height)
        for index in 0..<Self.count(width) * Self.count(height) {
            let (hash, isVaried) = image.hash(of: block(index))
            hashes.append(hash)
            if isVaried { variedTiles.append(Tile(width: width, height: height, index: index, hash: hash)) }
        }
    }

    private static func count(_ length: Int) -> Int { (length + side - 1) / side }

    /// The pixels of a tile.
    func block(_ index: Int) -> PixelMask.Block {
        let left = index % Self.count(width) * Self.side
        let top = index / Self.count(width) * Self.side
        return (left..<min(left + Self.side, width), top..<min(top + Self.side, height))
    }
}

extension Image {
    /// A hash of a block's pixels, and whether they have more than one colour.
    fileprivate func hash(of block: PixelMask.Block) -> (hash: UInt64, isVaried: Bool) {
        pixels.withUnsafeBytes { bytes in
            let words = bytes.assumingMemoryBound(to: UInt32.self)
            let first = words[block.rows.lowerBound * width + block.columns.lowerBound]
            var (hash, isVaried) = (UInt64(0), false)
            for row in block.rows {
                for index in row * width + block.columns.lowerBound..<row * width + block.columns.upperBound {
                    isVaried = isVaried || words[index] != first
                    hash = (hash ^ UInt64(words[index])) &* 0x9e37_79b9_7f4a_7c15
                    hash ^= hash >> 29
                }
            }
            return (hash, isVaried)
        }
    }
}
