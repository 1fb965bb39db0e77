/// Up to which difference of a channel, 0…255, a pixel counts as the same.
public struct Tolerance: Hashable, Sendable {
    /// Where no region says otherwise.
    public var base: Int
    /// For parts of the picture.
    public var regions: [PictureRegion: Int]

    public init(_ base: Int = 0, regions: [PictureRegion: Int] = [:]) {
        self.base = base
        self.regions = regions
    }

    public static let range: ClosedRange<Int> = 0...255

    public subscript(region: PictureRegion?) -> Int {
        region.flatMap { regions[$0] } ?? base
    }

    /// The same with another base, below which no region's value lies.
    func based(on base: Int) -> Tolerance {
        Tolerance(base, regions: regions.mapValues { max($0, base) })
    }
}

extension Tolerance: CustomStringConvertible {
    /// As the command line writes it: `2` or `2,rim=3,page-edge=3`.
    public var description: String {
        let parts = PictureRegion.allCases.compactMap { region in regions[region].map { "\(region.rawValue)=\($0)" } }
        return (["\(base)"] + parts).joined(separator: ",")
    }
}
