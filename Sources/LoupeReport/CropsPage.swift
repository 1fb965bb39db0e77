import LoupeBase
import LoupeCompare
import LoupeFigure
import LoupeImaging
import LoupeScene

extension HTMLPage {
    /// The page of a figure of crops: all pictures side by side, under one loupe.
    /// - Parameter pictures: The reference, then the methods.
    /// - Throws: `ImageError` if memory is short.
    package init(_ figure: CropsFigure, _ pictures: [Image]) throws(ImageError) {
        self.init(
            template: PackageResources.live_html, title: "loupe-render crops", body: PackageResources.crops_html,
            style: PackageResources.viewer_css + PackageResources.crops_css,
            script: [
                PackageResources.pictures_js, PackageResources.viewer_js, PackageResources.lens_js,
                PackageResources.crops_js,
            ],
            data: [
                ("names", .array(figure.subjects.map { .string($0.name) })),
                ("measures", .array(figure.measures.map { $0.pageData })), ("colors", CropsFigure.pageColors),
                ("regions", figure.json.value(at: "regions") ?? .null),
            ])
        payloads = try pictures.enumerated().map { (index, picture) throws(ImageError) in
            ("picture-\(index)", Base64.encode(try PNG.encode(picture)))
        }
    }
}

extension CropsFigure {
    /// The colours of regions, as style sheets have them.
    static var pageColors: JSONValue { .array(palette.map { .string($0.hex) }) }
}

extension CropsFigure.Measure {
    /// The name, and the texts of the whole pictures and of each region, with whether each is the best.
    fileprivate var pageData: JSONValue {
        let places = ([whole] + regions).map { values in
            JSONValue.array(texts(of: values).map { .array([.string($0.text), .bool($0.isBest)]) })
        }
        return ["label": .string(label), "places": .array(places)]
    }
}
