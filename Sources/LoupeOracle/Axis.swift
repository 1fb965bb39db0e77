/// One axis of a view: which canvas coordinate an output pixel shows (SPEC 4).
struct Axis {
    /// Output pixels for each canvas pixel.
    let magnification: Double
    /// In output pixels.
    let center: Double
    /// In canvas pixels.
    let focus: Double

    /// The canvas coordinate at the middle of an output pixel.
    func canvasCoordinate(ofPixel index: Int) -> Double {
        focus + (Double(index) + 0.5 - center) / magnification
    }

    /// Those of `pixels` whose outline coverage can be over zero for a layer from `start`, `length` long.
    func pixels(in pixels: Range<Int>, touching start: Double, length: Double) -> Range<Int> {
        let first = center + (start - focus) * magnification
        return pixels.clamped(toCover: first - 1, first + length * magnification + 1)
    }
}

extension Range<Int> {
    /// The part of the range that covers `lower` … `upper`; empty where nothing of it does.
    func clamped(toCover lower: Double, _ upper: Double) -> Range<Int> {
        let start = Int(Swift.min(Swift.max(lower.rounded(.down), Double(lowerBound)), Double(upperBound)))
        let end = Int(Swift.min(Swift.max(upper.rounded(.up), Double(start)), Double(upperBound)))
        return start..<end
    }
}
