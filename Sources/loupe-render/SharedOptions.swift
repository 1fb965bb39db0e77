import ArgumentParser
import LoupeImaging
import LoupePipeline
import LoupeRenderer
import LoupeScene

/// The device that draws.
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

extension Renderer {
    /// A renderer for a command, which ends with a sentence where the driver hangs for lack of memory.
    /// - Parameter shaders: replace embedded ones.
    static func started(on device: DeviceChoice, shaders: ShaderReplacements = .embedded) throws -> Renderer {
        try LastResort.watching { try Renderer(device: device, shaders: shaders) }
    }
}

extension Pipeline {
    /// Leaves the device open until the process ends, for a command that draws no more: the kernel frees what a device
    /// holds in a fraction of the time that its driver needs.
    func leaveToTheEnd() { _ = Unmanaged.passRetained(self) }
}

/// What is written beside the pixels.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Leave the scene, the program and the device out of the PNG; they are stored in it as texts otherwise.")
    var noMetadata = false

    @Option(
        help: ArgumentHelp(
            "Write which point of the page each output pixel shows, as JSON; - is standard output.", valueName: "path"))
    var map: String?

    @Option(
        help: ArgumentHelp(
            "Write the picture with each piece tinted by its shader, the cuts outlined, and a legend, as a PNG; - is standard output.",
            valueName: "path"))
    var showPlan: String?

    @Option(
        help: ArgumentHelp(
            "Bits a channel of the PNG: with 16, pages of 16 bits keep them all the way.", valueName: "8|16"))
    var depth = SampleDepth.eight
}

extension SampleDepth: ExpressibleByArgument {}
