import ArgumentParser
import LoupeImaging
import LoupeRenderer

struct DeviceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "auto: the first that works, hardware before software; cpu: a software renderer; N: by its number in `loupe-render devices`; or /dev/dri/renderDN.",
            valueName: "auto|cpu|N|/dev/dri/renderDN"))
    var device = DeviceChoice.auto
}

extension DeviceChoice: ExpressibleByArgument {
    public var defaultValueDescription: String { description }
}

/// How large the pages may be.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse images of more pixels than this. Default: 1073741824, or 268435456 where they are held whole.",
            valueName: "N"))
    var maxPixels: Int?

    func validate() throws {
        if let maxPixels, maxPixels < 1 {
            throw ValidationError("--max-pixels: \(maxPixels) is out of range; allowed is 1 and up")
        }
    }

    /// For images that are held whole.
    var held: PNGLimits { maxPixels.map { PNGLimits(maxPixels: $0) } ?? PNGLimits() }
    /// For images that are read row by row.
    var streamed: PNGLimits { PNGLimits(maxPixels: maxPixels ?? 1 << 30) }
}
