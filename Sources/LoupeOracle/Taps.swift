import LoupeScene

/// The texels along one axis that make one output pixel, and their weights.
struct Taps {
    /// The first texel's index.
    let first: Int
    /// For the texels from `first` on; they add up to 1.
    let weights: [Double]

    var texels: Range<Int> { first..<first + weights.count }
}

/// One axis of an image in a view: the taps of each output pixel (SPEC 5).
struct TexelAxis {
    let axis: Axis
    /// Where the layer's rect begins and how long it is, in canvas pixels.
    let rectStart: Double
    let rectLength: Double
    /// In texels.
    let imageLength: Int
    /// Whether output pixels outside the rect may be asked for.
    let isCropped: Bool
    var filter: Filter

    /// Pillow's `precompute_coeffs`, for one output pixel.
    func taps(forPixel index: Int) -> Taps {
        let position = position(ofPixel: index)
        switch filter {
        case .nearest: return Taps(first: texel(position, upTo: imageLength - 1), weights: [1])
        case .linear: return taps(around: position, kernel: .linear)
        case .cubic: return taps(around: position, kernel: .cubic)
        case .lanczos: return taps(around: position, kernel: .lanczos)
        }
    }

    /// The texel coordinate of a pixel's middle. Outside of a cropped layer's rect the border texel's middle stands in.
    private func position(ofPixel index: Int) -> Double {
        let length = Double(imageLength)
        let position = (axis.canvasCoordinate(ofPixel: index) - rectStart) * length / rectLength
        guard isCropped, position < 0 || position > length else { return position }
        return position < 0 ? 0.5 : length - 0.5
    }

    private func taps(around position: Double, kernel: Kernel) -> Taps {
        let texelsPerPixel = Double(imageLength) / (rectLength * axis.magnification)
        let stretch = max(texelsPerPixel, 1)
        let reach = kernel.support * stretch
        let first = texel(position - reach + 0.5, upTo: imageLength)
        let end = max(first, texel(position + reach + 0.5, upTo: imageLength))
        let weights = (first..<end).map { kernel.weight((Double($0) + 0.5 - position) / stretch) }
        let sum = weights.reduce(0, +)
        return Taps(first: first, weights: sum == 0 ? weights : weights.map { $0 / sum })
    }

    /// The whole part of a texel coordinate, held within 0 … `limit`.
    private func texel(_ coordinate: Double, upTo limit: Int) -> Int {
        Int(min(max(coordinate, 0), Double(limit)))
    }
}
