import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeScene

/// The colours of a scene's page at some points of the canvas, read from the texels under them. Where the page is drawn
/// smaller than it is, each is the mean of texels under a pixel of the canvas.
struct PageColors {
    let scene: Scene
    let points: [Point]

    /// An image's size, and its texels by column and row.
    typealias Texels = (size: ImageSize, color: (_ x: Int, _ y: Int) -> Color)

    /// One opaque colour for each point: the layers over the background, over white where that is translucent.
    func colors(_ texels: (ImagePath) -> Texels?) -> [Color] {
        var known: [ImagePath: Texels] = [:]
        for path in scene.imagePaths { known[path] = texels(path) }
        return points.map { point in
            var color = scene.backdrop(at: point).over(.defaultRim)
            for layer in scene.layers where layer.bounds.contains(point) {
                var top: Color
                switch layer.content {
                case .fill(let fill): top = fill
                case .image(let path):
                    guard let image = known[path] else { continue }
                    top = .mean(of: layer.texels(at: point, of: image.size).map { image.color($0.x, $0.y) })
                }
                top.alpha = UInt8((Double(top.alpha) * layer.opacity).rounded())
                color = top.over(color)
            }
            return color
        }
    }

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

extension Scene {
    /// The background at a canvas point.
    fileprivate func backdrop(at point: Point) -> Color {
        switch canvas.background {
        case .color(let color): return color
        case .gradient(let gradient):
            let share = gradient.position(of: point, width: Double(canvas.width), height: Double(canvas.height))
            return .mixed(gradient.from, gradient.to, share: share.clamped(to: 0...1))
        }
    }
}

extension Color {
    /// The mean of some colours, each weighted by its alpha.
    fileprivate static func mean(of colors: [Color]) -> Color {
        if colors.count == 1 { return colors[0] }
        let sum = colors.reduce(SIMD4<Double>.zero) { $0 + $1.premultiplied }
        return Color(premultiplied: sum / Double(colors.count))
    }

    /// - Parameter share: of the second colour, 0 … 1.
    fileprivate static func mixed(_ first: Color, _ second: Color, share: Double) -> Color {
        Color(premultiplied: (1 - share) * first.premultiplied + share * second.premultiplied)
    }

    /// Encoded, 0 … 255.
    private var premultiplied: SIMD4<Double> {
        let alpha = Double(self.alpha)
        return SIMD4(Double(red) * alpha / 255, Double(green) * alpha / 255, Double(blue) * alpha / 255, alpha)
    }

    private init(premultiplied color: SIMD4<Double>) {
        let straight = color.w > 0 ? (255 / color.w) * color : .zero
        func channel(_ value: Double) -> UInt8 { UInt8(min(255, value.rounded())) }
        self.init(
            red: channel(straight.x), green: channel(straight.y), blue: channel(straight.z), alpha: channel(color.w))
    }
}

extension Layer {
    /// The most texels along each side of a canvas pixel that are looked at.
    private static let texelsAlong = 4

    /// The texel of its image under a canvas point; where there are several under a pixel of the canvas, evenly spaced ones
    /// of those. The nearest ones where a crop reaches beyond the image.
    fileprivate func texels(at point: Point, of size: ImageSize) -> [(x: Int, y: Int)] {
        func indices(_ point: Double, _ start: Double, _ length: Double, _ count: Int) -> [Int] {
            let scale = Double(count) / length
            let steps = min(Self.texelsAlong, Int(min(scale, 1e6).rounded()))
            guard steps > 1 else { return [min(max(Int((point - start) * scale), 0), count - 1)] }
            return (0..<steps).map { step in
                let at = point.rounded(.down) + (Double(step) + 0.5) / Double(steps)
                return min(max(Int((at - start) * scale), 0), count - 1)
            }
        }
        let columns = indices(point.x, rect.x, rect.width, size.width)
        return indices(point.y, rect.y, rect.height, size.height).flatMap { y in columns.map { ($0, y) } }
    }
}

extension SceneFile {
    /// The complete scene, by images in memory.
    /// - Parameter scene: This file's, with its filters chosen.
    func completed(_ scene: Scene, by images: [ImagePath: Image]) -> Scene {
        completed(scene, isOpaque: !keepsTransparency || images.values.allSatisfy(\.isOpaque)) { $0.colors(images) }
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
