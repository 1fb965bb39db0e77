import LoupeImaging

/// Whether two pictures are the same but for rounding (SPEC 9): no pixel off by more than 2 of 255, and at most 0.1 %
/// of the pixels off by more than 1.
enum PictureTolerance {
    /// How many pixels differ more than that; 0 where the pictures are the same.
    static func pixelsOver(_ a: Image, _ b: Image) -> Int {
        guard a.width == b.width, a.height == b.height else { return max(a.width * a.height, b.width * b.height) }
        if a.pixels == b.pixels { return 0 }
        var (overOne, overTwo) = (0, 0)
        a.pixels.withUnsafeBufferPointer { a in
            b.pixels.withUnsafeBufferPointer { b in
                for pixel in stride(from: 0, to: a.count, by: 4) {
                    let most = (pixel..<(pixel + 4)).reduce(0) { max($0, abs(Int(a[$1]) - Int(b[$1]))) }
                    if most > 1 { overOne += 1 }
                    if most > 2 { overTwo += 1 }
                }
            }
        }
        if overTwo > 0 { return overTwo }
        return overOne * 1000 > a.width * a.height ? overOne : 0
    }
}
