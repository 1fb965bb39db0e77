import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// The colours of a page, read from decoded images.
extension PageColors {
    /// The colours where all images are in memory.
    func colors(_ images: [ImagePath: Image]) -> [Color] {
        colors { images[$0].map(Self.texels) }
    }

    static func texels(of image: Image) -> Texels {
        let (pixels, width) = (image.pixels, image.width)
        return (image.size, { pixels.color(at: ($1 * width + $0) * 4) })
    }

    /// The texels of an image under the points.
    func texels(of path: ImagePath, _ size: ImageSize) -> TexelSamples {
        let layers = scene.layers.filter { $0.imagePath == path }
        let places = layers.flatMap { layer in
            points.filter(layer.bounds.contains).flatMap { layer.texels(at: $0, of: size) }
        }
        return TexelSamples(size: size, places)
    }
}

/// Some texels of an image that is read in bands of rows.
final class TexelSamples {
    let size: ImageSize
    /// By row, then by column.
    private var colors: [Int: [Int: Color]] = [:]

    fileprivate init(size: ImageSize, _ places: [(x: Int, y: Int)]) {
        self.size = size
        for place in places { colors[place.y, default: [:]][place.x] = .transparent }
    }

    /// Takes what it needs of a band of rows, straight RGBA.
    func take(_ band: UnsafeRawBufferPointer, rows: Range<Int>) {
        for y in rows {
            for x in (colors[y] ?? [:]).keys {
                colors[y]?[x] = band.color(at: ((y - rows.lowerBound) * size.width + x) * 4)
            }
        }
    }

    var texels: PageColors.Texels { (size, { [colors] x, y in colors[y]?[x] ?? .transparent }) }
}

extension Collection<UInt8> where Index == Int {
    /// The straight RGBA of four bytes.
    fileprivate func color(at index: Int) -> Color {
        Color(red: self[index], green: self[index + 1], blue: self[index + 2], alpha: self[index + 3])
    }
}

extension Image {
    /// The colour of more than half of the outermost pixels, all of which are opaque; nil where there is none.
    package var edgeColor: Color? {
        var counts: [Color: Int] = [:]
        func count(_ x: Int, _ y: Int) { counts[pixels.color(at: 4 * (y * width + x)), default: 0] += 1 }
        let pixels = pixels
        for y in Set([0, height - 1]) { for x in 0..<width { count(x, y) } }
        for x in Set([0, width - 1]) { for y in 1..<max(1, height - 1) { count(x, y) } }
        let total = counts.values.reduce(0, +)
        guard let (color, most) = counts.max(by: { $0.value < $1.value }), 2 * most > total,
            counts.keys.allSatisfy({ $0.alpha == 255 })
        else { return nil }
        return color
    }
}

extension ImageFile {
    /// ``Image/edgeColor`` of the image, which is decoded for this and for who draws it next; nil for one that is read row by row.
    /// - Throws: `ImageError`.
    package func edgeColor(maxPixels: Int?) throws -> Color? {
        var options = RenderOptions()
        options.maxPixels = maxPixels
        return ImageSource.isLarge(self, from: options.streamFrom)
            ? nil : try imageKept(limits: options.heldLimits).edgeColor
    }
}

extension SceneFile {
    /// The complete scene, by its images.
    func completed(by held: SceneImages) -> Scene {
        completed(held.scene, by: held.images, traits: held.traits)
    }

    /// The complete scene, by images in memory.
    /// - Parameters:
    ///   - scene: This file's, with its filters chosen.
    ///   - traits: those of the images.
    func completed(_ scene: Scene, by images: [ImagePath: Image], traits: [ImagePath: ImageTraits]) -> Scene {
        // Whether a vector picture is opaque is known from its pixels only.
        let isOpaque = images.allSatisfy { path, image in
            image.vector == nil ? traits[path]?.isOpaque == true : image.isOpaque
        }
        return completed(scene, isOpaque: isOpaque) { $0.colors(images) }
    }

    /// The complete scene.
    /// - Parameters:
    ///   - scene: This file's, with its filters chosen.
    ///   - isOpaque: whether all images are.
    ///   - read: returns the colours that the style takes from the images.
    func completed(_ scene: Scene, isOpaque: Bool, _ read: (PageColors) -> [Color]) -> Scene {
        var scene = scene
        if keepsTransparency, !isOpaque { scene.canvas.background = .color(.transparent) }
        guard let style, let page = probed else { return scene }
        return style.colored(scene, page: read(PageColors(scene: scene, points: page.points)))
    }

    /// The points of the page that the style has to look at; nil where it looks at none.
    var probed: PageColors? {
        guard let points = style?.probes(of: scene), !points.isEmpty else { return nil }
        return PageColors(scene: scene, points: points)
    }

    /// The complete scene, for which the images are decoded where that is necessary.
    /// - Throws: `ImageError`; `PipelineError.tooManyPixels`.
    public func completeScene(_ options: RenderOptions = RenderOptions()) throws -> Scene {
        guard keepsTransparency || probed != nil else { return scene }
        let page = probed ?? PageColors(scene: scene, points: [])
        let large = try images.large(among: scene.imagePaths, from: options.streamFrom)
        var texels: [ImagePath: PageColors.Texels] = [:]
        var isOpaque = true
        for path in large {
            let rows = try images.rows(of: path, limits: options.streamedLimits)
            let samples = page.texels(of: path, ImageSize(width: rows.width, height: rows.height))
            try rows.forEachConvertedBand { band, rows in
                samples.take(band, rows: rows)
                isOpaque = isOpaque && stride(from: 3, to: band.count, by: 4).allSatisfy { band[$0] == 255 }
            }
            texels[path] = samples.texels
        }
        let held = try images.load(scene.imagePaths.filter { !large.contains($0) }, limits: options.heldLimits)
        isOpaque = isOpaque && held.values.allSatisfy(\.isOpaque)
        return completed(scene, isOpaque: isOpaque) { page in
            page.colors { texels[$0] ?? held[$0].map(PageColors.texels) }
        }
    }
}
