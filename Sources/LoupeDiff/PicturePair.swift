import LoupeImaging

/// Two pictures on one canvas: each at its top left, the rest transparent.
struct PicturePair: Sendable {
    let reference: Image
    let actual: Image
    /// The sizes before the canvas was made.
    let referenceSize: PictureSize
    let actualSize: PictureSize

    init(_ reference: Image, _ actual: Image) {
        referenceSize = PictureSize(reference)
        actualSize = PictureSize(actual)
        let width = max(reference.width, actual.width)
        let height = max(reference.height, actual.height)
        self.reference = reference.padded(width: width, height: height)
        self.actual = actual.padded(width: width, height: height)
    }

    /// Of the canvas, in pixels.
    var width: Int { reference.width }
    var height: Int { reference.height }
    var isSameSize: Bool { referenceSize == actualSize }

    /// How many columns of a row lie in both pictures; those after them, up to the second number, lie in one.
    func columns(inRow row: Int) -> (common: Int, either: Int) {
        let inReference = row < referenceSize.height ? referenceSize.width : 0
        let inActual = row < actualSize.height ? actualSize.width : 0
        return (min(inReference, inActual), max(inReference, inActual))
    }

    /// How many pixels lie in either picture.
    var pixelCount: Int {
        let common =
            min(referenceSize.width, actualSize.width) * min(referenceSize.height, actualSize.height)
        return referenceSize.pixelCount + actualSize.pixelCount - common
    }

    /// Lends the pixels of both as RGBA words.
    func withWords<Result>(_ body: (_ reference: PixelGrid, _ actual: PixelGrid) -> Result) -> Result {
        reference.withWords { reference in actual.withWords { actual in body(reference, actual) } }
    }
}

/// In pixels.
public struct PictureSize: Hashable, Sendable, CustomStringConvertible {
    public let width: Int
    public let height: Int

    init(_ image: Image) {
        width = image.width
        height = image.height
    }

    var pixelCount: Int { width * height }
    public var description: String { "\(width)×\(height)" }
}

extension Image {
    fileprivate func padded(width: Int, height: Int) -> Image {
        guard width > self.width || height > self.height else { return self }
        var canvas: [UInt8] = []
        canvas.reserveCapacity(width * height * 4)
        for row in 0..<self.height {
            canvas += pixels[(row * self.width * 4)..<((row + 1) * self.width * 4)]
            canvas += repeatElement(0, count: (width - self.width) * 4)
        }
        canvas += repeatElement(0, count: width * (height - self.height) * 4)
        return Image(width: width, height: height, pixels: canvas)
    }

    fileprivate func withWords<Result>(_ body: (PixelGrid) -> Result) -> Result {
        pixels.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt32.self) { body(PixelGrid(words: $0, width: width, height: height)) }
        }
    }
}
