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
    var held: ImageLimits { maxPixels.map { ImageLimits(maxPixels: $0) } ?? ImageLimits() }
    /// For images that are read row by row.
    var streamed: ImageLimits { ImageLimits(maxPixels: maxPixels ?? 1 << 30) }
}

/// Which files documents may name.
struct FileOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Let scenes, sessions, lists of jobs and pictures that are drawn again name files anywhere, not only below their own folder."
        ))
    var allowOutside = false
}

/// How PNGs are written.
struct PNGWritingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "fast, default or best: how long to look for smaller PNGs of the same pixels.", valueName: "E"))
    var pngEffort = PNGOptions.Effort.default

    var options: PNGOptions { PNGOptions(effort: pngEffort) }
}

extension PNGOptions.Effort: ExpressibleByArgument {}
