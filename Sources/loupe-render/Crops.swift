import ArgumentParser
import LoupeBase
import LoupeCompare
import LoupeFigure
import LoupeImaging
import LoupePipeline
import LoupeReport
import LoupeScene
import LoupeSystem
import Synchronization

/// `loupe-render crops`: a reference, several methods, the same crops of each, an error under each.
struct Crops: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "crops",
        abstract:
            "Draws a figure of a reference and the same crops of it and of several methods, with an error under each.",
        usage: "loupe-render crops --reference REFERENCE METHOD… -o OUT [options]",
        discussion: """
            loupe-render crops --reference ref.png ours.png theirs.png -o figure.pdf
            loupe-render crops --reference ref.png ours.png theirs.png --region 300,200,96x64 --region 20,80,96x64 \
            --metric psnr,ssim -o figure.pdf --width 85mm

            All pictures have one size. Each number is that of the crop above it, taken as a picture of its own; the last \
            line is about the whole pictures. The best numbers are bold. Translucent pixels are compared over white.

            All pictures may be EXRs or PFMs. Their numbers are those of the light in them: mse, psnr, relmse and flip, which \
            is HDR-FLIP then. The other metrics judge what the figure shows, at the exposure of --exposure.
            """)

    @Argument(help: ArgumentHelp("The pictures of the methods.", valueName: "method"))
    var methods: [InputPath]

    @Option(help: ArgumentHelp("The picture as it should be.", valueName: "PICTURE"))
    var reference: InputPath

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "The figure to write: a PDF or an SVG by its name's ending, else a PNG; - is standard output, for a PNG.",
            valueName: "out"))
    var output: OutputPath?

    @Option(
        help: ArgumentHelp(
            "A region to crop, in pixels of the pictures, such as 300,200,96x64 or 300,200..396,264; repeat for more.",
            valueName: "X,Y,WxH"), transform: PixelRect.init(flag:))
    var region: [PixelRect] = []

    @Option(
        help: ArgumentHelp(
            "Choose so many regions where the methods differ most, 1 to 8. Default: 2, where no regions are given or drawn.",
            valueName: "N"))
    var regions: Int?

    @Option(
        help: ArgumentHelp(
            "Crop what the loupes of this scene show of its page; loupe-render edit saves such scenes.",
            valueName: "SCENE"))
    var regionsOf: InputPath?

    @Option(
        help: ArgumentHelp(
            "The numbers under the crops, with commas between for several: \(CropMetrics.names). Default: flip.",
            valueName: "METRIC,…"))
    var metric = CropMetrics(all: [.diff(.flip)])

    @Option(
        help:
            "What stands in columns: the methods, with the whole reference beside them, or the regions, with it above.")
    var across = Across.methods

    @Option(help: "What the methods' crops show: crops, or where they differ from the reference.")
    var show = Shown.crops

    @Option(
        help: ArgumentHelp(
            "Show the picture of this title in the left half of each method's crop, so that both meet: Reference, or a method.",
            valueName: "TITLE"))
    var split: String?

    @Option(
        help: ArgumentHelp(
            "How many pixels of the figure a pixel of the widest region has on each side, 1 to 64. Default: so many that the figure has 2100 columns.",
            valueName: "N"))
    var zoom: Int?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Show EXRs and PFMs so many stops brighter, -32 to 32: light times 2^EV, then sRGB's curve. Default: 0.",
            valueName: "EV"), transform: FlagValue.decimal)
    var exposure: Double?

    @OptionGroup(title: "Text") var text: CropsTextOptions
    @OptionGroup var device: DeviceOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup(title: "What is written beside the pixels") var beside: OutputOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var process: WorkOptions

    @Option(help: ArgumentHelp("Write all numbers as JSON; - is standard output.", valueName: "path"))
    var json: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write one HTML page to look at all pictures: a loupe moves over all at once, and a click shows the next one. - is standard output.",
            valueName: "path"))
    var report: OutputPath?

    @Flag(help: "Write the figure's scene as JSON to standard output and draw nothing.")
    var printScene = false

    func validate() throws {
        if [!region.isEmpty, regions != nil, regionsOf != nil].filter(\.self).count > 1 {
            throw ValidationError(
                "--region, --regions and --regions-of: the regions are given, chosen or drawn; keep one of the flags")
        }
        try FlagValue.check("--regions", regions.map(Double.init), in: 1...8.0)
        try FlagValue.check("--zoom", zoom.map(Double.init), in: 1...64.0)
        try FlagValue.check("--exposure", exposure, in: -32...32)
        if printScene, show != .crops {
            throw ValidationError("--print-scene: not with --show \(show.rawValue), whose pictures are in no file")
        }
        if split != nil, show != .crops {
            throw ValidationError("--split: not with --show \(show.rawValue), which draws no pictures")
        }
        try FlagValue.checkStandardOutput([
            ("-o", output), ("--json", json), ("--report", report), ("--map", beside.map),
            ("--show-plan", beside.showPlan),
        ])
    }

    func run() throws {
        guard output != nil || printScene || json != nil || report != nil else {
            throw Failure(.usage, "there is nowhere to write to; name a file with -o OUT, or - for standard output")
        }
        let began = ContinuousClock.now
        try fileUses().check()
        let light = try readLight()
        if printScene, light != nil {
            throw Failure(.usage, "--print-scene: not with EXRs and PFMs, whose shown pictures are in no file")
        }
        let job = try job(isInFiles: light == nil && show == .crops)
        try job.misnomer.refuse()
        let results = Mutex<(figure: CropsFigure, pictures: [Image])?>(nil)
        let read = { @Sendable [self] in
            let (file, figure, pictures) = try readScene(job, light)
            results.withLock { $0 = (figure, pictures) }
            return file
        }
        if printScene || output == nil {
            let file = try read()
            try job.refuse(file.unseen)
            if printScene { try Output.standard.write(SceneEncoder().encode(file.scene)) }
        } else {
            _ = try job.draw(since: began, reading: read) { device.pipeline(fallback) }
        }
        guard let (figure, pictures) = results.withLock({ $0 }) else { return }
        if let json { try Output(json).write(figure.json.text() + "\n") }
        if let report { try Output(report).write(HTMLPage(figure, pictures)) }
    }

    /// What is written, and how large it is on paper: two columns wide, unless something else is asked for.
    /// - Parameter isInFiles: whether all that the figure shows is in files.
    private func job(isInFiles: Bool) throws -> RenderJob {
        var settings = RenderJob.Settings()
        settings.options.depth = beside.depth
        settings.options.maxPixels = limits.maxPixels
        settings.options.isDescribed = !beside.noMetadata && isInFiles
        (settings.isStrict, settings.quality) = (beside.strict, beside.quality)
        (settings.paper.height, settings.paper.dpi) = (beside.height, beside.dpi)
        settings.usualPaper.width = PaperLength(text: "7in")
        settings.paper.width = beside.height == nil ? beside.width ?? settings.usualPaper.width : beside.width
        (settings.map, settings.plan) = (beside.map?.path, beside.showPlan?.path)
        return try RenderJob(reference.path, to: output?.path, GivenOptions(), settings)
    }

    // MARK: - The pictures

    /// The reference and the methods where they are EXRs or PFMs; nil where none is.
    private func readLight() throws -> [LinearImage]? {
        let limits = limits.maxPixels.map { ImageLimits(maxPixels: $0) } ?? ImageLimits()
        let paths = ([reference] + methods).map(\.path)
        let read = try LinearImage.readAll(paths, limits: limits)
        let light = read.compactMap(\.self)
        if light.isEmpty, exposure != nil {
            throw Failure(.usage, "--exposure: it is for EXRs and PFMs, and no picture is one; leave it out")
        }
        if let other = read.firstIndex(where: { $0 == nil }), !light.isEmpty {
            throw Failure(.badInput, "'\(paths[other])' is no EXR or PFM, as other pictures are; give all or none so")
        }
        return light.isEmpty ? nil : light
    }

    /// Pictures of linear light. What they show is added to the source.
    private func shownPictures(
        of light: [LinearImage], _ subjects: [CropsFigure.Subject], to source: ImageSource
    ) throws -> [CropPicture] {
        let pictures = Threads.map(light.count) { CropPicture(light[$0], exposure: exposure ?? 0) }
        for (subject, picture) in zip(subjects, pictures) { try source.insert(picture.shown, at: subject.image) }
        return pictures
    }

    // MARK: - The figure

    private func readScene(
        _ job: RenderJob, _ light: [LinearImage]?
    ) throws -> (file: SceneFile, figure: CropsFigure, pictures: [Image]) {
        let given = try OptionValues(GivenOptions(text))
        var subjects = try subjects(given)
        let source = ImageSource.workingFolder
        let pictures =
            try light.map { try shownPictures(of: $0, subjects, to: source) }
            ?? source.images(subjects.map { $0.image }, job.settings.options).map { CropPicture($0) }
        let shown = pictures.map(\.shown)
        for (subject, picture) in zip(subjects, shown) where picture.size != shown[0].size {
            throw Failure(
                .badInput,
                "'\(subject.image)' has \(picture.size) pixels and the reference '\(reference.path)' \(shown[0].size); pictures that are compared need one size"
            )
        }
        let regions = try regions(shown)
        let comparison = CropsComparison(pictures, regions: regions)
        if let map = CropMap(rawValue: show.rawValue) {
            try insert(comparison.maps(map), named: map.rawValue, into: source, &subjects)
        }
        var figure = CropsFigure(
            size: shown[0].size, subjects: subjects, regions: regions, measures: try comparison.measures(metric.all))
        (figure.isTurned, figure.leftHalf, figure.zoom) = (across == .regions, try leftHalf(subjects), zoom)
        figure.paperWidth = job.settings.paper.width?.inches ?? figure.paperWidth
        if let family = given.text(.labelFont) { figure.family = family }
        var file = try SceneFile(figure.scene(), images: source)
        if let alt = given.text(.alt) { file.scene.alt = alt }
        if let flag = json.map({ _ in "--json" }) ?? report.map({ _ in "--report" }) {
            try TextNames.check(([reference] + methods).map(\.path), in: flag)
        }
        return (try job.scaled(file), figure, shown)
    }

    /// The reference and the methods with their titles.
    private func subjects(_ given: OptionValues) throws -> [CropsFigure.Subject] {
        let paths = ([reference] + methods).map { ImagePath(bytes: $0.path.bytes) }
        let titles = given.texts(.titles) ?? ["Reference"] + paths.dropFirst().map { $0.title }
        guard titles.count == paths.count else {
            throw Failure(
                .usage, "--titles: there are \(titles.count) titles for \(paths.count) pictures; give one for each")
        }
        if let twice = titles.indices.first(where: { titles[..<$0].contains(titles[$0]) }) {
            throw Failure(
                .usage, "two pictures have the title '\(titles[twice])'; give each one of its own with --titles TEXT,…")
        }
        return zip(titles, paths).map { CropsFigure.Subject(name: $0, image: $1) }
    }

    /// The picture of the title of `--split`.
    private func leftHalf(_ subjects: [CropsFigure.Subject]) throws -> Int? {
        guard let split = split.map({ String(decoding: Arguments.bytes(of: $0), as: UTF8.self) }) else { return nil }
        // A method's own crops stay whole.
        let others = subjects.count > 2 ? subjects : Array(subjects.prefix(1))
        if let index = others.firstIndex(where: { $0.name == split }) { return index }
        let titles = others.map { "'\($0.name)'" }.joined(separator: ", ")
        throw Failure(
            .usage, "--split: '\(split)' is no title of a picture that can stand beside others; \(titles) can")
    }

    /// The regions that are given, drawn or chosen.
    private func regions(_ pictures: [Image]) throws -> [PixelRect] {
        let size = pictures[0].size
        let whole = PixelRect(width: size.width, height: size.height)
        if let beyond = region.first(where: { $0.intersection(whole) != $0 }) {
            let text = "\(beyond.minX),\(beyond.minY),\(beyond.width)x\(beyond.height)"
            throw Failure(.badInput, "--region: \(text) reaches beyond the pictures, which have \(size) pixels")
        }
        if !region.isEmpty { return region }
        if let regionsOf {
            let file = try SceneFile.read(regionsOf.path)
            let regions = file.scene.shownRegions(ofPageOf: size)
            let sizeOfPage = try file.scene.page?.imagePath.flatMap { try file.imageSizes[$0] }
            guard sizeOfPage == size, !regions.isEmpty else {
                throw Failure(
                    .badInput,
                    "--regions-of: '\(regionsOf.path)' has no loupe that shows a page of \(size) pixels, as the pictures have"
                )
            }
            return regions
        }
        return DifferingRegions.find(regions ?? 2, reference: pictures[0], actuals: Array(pictures.dropFirst()))
    }

    /// Gives the methods pictures in place of their crops.
    /// - Parameter maps: by method, then by region.
    private func insert(
        _ maps: [[Image]], named name: String, into source: ImageSource, _ subjects: inout [CropsFigure.Subject]
    ) throws {
        for (subject, maps) in zip(subjects.indices.dropFirst(), maps) {
            for (index, map) in maps.enumerated() {
                let path = ImagePath("\(name) \(index + 1) of \(subjects[subject].image)")
                try source.insert(map, at: path)
                subjects[subject].maps.append(path)
            }
        }
    }
}

/// The flags about a figure's text.
struct CropsTextOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The titles of the pictures, the reference's first. Default: Reference, and the names of the files.",
            valueName: "TEXT,…"))
    var titles: String?

    @Option(help: ArgumentHelp("The family of the font. Default: sans-serif.", valueName: "FAMILY"))
    var labelFont: String?

    @Option(
        help: ArgumentHelp(
            "What the figure shows, for readers who can't see it. Default: the titles and the numbers.",
            valueName: "TEXT"))
    var alt: String?
}

/// Metrics, with commas between.
struct CropMetrics: ExpressibleByArgument {
    let all: [CropMetric]

    static let names = CropMetric.all.map { $0.name }.joined(separator: ", ")

    init(all: [CropMetric]) { self.all = all }

    init?(argument: String) {
        guard
            let all = argument.parts(between: ",", { name in CropMetric.all.first { $0.name == name } }),
            Set(all).count == all.count
        else { return nil }
        self.all = all
    }

    var defaultValueDescription: String { all.map { $0.name }.joined(separator: ",") }
}

extension Crops {
    /// The content of the columns.
    enum Across: String, CaseIterable, ExpressibleByArgument {
        case methods, regions
    }

    /// The content of the methods' cells.
    enum Shown: String, CaseIterable, ExpressibleByArgument {
        case crops, flip, difference
    }
}
