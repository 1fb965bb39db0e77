import LoupeImaging

/// Two pictures of the same size compared on premultiplied 8-bit channels (SPEC 9).
struct Difference {
    /// The largest over all channels, in steps of 1/255.
    private(set) var largest = 0
    /// How many pixels have a channel that is off by more than 1, and by more than 2.
    private(set) var overOne = 0
    private(set) var overTwo = 0
    /// The first pixel with the largest difference, and its premultiplied channels.
    private(set) var place = (x: 0, y: 0)
    private(set) var expected: SIMD4<Int32> = .zero
    private(set) var actual: SIMD4<Int32> = .zero
    let pixelCount: Int
    /// Of each pixel, the largest over its channels.
    private(set) var steps: [Int] = []

    /// - Precondition: the pictures are of one size.
    init(_ actual: Image, from expected: Image) {
        precondition(actual.width == expected.width && actual.height == expected.height)
        pixelCount = actual.width * actual.height
        steps.reserveCapacity(pixelCount)
        for pixel in 0..<pixelCount {
            let (a, b) = (Self.premultiplied(actual, pixel), Self.premultiplied(expected, pixel))
            let step = Int((a &- b).magnitude.max())
            steps.append(step)
            if step > 1 { overOne += 1 }
            if step > 2 { overTwo += 1 }
            if step > largest {
                largest = step
                place = (pixel % actual.width, pixel / actual.width)
                (self.actual, self.expected) = (a, b)
            }
        }
    }

    func isWithin(_ tolerance: Tolerance) -> Bool {
        largest <= tolerance.largest && Double(overOne) <= tolerance.shareOverOne * Double(pixelCount)
    }

    private static func premultiplied(_ image: Image, _ pixel: Int) -> SIMD4<Int32> {
        let bytes = image.pixels
        let alpha = Int32(bytes[pixel * 4 + 3])
        func channel(_ index: Int) -> Int32 { (Int32(bytes[pixel * 4 + index]) * alpha * 2 + 255) / 510 }
        return SIMD4(channel(0), channel(1), channel(2), alpha)
    }
}

extension SIMD4<Int32> {
    fileprivate var magnitude: Self { replacing(with: 0 &- self, where: self .< 0) }
    /// As text shows it.
    var channels: [Int] { indices.map { Int(self[$0]) } }
}

extension Difference: CustomStringConvertible {
    var description: String {
        """
        off by up to \(largest), \(overOne) of \(pixelCount) pixels by more than 1, \(overTwo) by more than 2; \
        most at (\(place.x), \(place.y)): \(actual.channels) instead of \(expected.channels)
        """
    }
}
