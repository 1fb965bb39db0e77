import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A drawn scene: its pixels, and how they came to be.
public struct Picture: Sendable {
    /// The pixels.
    public let image: Image
    /// What was drawn, and by which shaders.
    package let plan: DrawPlan
    /// The colours of the scene's images, in the order of the scene.
    let colors: [ImageColor]
    /// The device that drew it; nil for the reference renderer.
    public let device: DeviceInfo?
    /// How long the steps took.
    public var times: StepTimes
    /// How many of its pixels lie on a metre of paper: as the options say; or else so that the first layer's image keeps its
    /// size on paper; or, for a picture that is drawn again, as that one said. Nil where nothing says it.
    public var density: PixelDensity?
    /// What a PNG stores beside the pixels; nil where nothing is to be stored.
    let description: SelfDescription?
    /// The program that the PNG names, with its version.
    let program: String

    /// A sentence for each image that changed since the stored picture was made, for each loupe whose grid is nowhere seen
    /// or that shows one colour alone, and for each font that was taken in place of a missing one.
    /// - Throws: `TextError`.
    public func warnings() throws -> [String] {
        let plain = plan.scene.plainLoupes { loupe in
            // Within the rim and the pixel that it is feathered over.
            let (border, depth) = (Border(of: loupe), 1 + (loupe.rim?.width ?? 0))
            return image.hasOneColor(in: Region(of: border, deeperThan: depth, within: plan.scene.canvas.pixels))
        }
        return try (description?.changes ?? []) + plan.unseenGrids + plain + plan.textRuns.fontSubstitutions()
    }

    /// Why a PNG at a path does not store its scene, as a sentence; nil where it does, or is not to.
    public func omission(at path: Path) -> String? { description?.omission(at: path) }

    /// The picture as the bytes of a PNG.
    ///
    /// The PNG has the colour profile of a page whose numbers were not converted, the density of the picture, and texts from which it can be drawn
    /// again, where the options asked for a description.
    /// - Parameters:
    ///   - path: where the PNG will lie; paths in its texts are relative to that folder. Nil leaves the texts out.
    ///   - options: how it is packed; further texts and another profile are replaced.
    /// - Throws: `ImageError`.
    public func png(for path: Path?, options: PNGOptions = PNGOptions()) throws(ImageError) -> [UInt8] {
        var options = options
        options.density = options.density ?? density
        options.profile = colors.lazy.compactMap(\.carriedProfile).first
        if let path, let description { options.texts = description.texts(for: path, device: device, program: program) }
        return try PNG.encode(image, options: options)
    }

    /// The picture as a WebP of 8 bits, without texts and density.
    /// - Parameter size: about how many bytes it is to have, with losses; nil for a lossless one.
    /// - Returns: nil where the picture has a colour profile, is too large for a WebP, or there is no memory for packing it.
    func webP(size: Int32? = nil) -> [UInt8]? {
        colors.contains { $0.carriedProfile != nil } ? nil : WebP.encode(image, size: size)
    }

    /// Writes the picture as a PNG, which appears whole or not at all.
    /// - Parameters:
    ///   - path: of the file; one that is there is replaced.
    ///   - options: how it is packed.
    /// - Throws: `FileError.unwritable` or `ImageError`.
    public func write(to path: Path, options: PNGOptions = PNGOptions()) throws {
        try AtomicFile.write(png(for: path, options: options), to: path)
    }

    // MARK: - Statistics

    /// The device, the shaders of each layer in each view, the colours of the images and the times, as JSON.
    public var statistics: String {
        let report: JSONValue = [
            "device": Self.json(of: device),
            "views": .array(plan.layerStatistics),
            "images": .array(colors.map(\.json)),
            "milliseconds": times.json,
        ]
        return report.text() + "\n"
    }

    /// - Parameter device: nil for the reference renderer.
    static func json(of device: DeviceInfo?) -> JSONValue {
        [
            "vendor": .string(device?.vendor ?? "Loupe"),
            "renderer": .string(device?.renderer ?? "double-precision CPU reference"),
            "version": .string(device?.version ?? Pipeline.version),
            "software": .bool(device?.isSoftware ?? true),
        ]
    }
}

/// The durations of the steps of a render.
public struct StepTimes: Sendable {
    /// Reading and decoding the images, possibly while the device started.
    public var decode: Duration = .zero
    /// Starting the device.
    public var start: Duration = .zero
    /// Drawing and reading back.
    public var draw: Duration = .zero
    /// Encoding the PNG.
    public var encode: Duration = .zero
    /// All of it.
    public var total: Duration = .zero

    var json: JSONValue {
        [
            "decode": .number(decode.milliseconds), "start": .number(start.milliseconds),
            "draw": .number(draw.milliseconds), "encode": .number(encode.milliseconds),
            "total": .number(total.milliseconds),
        ]
    }
}

extension Duration {
    /// Milliseconds, rounded to a thousandth.
    package var milliseconds: Double {
        let (seconds, attoseconds) = components
        return (Double(seconds) * 1e6 + Double(attoseconds) / 1e12).rounded() / 1e3
    }
}

extension Image {
    /// Whether a region has pixels, and all of them have one colour.
    func hasOneColor(in region: Region) -> Bool {
        func isPlain<Pixel: Equatable>(_ pixels: UnsafeBufferPointer<Pixel>) -> Bool {
            let runs = (region.bounds.minY..<region.bounds.maxY).lazy.map { row in
                let columns = region.columns(inRow: row, of: region.bounds)
                return pixels[row * width + columns.lowerBound..<row * width + columns.upperBound]
            }
            guard let first = runs.lazy.compactMap(\.first).first else { return false }
            return runs.allSatisfy { $0.allSatisfy { $0 == first } }
        }
        if let pixels16 { return pixels16.withUnsafeBytes { isPlain($0.bindMemory(to: UInt64.self)) } }
        return pixels.withUnsafeBytes { isPlain($0.bindMemory(to: UInt32.self)) }
    }
}

extension [TextRun] {
    /// A sentence about each font that was taken in place of one that is missing, and about characters that no font has.
    /// - Throws: `TextError`.
    func fontSubstitutions() throws -> [String] {
        var sentences: [String] = []
        for run in self {
            guard let sentence = try TextDrawing.substitution(in: TextRequest(run)) else { continue }
            if !sentences.contains(sentence) { sentences.append(sentence) }
        }
        return sentences
    }
}
