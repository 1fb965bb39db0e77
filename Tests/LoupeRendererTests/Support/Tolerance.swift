import LoupeScene

/// How far two renderers may lie apart, on premultiplied 8-bit channels (SPEC 9).
///
/// An example: a corner of radius 20 and exponent 4 on a canvas of 100×100 may have 10 pixels that
/// are off by 2 and any number that are off by 1, but none that is off by 3.
struct Tolerance: Hashable {
    /// In steps of 1/255.
    let largest: Int
    /// Of all pixels, those that may be off by more than 1.
    let shareOverOne: Double

    static let usual = Tolerance(largest: 2, shareOverOne: 0.001)
    /// Eight steps of the encoding are less than one of light in the dark.
    static let linear = Tolerance(largest: 3, shareOverOne: 0.01)
    /// Where the first-order distance that the specification allows shaders begins to err.
    static let extreme = Tolerance(largest: 8, shareOverOne: 1)

    init(largest: Int, shareOverOne: Double) {
        self.largest = largest
        self.shareOverOne = shareOverOne
    }

    init(for scene: Scene) {
        if scene.hasExtremeCorners {
            self = .extreme
        } else {
            self = scene.blending == .linear ? .linear : .usual
        }
    }
}

extension Scene {
    /// Whether some corner has n > 8, or a radius between 0 and 4 pixels in some view.
    fileprivate var hasExtremeCorners: Bool {
        layers.contains { layer in
            layer.corner.radius > 0
                && (layer.corner.exponent > 8 || views.contains { layer.corner.radius * $0.magnification < 4 })
        }
    }
}
