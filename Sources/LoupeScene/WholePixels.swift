import LoupeBase

/// Pictures that are made from a page, without a scene, put what has straight edges on whole pixels, so that no edge is
/// blurred.
extension Scene {
    /// The scene with its images, and the rings of its rectangular loupes, on whole pixels.
    ///
    /// An image moves by at most half a pixel, and the loupes that show it follow. A ring is moved where the source of its
    /// loupe has sides of whole pixels: the focus then moves by less than a pixel, within the same one.
    package func onWholePixels() -> Scene {
        var scene = self
        for index in layers.indices where layers[index].imagePath != nil && layers[index].crop == nil {
            let (old, new) = (layers[index].rect, layers[index].rect.onWholePixels())
            guard new != old else { continue }
            scene.layers[index].rect = new
            scene.layers[index].corner = layers[index].corner.fitted(to: new)
            for number in loupes.indices where old.contains(loupes[number].focus) {
                let focus = loupes[number].focus
                scene.loupes[number].focus = Point(
                    x: new.x + (focus.x - old.x) * new.width / old.width,
                    y: new.y + (focus.y - old.y) * new.height / old.height)
            }
        }
        scene.loupes = scene.loupes.map { $0.withRingOnWholePixels() }
        return scene
    }
}

extension Loupe {
    fileprivate func withRingOnWholePixels() -> Loupe {
        guard let ring = callout?.ring, case .rectangle(let rectangle) = shape,
            let x = Self.middle(of: rectangle.width / zoom, near: focus.x),
            let y = Self.middle(of: rectangle.height / zoom, near: focus.y)
        else { return self }
        var loupe = self
        loupe.focus = Point(x: x, y: y)
        loupe.callout?.ring?.width = max(1, ring.width.rounded())
        loupe.callout?.ring?.casing?.width = max(1, ring.casing?.width.rounded() ?? 1)
        return loupe
    }

    /// The middle of an extent of whole pixels in the pixel of a coordinate; nil where the extent is not whole.
    private static func middle(of length: Double, near coordinate: Double) -> Double? {
        let tolerance = 1e-6
        let whole = length.rounded()
        guard abs(length - whole) < tolerance, whole >= 1 else { return nil }
        let isOdd = Int(whole) % 2 == 1
        return (coordinate + tolerance).rounded(.down) + (isOdd ? 0.5 : 0)
    }
}
