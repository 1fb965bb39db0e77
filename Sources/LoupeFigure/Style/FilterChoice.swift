import LoupeBase
import LoupeScene

/// Chooses the filters that the flags of a page leave open, by what the page shows (specification, section 5.8).
///
/// The scene that is made from flags has loupes with the filter `auto`. Before it is drawn or printed, each gets the one
/// that is best for the page. Scenes that are written by hand keep `auto`, which means something else there.
package struct FilterChoice: Hashable, Sendable {
    /// Whether the page's own filter is open too.
    package let includesPage: Bool
    /// By how much the scene was scaled. Whether a loupe's texels are so large that they show as squares is judged without
    /// it; whether they are larger than a pixel, and whether the page's own are that large, with it.
    package let scale: Double

    /// A choice of the loupes' filters, and of the page's where it is included.
    package init(includesPage: Bool, scale: Double = 1) {
        (self.includesPage, self.scale) = (includesPage, scale)
    }

    /// The image that decides: the first one that a layer shows.
    package static func page(of scene: Scene) -> ImagePath? { scene.page?.imagePath }

    /// The scene with the open filters chosen.
    /// - Parameters:
    ///   - pageSize: of the page's image, in pixels.
    ///   - isPixelArt: whether that image is pixel art.
    package func applied(to scene: Scene, pageSize: ImageSize, isPixelArt: Bool) -> Scene {
        guard let size = texelSize(in: scene, pageSize) else { return scene }
        var scene = scene
        let isEnlarged = size >= LoupeFilter.nearestTexelSize
        if includesPage, isEnlarged || isPixelArt && size > 1 {
            // All pages that are compared are drawn alike.
            for index in scene.layers.indices where scene.layers[index].imagePath != nil {
                scene.layers[index].filter = .sharp
            }
        }
        for index in scene.loupes.indices where scene.loupes[index].filter == .auto {
            let texel = size * scene.loupes[index].zoom
            let isSharp = isEnlarged || texel / scale >= LoupeFilter.nearestTexelSize || isPixelArt && texel > 1
            scene.loupes[index].filter = isSharp ? .sharp : .cubic
        }
        return scene
    }

    /// How large a texel of the page is on the canvas, along the shorter of its sides, in canvas pixels.
    private func texelSize(in scene: Scene, _ pageSize: ImageSize) -> Double? {
        guard let rect = scene.page?.rect else { return nil }
        return min(rect.width / Double(pageSize.width), rect.height / Double(pageSize.height))
    }
}
