import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeScene

/// A picture of a figure of crops.
package struct CropPicture: Sendable {
    /// What the figure shows: opaque, with 8 bits a channel.
    package let shown: Image
    /// The light that it is a picture of, where its file has that.
    let light: LinearImage?

    /// A picture, on white paper where it is translucent.
    package init(_ image: Image) { (shown, light) = (image.overWhite, nil) }

    /// Linear light, shown times 2^exposure.
    package init(_ light: LinearImage, exposure: Double) {
        (shown, self.light) = (light.shown(exposure: exposure), light)
    }

    fileprivate init(_ region: PixelRect, of picture: CropPicture) {
        let (x, y, width, height) = (region.minX, region.minY, region.width, region.height)
        shown = picture.shown.cropped(x: x, y: y, width: width, height: height)
        light = picture.light?.cropped(x: x, y: y, width: width, height: height)
    }

    /// The errors of HDR-FLIP; nil for pictures without linear light.
    static func errors(_ actuals: [CropPicture], reference: CropPicture) -> [[Float]]? {
        let lights = actuals.compactMap(\.light)
        guard let light = reference.light, lights.count == actuals.count else { return nil }
        return HDRFLIP.errors(lights, reference: light)
    }
}

/// The pictures of a figure of crops, compared with the first of them.
package struct CropsComparison: Sendable {
    /// The reference, then the methods.
    private let pictures: [CropPicture]
    /// By region, then by picture.
    private let crops: [[CropPicture]]

    /// - Parameters:
    ///   - pictures: The reference, then the methods, all of one size.
    ///   - regions: Within the pictures.
    package init(_ pictures: [CropPicture], regions: [PixelRect]) {
        self.pictures = pictures
        crops = regions.map { region in pictures.map { CropPicture(region, of: $0) } }
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

    private static func values(of metric: CropMetric, _ pictures: [CropPicture]) throws(DiffError) -> [Double] {
        try metric.values(Array(pictures.dropFirst()), reference: pictures[0])
    }
}

extension Image {
    /// The picture on white paper.
    var overWhite: Image {
        if isOpaque { return flattened }
        var paper = Image(width: width, height: height, pixels: [UInt8](repeating: 255, count: 4 * width * height))
        paper.sourceOver(self, x: 0, y: 0)
        return paper
    }
}
