import LoupeGeometry
import LoupeScene

/// The colours of a scene's page at some points of the canvas, read from the texels under them. Where the page is drawn
/// smaller than it is, each is the mean of texels under a pixel of the canvas.
package struct PageColors {
    package let scene: Scene
    package let points: [Point]

    /// The points of a scene's canvas, in canvas pixels.
    package init(scene: Scene, points: [Point]) { (self.scene, self.points) = (scene, points) }

    /// An image's size, and its texels by column and row.
    package typealias Texels = (size: ImageSize, color: (_ x: Int, _ y: Int) -> Color)

    /// One opaque colour for each point: the layers over the background, over white where that is translucent.
    package func colors(_ texels: (ImagePath) -> Texels?) -> [Color] {
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

}

extension Scene {
    /// The background at a canvas point.
    fileprivate func backdrop(at point: Point) -> Color {
        switch canvas.background {
        case .color(let color): return color
        case .gradient(let gradient):
            let weight = gradient.position(of: point, width: Double(canvas.width), height: Double(canvas.height))
            return .mixed(gradient.from, gradient.to, weight: weight.clamped(to: 0...1))
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

    /// - Parameter weight: of the second colour, 0 … 1.
    fileprivate static func mixed(_ first: Color, _ second: Color, weight: Double) -> Color {
        Color(premultiplied: (1 - weight) * first.premultiplied + weight * second.premultiplied)
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
    package func texels(at point: Point, of size: ImageSize) -> [(x: Int, y: Int)] {
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
