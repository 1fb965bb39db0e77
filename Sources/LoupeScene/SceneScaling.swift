import LoupeBase

/// The same picture on a canvas of another size. Every length and position of a scene is multiplied; magnifications,
/// angles, exponents, opacities and colours stay.
extension Scene {
    /// The scene with every length and position times a factor.
    ///
    /// The canvas is rounded to whole pixels, each side at least 1. Other values may leave the ranges that scenes may have.
    /// - Parameter factor: above 0.
    package func scaled(by factor: Double) -> Scene {
        guard factor != 1 else { return self }
        var scene = self
        SceneFields.scene.scale(&scene, by: factor)
        return scene
    }
}

extension Loupe.Shadow {
    /// The same shadow, larger by a factor.
    package func scaled(by factor: Double) -> Loupe.Shadow {
        Loupe.Shadow(offset: factor * offset, blur: factor * blur, color: color, dither: dither)
    }
}
