import LoupeBase
import LoupeScene

/// The texels along one axis that one output pixel is mixed from, and their weights.
struct Taps {
    /// The first texel's index.
    let first: Int
    /// The weights of the texels from `first` on. They add up to 1.
    let weights: [Double]

    /// The texels' indices.
    var texels: Range<Int> { first..<first + weights.count }
}

/// One axis of an image in a view: the taps of each output pixel (specification, section 5).
struct TexelAxis {
    /// The view's axis.
    let axis: Axis
    /// Where the layer's rect starts, in canvas pixels.
    let rectStart: Double
    /// How long the layer's rect is, in canvas pixels.
    let rectLength: Double
    /// In texels.
    let imageLength: Int
    /// Whether output pixels outside the rect may be sampled.
    let isCropped: Bool
    var filter: Filter

    /// How long a texel appears, in output pixels.
    var texelSize: Double { axis.magnification * rectLength / Double(imageLength) }

    /// The taps of one output pixel, computed as Pillow's `precompute_coeffs` does.
    func taps(forPixel index: Int) -> Taps {
        let position = position(ofPixel: index)
        switch filter {
        case .nearest: return Taps(first: texel(position, upTo: imageLength - 1), weights: [1])
        case .sharp: return areas(around: position)
        case .linear: return taps(around: position, kernel: .linear)
        case .cubic: return taps(around: position, kernel: .cubic)
        case .lanczos: return taps(around: position, kernel: .lanczos)
        }
    }

    /// The texel coordinate of a pixel's middle.
    func texelCoordinate(ofPixel index: Int) -> Double {
        (axis.canvasCoordinate(ofPixel: index) - rectStart) * Double(imageLength) / rectLength
    }

    /// The coordinate that is sampled for a pixel. Outside the rect of a cropped layer, the middle of the border texel.
    private func position(ofPixel index: Int) -> Double {
        let length = Double(imageLength)
        let position = texelCoordinate(ofPixel: index)
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

    /// The texels under a pixel, each by how much of it lies there.
    private func areas(around position: Double) -> Taps {
        let pixel = Double(imageLength) / (rectLength * axis.magnification)
        /// How much of the pixel lies before a texel border.
        func part(before border: Int) -> Double { min(max((Double(border) - position) / pixel + 0.5, 0), 1) }
        let first = texel(position - pixel / 2, upTo: imageLength - 1)
        let end = max(first + 1, texel((position + pixel / 2).rounded(.up), upTo: imageLength))
        let inside = part(before: end) - part(before: first)
        guard inside > 0 else { return Taps(first: first, weights: [1]) }
        return Taps(first: first, weights: (first..<end).map { (part(before: $0 + 1) - part(before: $0)) / inside })
    }

    /// The whole part of a texel coordinate, clamped to 0 … `limit`.
    private func texel(_ coordinate: Double, upTo limit: Int) -> Int {
        min(max(Int(bounded: coordinate), 0), limit)
    }
}

/// One of Pillow's resampling kernels (specification, section 5). Its unit is the distance between two texels.
private enum Kernel {
    /// The triangle.
    case linear
    /// The Keys cubic with a = −½.
    case cubic
    /// The sinc function windowed by the main lobe of a sinc that is three times as wide.
    case lanczos

    /// The distance from which on the kernel is zero.
    var support: Double {
        switch self {
        case .linear: 1
        case .cubic: 2
        case .lanczos: 3
        }
    }

    /// The weight of a texel at a signed distance from the sampled position.
    func weight(_ offset: Double) -> Double {
        let x = abs(offset)
        guard x < support else { return 0 }
        switch self {
        case .linear: return 1 - x
        case .cubic: return Self.keys(x)
        case .lanczos: return Self.sinc(x) * Self.sinc(x / 3)
        }
    }

    /// Keys, "Cubic convolution interpolation for digital image processing", 1981.
    private static func keys(_ x: Double) -> Double {
        let a = -0.5
        return x < 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
