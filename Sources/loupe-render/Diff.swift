import ArgumentParser
import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupePipeline
import LoupeReport
import LoupeScene
import LoupeSystem

/// `loupe-render diff`: compares two pictures, or two folders of pictures.
struct Diff: LoupeCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff",
        abstract:
            "Compares two pictures, or two folders of them: where they differ, by how much, which limits would pass.",
        discussion: """
            Pictures are PNG, JPEG, WebP, TIFF, GIF, HEIC, AVIF, SVG or PDF. In folders they match by their path below the folder. PDFs of several \
            pages are compared page by page; a.pdf#2 is one of them. Regions of --scene: rim (with its feathered borders), \
            page-edge and corner (less than a pixel from a layer's outline), loupe-interior, page, background. Exit codes: \
            0 the same within the limits; 1 not, or references were written; 65 a picture can't be read; 66 there is \
            nothing to compare.
            """)

    @Argument(help: ArgumentHelp("The picture as it should be, or a folder of such.", valueName: "reference"))
    var reference: InputPath

    @Argument(help: ArgumentHelp("The picture as it is, or a folder of such; none with --layout.", valueName: "actual"))
    var actual: InputPath?

    @OptionGroup(title: "Comparing") var options: DiffOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var process: WorkOptions

    @Option(
        help: ArgumentHelp("The scene that the reference shows; sorts the differences by region.", valueName: "SCENE")
    )
    var scene: InputPath?

    @Option(
        help: ArgumentHelp("Limits of single pictures of the folders, as JSON.", valueName: "LIST"))
    var limits: InputPath?

    @Option(
        help: ArgumentHelp(
            "What differences beside the pixels mean, such as another density, profile or palette. named: the result names them; strict: they are failures. Default: named.",
            valueName: "named|strict"))
    var metadata: MetadataRule?

    @Option(
        help: ArgumentHelp(
            "One folder has both kinds of pictures, as the tool leaves them: test-results of Playwright, the folder of baseline and comparison (or base and actual) of Cypress, that of __received_output__ of Storybook's test runner.",
            valueName: "playwright|cypress|storybook"))
    var layout: PictureLayout?

    @Option(help: ArgumentHelp("The pages of PDFs and TIFFs to compare. Default: all.", valueName: "N|N-M|N-"))
    var pages: PageRange?

    @Option(
        help: ArgumentHelp("Pixels an inch of SVGs and PDFs, 1 to 2400. Default: 96.", valueName: "N"),
        transform: FlagValue.decimal)
    var dpi: Double?

    @Flag(help: "A warning is an error, with code 65, as of what is not compared or not drawn.")
    var strict = false

    @Option(
        help: ArgumentHelp(
            "Copy the pictures that a person accepted in the --report to the references; the run still ends in 1.",
            valueName: "LIST"))
    var accept: InputPath?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp(
            "Write a picture of the differences: boxes for channel and yiq, errors in the colours of magma for other metrics. - is standard output.",
            valueName: "PNG"))
    var output: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write a figure for who reviews the change: the reference, and below it the four places that differ most, each as it should be and as it is. - is standard output.",
            valueName: "PNG"))
    var figure: OutputPath?

    @OptionGroup var outputs: ReportOutputs

    func validate() throws {
        guard (actual == nil) == (layout != nil) else {
            throw ValidationError(
                layout == nil
                    ? "Missing expected argument '<actual>'" : "--layout: name one folder, below which all pictures lie"
            )
        }
        if layout != nil, accept != nil {
            throw ValidationError("--accept: not with --layout; the tool that drew the pictures writes its references")
        }
        try FlagValue.check("--dpi", dpi, in: 1...2400)
        try FlagValue.checkStandardOutput(outputs.files + [("--output", output), ("--figure", figure)])
    }

    func run() throws {
        let areFolders = [reference.path, actualPath].map { $0.isFolder }
        if areFolders == [true, true] { return try compareFolders() }
        // What is not there is neither.
        for path in [reference.path, actualPath] where !PagePath(path).file.exists {
            throw FileError.unreadable(path: path.description, reason: "No such file or directory")
        }
        guard layout == nil else { throw Failure(.usage, "--layout: \(reference.path) is no folder") }
        guard areFolders == [false, false] else {
            let kinds = areFolders.map { $0 ? "folder" : "file" }
            throw Failure(
                .badInput,
                "\(reference.path) is a \(kinds[0]) and \(actualPath) a \(kinds[1]); compare two of a kind")
        }
        let pair = PictureCase(reference: reference.path, actual: actualPath)
        let cases = pair.pages(pages)
        if let last = pages?.last, let there = cases.last?.page, there < last {
            try warn(["--pages: neither file has more than \(there) pages"])
        }
        if cases.count == 1, cases[0].page == nil || pages != nil && cases[0].isPair { return try compare(cases[0]) }
        try comparePages(cases)
    }

    /// With a layout both folders are one.
    private var actualPath: Path { (actual ?? reference).path }
    private var places: String { actual.map { "\(reference.path) and \($0.path)" } ?? reference.path.description }

    private static let noVector = "--dpi: only for SVGs and PDFs; these pictures have pixels of their own"

    private func comparison() throws -> Comparison {
        var comparison = try options.comparison()
        comparison.countsMetadata = metadata == .strict
        return comparison
    }

    /// Warns, or fails where warnings are errors.
    private func warn(_ sentences: [String]) throws {
        if strict, let first = sentences.first { throw Failure(.badInput, first) }
        for sentence in sentences { StandardError.warn(sentence) }
    }

    // MARK: - Two pictures

    /// The numbers of `--json` of two pictures, for the words of a command line.
    static func answer(_ words: [String]) throws -> JSONValue {
        do {
            let diff = try parse(words)
            let pair = PictureCase(reference: diff.reference.path, actual: diff.actualPath)
            let cases = diff.pages == nil ? [pair] : pair.pages(diff.pages)
            guard cases.count == 1, cases[0].isPair else {
                throw Failure(.noInput, "--pages: choose one page that both have")
            }
            let (_, _, verdict) = try diff.compared(cases[0])
            if diff.strict { try diff.warn(verdict.difference.warnings) }
            return verdict.json
        } catch {
            switch exitCode(for: error) {
            case .validationFailure: throw Failure(.usage, message(for: error))
            case .success: throw Failure(.usage, "diff: help and the version are for a terminal; name two pictures")
            default: throw error
            }
        }
    }

    private func compare(_ pair: PictureCase) throws {
        let start = ContinuousClock.now
        let (pictures, limits, verdict) = try compared(pair)
        try warn(verdict.difference.warnings)
        try write(verdict, of: limits, pictures, pair, milliseconds: (ContinuousClock.now - start).milliseconds)
        if !verdict.isMet { throw Failure.Code.checkFailed.alone }
    }

    private func compared(_ pair: PictureCase) throws -> (pictures: PictureFiles, limits: CaseLimits, verdict: Verdict)
    {
        if let regions = options.tolerance?.regions, !regions.isEmpty, scene == nil {
            throw Failure(.usage, "--tolerance: regions are only known with --scene SCENE")
        }
        if let flag = ofFolders ?? outputs.figures.map({ _ in "--figures" })
            ?? (outputs.jsonPictures ? "--json-pictures" : nil)
        {
            throw Failure(.usage, "\(flag): only for two folders")
        }
        var comparison = try self.comparison()
        var uses = fileUses()
        if let scene {
            let file = try SceneFile.read(scene.path, allowsOutside: files.allowOutside)
            comparison.scene = file.scene
            uses.readImages(of: file)
        }
        try uses.check()
        try output?.path.misnomer("-o", for: .png).refuse()
        try figure?.path.misnomer("--figure", for: .png).refuse()
        if pages != nil, pair.page == nil { throw Failure(.usage, "--pages: only for PDFs and TIFFs") }
        let pictures = try PictureFiles(pair, dpi: dpi ?? 96)
        guard dpi == nil || pictures.dpi != nil else { throw Failure(.usage, Self.noVector) }
        let limits = CaseLimits(comparison)
        let verdict = try pictures.verdict(limits, findsChange: !outputs.quiet || !outputs.files.isEmpty)
        return (pictures, limits, verdict)
    }

    /// Writes all that is asked for of two pictures.
    private func write(
        _ verdict: Verdict, of limits: CaseLimits, _ pictures: PictureFiles, _ pair: PictureCase, milliseconds: Double
    ) throws {
        if let output {
            let picture =
                ErrorMapPicture.draw(verdict.difference)
                ?? DifferencePicture.draw(verdict.difference, over: pictures.reference)
            try Output(output).write(PNG.encode(picture))
        }
        if let figure { try write(figure, of: verdict.difference, pictures) }
        if let json = outputs.json { try Output(json).write(verdict.json.text() + "\n") }
        let result = try CaseResult(
            pair, verdict, of: limits, reference: pictures.reference, actual: pictures.actual,
            keepsPictures: outputs.report != nil,
            milliseconds: milliseconds)
        let report = VerifyReport(cases: [result], subject: .pictures, milliseconds: milliseconds)
        if let junit = outputs.junit { try Output(junit).write(report.junit) }
        if let page = outputs.report { try Output(page).write(HTMLPage(report)) }
        if !outputs.quiet, !outputs.usesStandardOutput, !output.isStandardOutput, !figure.isStandardOutput {
            let (word, style) = (verdict.isMet ? "same:" : "differs:", outputs.color.style)
            let page = pair.pageCount.flatMap { $0 > 1 ? "page \(pair.page ?? 1) of \($0)" : nil }
            let lines = (verdict.findings + [page].compactMap(\.self)).map(\.forTerminal).joined(separator: "\n  ")
            try Output.standard.write("\(style.result(word, isGood: verdict.isMet)) \(lines)\n")
        }
    }

    /// Writes the figure, or says why there is none.
    private func write(_ path: OutputPath, of difference: Difference, _ pictures: PictureFiles) throws {
        do {
            let figure = try DifferenceFigure(difference, expected: pictures.reference, actual: pictures.actual)
            try Output(path).write(figure.png())
        } catch let missing as DifferenceFigure.Missing {
            StandardError.note("--figure: nothing is written, as \(missing.why)")
        }
    }

    // MARK: - Pages

    private func comparePages(_ cases: [PictureCase]) throws {
        if let flag = ofTwoPictures ?? ofFolders {
            throw Failure(
                .usage,
                "\(flag): not for several pages; they have --report, --json, --junit and --figures, and --pages N chooses one"
            )
        }
        guard !cases.isEmpty else {
            throw Failure(
                .noInput, "--pages: \(reference.path) and \(actualPath) have no such page; nothing to compare")
        }
        if dpi != nil, try !ImageFile(path: reference.path).isVector, try !ImageFile(path: actualPath).isVector {
            throw Failure(.usage, Self.noVector)
        }
        let start = ContinuousClock.now
        let limits = CaseLimits(try comparison())
        var uses = fileUses()
        outputs.declareFigures(of: cases.map { ($0.title, $0.path) }, in: &uses)
        try uses.check()
        try finish(
            cases, PictureVerifier(limits: limits, keepsPictures: outputs.needsPictures, dpi: dpi ?? 96), since: start)
    }

    // MARK: - Two folders

    private func compareFolders() throws {
        let start = ContinuousClock.now
        let limits = CaseLimits(try comparison())
        let folders = try PictureFolders(
            references: reference.path, actuals: actualPath, allowsOutside: files.allowOutside, layout: layout)
        guard !folders.cases.isEmpty else {
            let kind = layout.map { "as --layout \($0.rawValue) names them" } ?? "(\(PictureFolders.endingsInWords))"
            throw Failure(.noInput, "\(places): no picture \(kind); nothing to compare")
        }
        let stated = try self.limits?.document { bytes in
            let list = try LimitsList(parsing: bytes, over: limits)
            try list.check(among: folders.cases)
            return list
        }
        let cases = folders.pages(pages)
        let accepted = try accept?.document { bytes in
            let list = try AcceptList(parsing: bytes)
            try list.check(among: cases.map(\.path))
            return list
        }
        guard dpi == nil || folders.hasVectors else { throw Failure(.usage, Self.noVector) }
        var uses = fileUses()
        folders.declare(in: &uses, accepted)
        if pages != nil, !cases.contains(where: { $0.page != nil }) {
            throw Failure(.noInput, "--pages: no PDF or TIFF is in both folders; nothing to compare")
        }
        outputs.declareFigures(of: cases.map { ($0.title, $0.path) }, in: &uses)
        try uses.check()
        try checkFlags(of: folders)
        let isOne = layout == nil && reference.path.real == actualPath.real
        try warn(
            [isOne ? "\(places) are one folder, which is compared with itself" : nil, folders.unread].compactMap(\.self)
        )
        let verifier = PictureVerifier(
            limits: limits, stated: stated ?? LimitsList(), accepted: accepted, keepsPictures: outputs.needsPictures,
            dpi: dpi ?? 96)
        try finish(cases, verifier, notCompared: folders.others, since: start)
    }

    /// Compares the cases, says how they ended, and ends with the code of the worst.
    private func finish(
        _ cases: [PictureCase], _ verifier: PictureVerifier, notCompared: [Path] = [],
        since start: ContinuousClock.Instant
    ) throws {
        var report = VerifyReport(cases: try verifier.verify(cases), subject: .pictures, milliseconds: 0)
        report.milliseconds = (ContinuousClock.now - start).milliseconds
        report.notCompared = notCompared
        if cases.allSatisfy({ $0.page != nil }) { report.unit = "page" }
        if pages != nil {
            let files = Dictionary(grouping: cases.filter { $0.page != nil }) { PagePath($0.path).file }.values
            let all = files.reduce(0) { $0 + ($1[0].pageCount ?? 0) }
            report.chosenPages = "; \(files.reduce(0) { $0 + $1.count }) of \(all) pages"
        }
        try warn(report.cases.flatMap(\.warnings))
        try outputs.tellCases(of: report)
        try outputs.write(report)
        if report.count(.broken) > 0 { throw Failure.Code.badInput.alone }
        if !cases.contains(where: \.isPair), report.count(.written) == 0 {
            throw Failure(
                .noInput, "\(places): no picture or page in common; nothing was compared"
            )
        }
        if !report.isSame { throw Failure.Code.checkFailed.alone }
    }

    /// An option that only two pictures have and that is given.
    private var ofTwoPictures: String? {
        let alone: [(String, Bool)] = [
            ("--scene", scene != nil), ("--output", output != nil), ("--figure", figure != nil),
            ("--tolerance: regions", options.tolerance.map { !$0.regions.isEmpty } ?? false),
        ]
        return alone.first(where: \.1)?.0
    }

    /// An option that only two folders have and that is given.
    private var ofFolders: String? {
        let alone = [("--limits", limits != nil), ("--accept", accept != nil)]
        return alone.first(where: \.1)?.0
    }

    /// Refuses what only two pictures have, and names that a text can't say.
    private func checkFlags(of folders: PictureFolders) throws {
        if let flag = ofTwoPictures {
            throw Failure(
                .usage, "\(flag): only for two pictures; folders have --report, --json, --junit and --figures")
        }
        if let flag = outputs.files.first?.flag { try TextNames.check(folders.cases.map(\.path), in: flag) }
    }
}
