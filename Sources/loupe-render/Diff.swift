import ArgumentParser
import LoupeDiff
import LoupeFiles
import LoupeGeometry
import LoupeImaging
import LoupeJSON
import LoupePipeline
import LoupeScene

/// `loupe-render diff`: compares two pictures.
struct Diff: ParsableCommand, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        abstract: "Compares two PNGs: where they differ, by how much, and which limits would pass.",
        discussion: """
            Regions of --scene: rim (with its feathered borders), page-edge and corner (less than a pixel from a \
            layer's outline), loupe-interior, page, background. Exit codes: 0 the same within the limits; 1 not.
            """)

    @Argument(help: ArgumentHelp("The PNG as it should be.", valueName: "reference"))
    var reference: InputPath

    @Argument(help: ArgumentHelp("The PNG as it is.", valueName: "actual"))
    var actual: InputPath

    @OptionGroup(title: "Comparing") var options: DiffOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var memory: MemoryOptions
    @OptionGroup var writing: WritingOptions

    @Option(
        help: ArgumentHelp("The scene that the reference shows; sorts the differences by region.", valueName: "SCENE")
    )
    var scene: InputPath?

    @Option(help: ArgumentHelp("Write the result as JSON; - is standard output.", valueName: "path"))
    var json: OutputPath?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write a picture of the differences; - is standard output.", valueName: "PNG"))
    var output: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write the errors in the colours of magma; not for channel and yiq. - is standard output.", valueName: "PNG"
        ))
    var errorMap: OutputPath?

    @Option(help: ArgumentHelp("Write the result as JUnit's XML; - is standard output.", valueName: "path"))
    var junit: OutputPath?

    @Flag(help: "Write no lines about the result to standard output.")
    var quiet = false

    @OptionGroup var color: ColorOptions

    func validate() throws {
        if let regions = options.tolerance?.regions, !regions.isEmpty, scene == nil {
            throw ValidationError("--tolerance: regions are only known with --scene SCENE")
        }
        if [json, output, errorMap, junit].count(where: \.isStandardOutput) > 1 {
            throw ValidationError("only one of --json, --output, --error-map and --junit can write to standard output")
        }
        if errorMap != nil, options.metric == .channel || options.metric == .yiq {
            throw ValidationError("--error-map: not for --metric \(options.metric.rawValue), whose pixels are counted")
        }
    }

    func run() throws {
        let clock = ContinuousClock()
        let start = clock.now
        var comparison = try options.comparison()
        let file = try scene.map { try SceneFile.read($0.path, allowsOutside: files.allowOutside) }
        comparison.scene = file?.scene
        var uses = fileUses()
        if let file { uses.readImages(of: file) }
        try uses.check()
        try output?.misnomer("-o", for: .png).refuse()
        try errorMap?.misnomer("--error-map", for: .png).refuse()
        let pictures = try PictureFiles(reference: reference.path, actual: actual.path)
        let difference = try comparison.compare(reference: pictures.reference, actual: pictures.actual)
        if let output {
            try Output(output).write(PNG.encode(DifferencePicture.draw(difference, over: pictures.reference)))
        }
        if let errorMap, let picture = ErrorMapPicture.draw(difference) {
            try Output(errorMap).write(PNG.encode(picture))
        }
        if let json { try Output(json).write(difference.json.text() + "\n") }
        if let junit { try Output(junit).write(report(difference, after: clock.now - start).xml) }
        if !quiet, ![json, output, errorMap, junit].contains(where: \.isStandardOutput) {
            try Output.standard.write(lines(difference))
        }
        if !difference.isSame { throw Failure.Code.checkFailed.alone }
    }

    /// A line for each finding, the values below each other.
    private func lines(_ difference: Difference) -> String {
        let style = color.style
        let facts = difference.facts
        let width = (facts.map(\.label.count).max() ?? 0) + 2
        let indent = style.hasMarks ? "  " : ""
        return facts.enumerated().map { index, fact in
            let label = fact.label.padded(to: width)
            let head =
                index == 0 ? style.result(label, isGood: difference.isSame) : indent + style.colored(label, .faint)
            let gap = "\n" + indent + "".padded(to: width)
            return head + fact.values.joined(separator: gap) + "\n"
        }.joined()
    }

    private func report(_ difference: Difference, after duration: Duration) -> JUnit {
        let result = JUnit.Case(
            suite: "diff", name: "\(reference.path) \(actual.path)", seconds: duration / .seconds(1),
            failure: difference.isSame ? nil : difference.summary,
            output: difference.isSame ? difference.summary : nil)
        return JUnit(name: "loupe-render diff", cases: [result])
    }
}

/// How pictures are compared: the flags of `diff` that make a `Comparison`.
struct DiffOptions: ParsableArguments {
    enum MetricName: String, ExpressibleByArgument, CaseIterable {
        case channel, yiq, flip, ssim
        case ssimRGB = "ssim-rgb"
        case msSSIM = "ms-ssim"
        case oklab
    }

    @Option(
        help: ArgumentHelp(
            "channel: the largest difference of a premultiplied 8-bit channel; yiq: as pixelmatch 7.2.0 does; flip: what a person sees who alternates between the pictures; ssim, ssim-rgb, ms-ssim: 1 − structural similarity; oklab: 100 × the distance of the colours.",
            valueName: "metric"))
    var metric: MetricName = .channel

    @Option(
        help: ArgumentHelp(
            "channel only: the largest difference of a channel that passes, 0 to 255; with --scene also for regions: 2,rim=3,page-edge=3. Default: 0.",
            valueName: "N[,REGION=N…]"))
    var tolerance: Tolerance?

    @Option(
        help: ArgumentHelp(
            "Not for channel: the largest error of a pixel that passes. Default: 0.1, oklab 2; none with --max-mean.",
            valueName: "T"))
    var threshold: Double?

    @Option(
        help: ArgumentHelp(
            "Not for channel and yiq: the largest mean of the errors that passes.", valueName: "N"))
    var maxMean: Double?

    @Option(
        help: ArgumentHelp(
            "flip only: pixels per degree of the field of view. Default: 67.02, from the next three.", valueName: "N"))
    var pixelsPerDegree: Double?

    @Option(help: ArgumentHelp("flip only: metres from the eye to the screen. Default: 0.7.", valueName: "N"))
    var distance: Double?

    @Option(help: ArgumentHelp("flip only: the screen's width in metres. Default: 0.7.", valueName: "N"))
    var screenWidth: Double?

    @Option(help: ArgumentHelp("flip only: the screen's columns. Default: 3840.", valueName: "N"))
    var screenPixels: Double?

    @Flag(name: .customLong("include-aa"), help: "yiq only: count pixels that look anti-aliased too.")
    var includeAntialiased = false

    @Option(help: ArgumentHelp("How many pixels may differ. Default: 0.", valueName: "N"))
    var maxPixels: Int?

    @Option(help: ArgumentHelp("Which part of the pixels may differ, 0 to 1.", valueName: "P"))
    var maxRatio: Double?

    @Option(help: ArgumentHelp("Pixels to leave out; repeat for more.", valueName: "X,Y,W,H"))
    var ignore: [PixelBlock] = []

    @Option(
        help: ArgumentHelp("A PNG of the pictures' size; pixels that are white in it are left out.", valueName: "PNG"))
    var mask: InputPath?

    func validate() throws {
        switch metric {
        case .channel:
            if threshold != nil {
                throw ValidationError("--threshold: not for --metric channel, which has --tolerance")
            }
            if includeAntialiased {
                throw ValidationError("--include-aa: only for --metric yiq; channel leaves out no pixel")
            }
        case .yiq, .flip, .ssim, .ssimRGB, .msSSIM, .oklab:
            if tolerance != nil {
                throw ValidationError("--tolerance: only for --metric channel; \(metric.rawValue) has --threshold")
            }
            if includeAntialiased, metric != .yiq {
                throw ValidationError("--include-aa: only for --metric yiq; \(metric.rawValue) leaves out no pixel")
            }
        }
        if maxMean != nil, metric == .channel || metric == .yiq {
            throw ValidationError("--max-mean: not for --metric \(metric.rawValue), whose pixels are counted")
        }
        try validateViewing()
        if let maxPixels, maxPixels < 0 {
            throw ValidationError("--max-pixels: \(maxPixels) is out of range; allowed is 0 and more")
        }
    }

    private func validateViewing() throws {
        let viewing = [
            ("--distance", distance), ("--screen-width", screenWidth), ("--screen-pixels", screenPixels),
        ].filter { $1 != nil }
        let given = (pixelsPerDegree == nil ? [] : ["--pixels-per-degree"]) + viewing.map(\.0)
        if let option = given.first, metric != .flip {
            throw ValidationError("\(option): only for --metric flip")
        }
        if pixelsPerDegree != nil, let option = viewing.first?.0 {
            throw ValidationError("--pixels-per-degree, \(option): both say the same; leave one of them out")
        }
    }

    /// Of the field of view.
    private func viewing() throws -> Double {
        if let pixelsPerDegree {
            return try FlagValue.checked(
                "--pixels-per-degree", pixelsPerDegree, in: ErrorMetric.pixelsPerDegreeRange)
        }
        let found = ErrorMetric.pixelsPerDegree(
            distance: try FlagValue.checked("--distance", distance ?? 0.7, in: 0.01...100),
            width: try FlagValue.checked("--screen-width", screenWidth ?? 0.7, in: 0.01...100),
            pixels: try FlagValue.checked("--screen-pixels", screenPixels ?? 3840, in: 1...1_000_000))
        return try FlagValue.checked(
            "--distance, --screen-width, --screen-pixels: pixels per degree", found,
            in: ErrorMetric.pixelsPerDegreeRange)
    }

    private func errors(_ metric: ErrorMetric) throws -> Metric {
        let threshold = try threshold.map { try FlagValue.checked("--threshold", $0, in: metric.limitRange) }
        let mean = try maxMean.map { try FlagValue.checked("--max-mean", $0, in: metric.limitRange) }
        let standard = mean == nil ? metric.standardThreshold : nil
        return .error(metric, ErrorLimits(threshold: threshold ?? standard, mean: mean))
    }

    /// - Throws: `Failure` where a value is out of range; `ImageError` where the mask can't be read.
    func comparison() throws -> Comparison {
        let metric: Metric =
            switch metric {
            case .channel: .channel(tolerance ?? Tolerance())
            case .yiq:
                .yiq(
                    threshold: try FlagValue.checked("--threshold", threshold ?? 0.1, in: Metric.thresholdRange),
                    includesAntialiased: includeAntialiased)
            case .flip: try errors(.flip(pixelsPerDegree: viewing()))
            case .ssim: try errors(.ssim(.luma))
            case .ssimRGB: try errors(.ssim(.rgb))
            case .msSSIM: try errors(.multiScaleSSIM)
            case .oklab: try errors(.oklab)
            }
        let ratio = try maxRatio.map { try FlagValue.checked("--max-ratio", $0, in: Allowance.ratioRange) }
        return Comparison(
            metric: metric, allowance: Allowance(maxPixels: maxPixels, maxRatio: ratio),
            exclusion: Exclusion(rects: ignore.map(\.rect), mask: try mask.map { try PNG.read(path: $0.path) }))
    }
}

/// `X,Y,W,H`, whole pixels; it may reach beyond the picture.
struct PixelBlock: ExpressibleByArgument {
    let rect: PixelRect

    init?(argument: String) {
        guard let parts = argument.parts(between: ",", { Int($0) }), parts.count == 4 else { return nil }
        let limit = 1_000_000
        guard parts.allSatisfy({ -limit...limit ~= $0 }), parts[2] > 0, parts[3] > 0 else { return nil }
        rect = PixelRect(minX: parts[0], minY: parts[1], maxX: parts[0] + parts[2], maxY: parts[1] + parts[3])
    }
}

extension Tolerance: ExpressibleByArgument {
    /// `3`, `rim=3,page-edge=3` or both: a number for all, and numbers for regions, each at most once.
    public init?(argument: String) {
        var base: Int?
        var regions: [PictureRegion: Int] = [:]
        for part in argument.split(separator: ",", omittingEmptySubsequences: false) {
            let sides = part.split(separator: "=", omittingEmptySubsequences: false)
            guard let text = sides.last, let value = Int(text), Tolerance.range.contains(value) else { return nil }
            switch sides.count {
            case 1:
                guard base == nil else { return nil }
                base = value
            case 2:
                guard let region = PictureRegion(rawValue: String(sides[0])), regions[region] == nil else { return nil }
                regions[region] = value
            default: return nil
            }
        }
        self.init(base ?? 0, regions: regions)
    }
}
