/// The parts of a loupe picture that a difference is attributed to; `RegionMap` says which pixel is which.
public enum PictureRegion: String, Hashable, Sendable, CaseIterable {
    /// A loupe's rim with its feathered borders; of a loupe without a rim, the feathered border of its disc.
    case rim
    /// The straight part of a layer's outline, in the view that shows the pixel.
    case pageEdge = "page-edge"
    /// The curved part of a layer's outline, in the view that shows the pixel.
    case corner
    /// Anything else in a loupe's disc.
    case loupeInterior = "loupe-interior"
    /// Inside a layer, outside all loupes.
    case page
    /// Outside all layers and loupes, shadows included.
    case background
}

extension PictureRegion {
    /// Its place among `allCases`.
    var place: Int {
        switch self {
        case .rim: 0
        case .pageEdge: 1
        case .corner: 2
        case .loupeInterior: 3
        case .page: 4
        case .background: 5
        }
    }
}
