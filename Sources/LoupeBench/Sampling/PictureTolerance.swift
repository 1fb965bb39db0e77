import LoupeImaging

/// Whether two pictures are the same but for rounding (SPEC 9): no pixel off by more than 2 of 255, and at most 0.1 %
/// of the pixels off by more than 1.
enum PictureTolerance {
    /// How many pixels differ more than that; 0 where the pictures are the same.
    static func pixelsOver(_ a: Image, _ b: Image) -> Int {
        guard a.width == b.width, a.height == b.height else { return max(a.width * a.height, b.width * b.height) }
        var (overOne, overTwo) = (0, 0)
        a.pixels.withUnsafeBytes { a in
            b.pixels.withUnsafeBytes { b in
                // Nearly all pixels are the same, and most of them lie beside the loupe.
                for (index, (one, other)) in zip(a.bindMemory(to: UInt32.self), b.bindMemory(to: UInt32.self))
                    .enumerated()
                where one != other {
                    let most = (4 * index..<4 * index + 4).reduce(0) { max($0, abs(Int(a[$1]) - Int(b[$1]))) }
                    if most > 1 { overOne += 1 }
                    if most > 2 { overTwo += 1 }
                }
            }
        }
        if overTwo > 0 { return overTwo }
        return overOne * 1000 > a.width * a.height ? overOne : 0
    }
}
