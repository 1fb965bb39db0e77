import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupeRenderer
import LoupeScene
import Testing

/// What a drawn figure of crops shows.
@Suite struct CropsPictureTests {
    private static func picture(_ seed: Int) -> Image {
        let pixels = (0..<160 * 120).flatMap { pixel -> [UInt8] in
            let (red, blue) = (UInt8(truncatingIfNeeded: pixel * (7 + seed)), UInt8(truncatingIfNeeded: pixel / 3))
            return [red, UInt8(pixel % 160), blue, 255]
        }
        return Image(width: 160, height: 120, pixels: pixels)
    }

    /// On the device and by the reference renderer, each pixel of a region is a square of that colour and nothing else.
    @Test(arguments: [false, true]) func cropsAreThePicturesOwnPixels(usesOracle: Bool) throws {
        let images = Dictionary(uniqueKeysWithValues: (0..<3).map { (ImagePath("\($0).png"), Self.picture($0)) })
        let regions = [
            PixelRect(minX: 0, minY: 0, maxX: 24, maxY: 16), PixelRect(minX: 133, minY: 97, maxX: 157, maxY: 120),
        ]
        var figure = CropsFigure(
            size: ImageSize(width: 160, height: 120),
            subjects: (0..<3).map { CropsFigure.Subject(name: "m\($0)", image: ImagePath("\($0).png")) },
            regions: regions, measures: [])
        figure.zoom = 5
        let scene = try figure.scene()
        var options = RenderOptions()
        options.usesOracle = usesOracle
        let drawn = try Pipeline().render(scene, images: images, options: options).image
        let crops = scene.layers.filter { $0.crop != nil }
        try #require(crops.count == 6)
        for (index, layer) in crops.enumerated() {
            let (picture, region) = (Self.picture(index / 2), regions[index % 2])
            let crop = try #require(layer.crop)
            let shown = drawn.cropped(
                x: Int(crop.minX), y: Int(crop.minY), width: Int(crop.width), height: Int(crop.height))
            var own: [UInt8] = []
            for y in 0..<5 * region.height {
                for x in 0..<5 * region.width {
                    let pixel = (region.minY + y / 5) * 160 + region.minX + x / 5
                    own += picture.pixels[4 * pixel..<4 * pixel + 4]
                }
            }
            #expect(shown.pixels == own, "crop \(index)")
        }
    }
}
