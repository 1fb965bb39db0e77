import LoupeBase
import LoupeImaging
import LoupeScene

/// The pictures of a figure of crops, compared with the first of them.
package struct CropsComparison: Sendable {
    /// The reference, then the methods.
    private let pictures: [Image]
    /// By region, then by picture.
    private let crops: [[Image]]

    /// - Parameters:
    ///   - pictures: The reference, then the methods, all opaque and of one size.
    ///   - regions: Within the pictures.
    package init(_ pictures: [Image], regions: [PixelRect]) {
        self.pictures = pictures
        crops = regions.map { region in
            pictures.map { $0.cropped(x: region.minX, y: region.minY, width: region.width, height: region.height) }
        }
    }

    /// The numbers of the whole pictures and of the crops, each taken as a picture of its own.
    package func measures(_ metrics: [CropMetric]) throws(DiffError) -> [CropsFigure.Measure] {
        try metrics.map { (metric) throws(DiffError) in
            let (title, isHigherBetter, decimals) = metric.style
            return CropsFigure.Measure(
                name: metric.name, title: title, isHigherBetter: isHigherBetter, decimals: decimals,
                whole: try Self.values(of: metric, pictures),
                regions: try crops.map { (crops) throws(DiffError) in try Self.values(of: metric, crops) })
        }
    }

    /// Pictures of where the crops differ, by method, then by region.
    package func maps(_ map: CropMap) throws(DiffError) -> [[Image]] {
        let largest = try crops.map { (crops) throws(DiffError) in
            map == .difference ? try Self.values(of: .diff(.channel), crops) : []
        }
        let byRegion = try crops.map { (crops) throws(DiffError) in
            try map.pictures(
                Array(crops.dropFirst()), reference: crops[0], brightest: largest.joined().reduce(1, max))
        }
        return pictures.indices.dropFirst().map { method in byRegion.map { $0[method - 1] } }
    }

    private static func values(of metric: CropMetric, _ pictures: [Image]) throws(DiffError) -> [Double] {
        try metric.values(Array(pictures.dropFirst()), reference: pictures[0])
    }
}

extension Image {
    /// The picture on white paper.
    package var overWhite: Image {
        if isOpaque { return flattened }
        var paper = Image(width: width, height: height, pixels: [UInt8](repeating: 255, count: 4 * width * height))
        paper.sourceOver(self, x: 0, y: 0)
        return paper
    }
}
