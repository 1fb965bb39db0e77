import ArgumentParser
import Glibc
import LoupeImaging
import LoupePipeline
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// The device that draws.
struct DeviceOptions: ParsableArguments {
    @Option(
        name: .customLong("device"),
        help: ArgumentHelp(
            "auto: the first that works, hardware before software; cpu: a software renderer; N: by its number in `loupe-render devices`; or /dev/dri/renderDN. Default: auto.",
            valueName: "auto|cpu|N|/dev/dri/renderDN"))
    var chosen: DeviceChoice?

    /// The device that was asked for, or the first that works.
    var device: DeviceChoice { chosen ?? .auto }
}

/// A command that may open a device.
protocol DeviceUsing {
    var device: DeviceOptions { get }
}

/// The option for the case that no device works.
struct FallbackOptions: ParsableArguments {
    @Flag(
        help:
            "Fail with code 69 where no device works, in place of drawing with the reference renderer. LOUPE_NO_FALLBACK=1 does the same; so does any --device."
    )
    var noFallback = false

    /// Says in one line on standard error that the reference renderer draws, and why. Nil where it must not: a device was
    /// asked for, or a fallback refused.
    func fallback(from device: DeviceOptions) -> ((EGLError) -> Void)? {
        let isRefused = getenv("LOUPE_NO_FALLBACK").map { strcmp($0, "") != 0 && strcmp($0, "0") != 0 } ?? false
        guard device.chosen == nil, !noFallback, !isRefused else { return nil }
        return { error in
            StandardError.note("\(error.description); the reference renderer draws in its place, exactly but slower")
        }
    }
}

extension DeviceChoice: ExpressibleByArgument {}

/// The option that limits the size of images.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Refuse images of more pixels than this. Default: 1073741824, or 268435456 where they are held whole.",
            valueName: "N"))
    var maxPixels: Int?

    func validate() throws { try FlagValue.check("--max-pixels", maxPixels.map(Double.init), in: 1...) }

    /// For images that are held whole.
    var held: ImageLimits { maxPixels.map { ImageLimits(maxPixels: $0) } ?? ImageLimits() }
}

/// Options that hold for the whole process.
protocol ProcessOptions: ParsableArguments {
    func apply()
}

/// A command of this program. Its options for the process are applied before it runs.
protocol LoupeCommand: ParsableCommand {
    associatedtype Options: ProcessOptions
    var process: Options { get }
}

/// The option for writing files.
struct WritingOptions: ProcessOptions {
    @Flag(
        help:
            "Do not wait until written files are on the disk. A loss of power may then damage them. LOUPE_NO_SYNC=1 does the same."
    )
    var noSync = false

    func apply() { if noSync { FileSync.isOn = false } }
}

/// The options of a command that reads pictures: its memory, the time for an SVG, and how files are written.
struct WorkOptions: ProcessOptions {
    @Option(
        help: ArgumentHelp(
            "Refuse what needs more memory than this: bytes, or a number with K, M, G or T. Default: half of what is free.",
            valueName: "SIZE"))
    var maxMemory: ByteCount?

    @Option(
        help: ArgumentHelp(
            "End reading or drawing of an SVG that takes longer than this, in seconds, 0.1 to 86400.", valueName: "S"))
    var svgTimeout = SVGDrawing.defaultSeconds

    @Option(
        name: .customLong("svg-by"),
        help: ArgumentHelp(
            "What draws SVGs: librsvg, or a browser (Chromium on PATH), which prints each to a page of vectors on white paper, and knows CSS and HTML in it.",
            valueName: "librsvg|browser"))
    var svgDrawer = SVGDrawer.librsvg

    @Flag(
        help:
            "Refuse SVG, PDF, EXR and text with code 69 where the kernel has no Landlock or no seccomp, which keep what draws them from files, programs and the network."
    )
    var requireSandbox = false

    @OptionGroup var writing: WritingOptions

    func validate() throws { try FlagValue.check("--svg-timeout", svgTimeout, in: 0.1...86400) }

    func apply() {
        if let maxMemory { Memory.setLimit(maxMemory.bytes) }
        SVGDrawing.secondsAllowed = svgTimeout
        if svgDrawer == .browser { SVGBrowser.choose() }
        if requireSandbox { Sandbox.require() }
        writing.apply()
    }
}

/// The values of `--svg-by`.
enum SVGDrawer: String, ExpressibleByArgument, CaseIterable { case librsvg, browser }

/// A number of bytes, at least 1: `1500000`, `512M`, `1.5G`. The letters stand for powers of 1024; `B` or `iB` may follow.
struct ByteCount: ExpressibleByArgument {
    let bytes: Int

    init?(argument: String) {
        var text = argument.uppercased()[...]
        if let ending = ["IB", "B"].first(where: text.hasSuffix) { text = text.dropLast(ending.count) }
        let units: [Character: Double] = ["K": 0x1p10, "M": 0x1p20, "G": 0x1p30, "T": 0x1p40]
        let unit = text.last.flatMap { units[$0] }
        if unit != nil { text = text.dropLast() }
        guard text.first?.isWholeNumber == true, let number = Double(decimal: text),
            case let count = number * (unit ?? 1), count >= 1
        else { return nil }
        bytes = count < 0x1p62 ? Int(count) : 1 << 62
    }
}

/// The option that chooses which files documents may name.
struct FileOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Let scenes, sessions, lists of jobs and pictures that are drawn again name files anywhere, not only below their own folder."
        ))
    var allowOutside = false
}

extension DeviceOptions {
    /// A renderer on the device, which ends with a sentence where the driver hangs for lack of memory.
    /// - Parameter shaders: replace embedded ones.
    func renderer(_ shaders: ShaderReplacements = .embedded) throws -> Renderer {
        try LastResort.watching { try Renderer(device: device, shaders: shaders) }
    }

    /// A pipeline that starts such a renderer when it needs one.
    /// - Parameter fallback: nil where nothing else may draw.
    func pipeline(_ fallback: FallbackOptions? = nil, shaders: ShaderReplacements = .embedded) -> Pipeline {
        Pipeline(fallback: fallback?.fallback(from: self)) { [self] in try renderer(shaders) }
    }
}

extension Pipeline {
    /// Leaves the device open until the process ends, for a command that draws no more: the kernel frees what a device
    /// holds in a fraction of the time that its driver needs.
    func leaveToTheEnd() { _ = Unmanaged.passRetained(self) }
}

/// The options for what is written beside the pixels.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Leave the scene, the program and the device out of the PNG; they are stored in it as texts otherwise.")
    var noMetadata = false

    @Option(
        help: ArgumentHelp(
            "How well a JPEG or WebP is packed, 1 to 100. Default: 92; a WebP without it has no losses.", valueName: "Q"
        ))
    var quality: Int?

    func validate() throws { try FlagValue.check("--quality", quality.map(Double.init), in: 1...100) }

    @Flag(help: "A warning is an error, with code 65: nothing is written. For builds of documents.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Write which point of the page each output pixel shows, as JSON; - is standard output.", valueName: "path"))
    var map: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write the picture with each piece tinted by its shader and the cuts outlined, as a PNG; - is standard output.",
            valueName: "path"))
    var showPlan: OutputPath?

    @Option(
        help: ArgumentHelp(
            "The picture's width on paper, as 85mm, 8.5cm, 3.3in or 240pt; its height follows. With --dpi, a PNG is drawn with as many pixels as that takes.",
            valueName: "LENGTH"), transform: PaperLength.init(flag:))
    var width: PaperLength?

    @Option(
        help: ArgumentHelp("The picture's height on paper, in place of --width.", valueName: "LENGTH"),
        transform: PaperLength.init(flag:))
    var height: PaperLength?

    @Option(
        help: ArgumentHelp(
            "Pixels per inch of paper, 1 to 1000000: with --width or --height of a PNG, or of the shadows in a PDF or SVG (300); alone, canvas pixels. Default: the page keeps its size on paper, where it says one.",
            valueName: "N"), transform: FlagValue.decimal)
    var dpi: Double?

    @Option(
        help: ArgumentHelp(
            "Bits a channel of the PNG: with 16, pages of 16 bits keep them all the way.", valueName: "8|16"))
    var depth = SampleDepth.eight
}

extension SampleDepth: ExpressibleByArgument {}
