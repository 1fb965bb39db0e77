import LoupeImaging

extension ComparedImage {
    /// How many pixels of two pictures in different colours are equal in sRGB only as one of them lies beyond it and is cut.
    ///
    /// Both are compared in a space that holds all colours. What 8 bits of another space can't tell from sRGB's counts as equal.
    /// - Parameter found: the result of comparing both in sRGB.
    func cutPixels(besides other: ComparedImage, found: Difference) -> Int {
        guard color != other.color, stored.size == other.stored.size, let mine = wide, let theirs = other.wide else {
            return 0
        }
        let tolerance: Double = if case .channel(let limit) = found.metric { limit.base } else { 0 }
        let (one, two) = (image.flattened.pixels, other.image.flattened.pixels)
        return (0..<stored.width * stored.height).count { pixel in
            guard found.excluded?[pixel] != true else { return false }
            let samples = 4 * pixel..<4 * pixel + 3
            // Elsewhere, sRGB says as much.
            guard samples.contains(where: { [0, 255].contains(one[$0]) || [0, 255].contains(two[$0]) }),
                samples.allSatisfy({ abs(Double(one[$0]) - Double(two[$0])) <= tolerance })
            else { return false }
            let alpha = Double(mine[4 * pixel + 3]) / 65535
            return samples.contains { abs(Double(mine[$0]) - Double(theirs[$0])) * alpha > (tolerance + 3) * 257 }
        }
    }

    /// Samples of 16 bits that no colour exceeds.
    private var wide: [UInt16]? {
        let numbers = StoredImage(stored.widened, color: color, name: "", format: .png)
        return (try? numbers.converted(to: .wide))?.pixels16
    }
}
