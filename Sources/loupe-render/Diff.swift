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
            Pictures are PNG, JPEG or WebP. In folders they match by their path below the folder. Regions of --scene: rim \
            (with its feathered borders), page-edge and corner (less than a pixel from a layer's outline), loupe-interior, \
            page, background. Exit codes: 0 the same within the limits; 1 not, or references were written; 65 a picture \
            can't be read.
            """)

    @Argument(help: ArgumentHelp("The picture as it should be, or a folder of such.", valueName: "reference"))
    var reference: InputPath

    @Argument(help: ArgumentHelp("The picture as it is, or a folder of such.", valueName: "actual"))
    var actual: InputPath

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
            "Write a figure for who reviews the change: the reference, and at most four places that hold all that differs, each as it should be and as it is. - is standard output.",
            valueName: "PNG"))
    var figure: OutputPath?

    @OptionGroup var outputs: ReportOutputs

    func validate() throws {
        try FlagValue.checkStandardOutput(outputs.files + [("--output", output), ("--figure", figure)])
    }

    func run() throws {
        let areFolders = [reference, actual].map { $0.path.isFolder }
        if areFolders == [true, true] { return try compareFolders() }
        // What is not there is neither.
        for path in [reference.path, actual.path] where !PagePath(path).file.exists {
            throw FileError.unreadable(path: path.description, reason: "No such file or directory")
        }
        guard areFolders == [false, false] else {
            let kinds = areFolders.map { $0 ? "folder" : "file" }
            throw Failure(
                .badInput,
                "\(reference.path) is a \(kinds[0]) and \(actual.path) a \(kinds[1]); compare two of a kind")
        }
        try comparePictures()
    }

    // MARK: - Two pictures

    /// The numbers of `--json` of two pictures, for the words of a command line.
    static func answer(_ words: [String]) throws -> JSONValue {
        do {
            return try parse(words).compared().verdict.json
        } catch {
            switch exitCode(for: error) {
            case .validationFailure: throw Failure(.usage, message(for: error))
            case .success: throw Failure(.usage, "diff: help and the version are for a terminal; name two pictures")
            default: throw error
            }
        }
    }

    private func comparePictures() throws {
        let start = ContinuousClock.now
        let (pictures, limits, verdict) = try compared()
        try write(verdict, of: limits, pictures, milliseconds: (ContinuousClock.now - start).milliseconds)
        if !verdict.isMet { throw Failure.Code.checkFailed.alone }
    }

    private func compared() throws -> (pictures: PictureFiles, limits: CaseLimits, verdict: Verdict) {
        if let regions = options.tolerance?.regions, !regions.isEmpty, scene == nil {
            throw Failure(.usage, "--tolerance: regions are only known with --scene SCENE")
        }
        let alone = [
            ("--limits", limits != nil), ("--accept", accept != nil), ("--figures", outputs.figures != nil),
        ]
        if let flag = alone.first(where: \.1)?.0 { throw Failure(.usage, "\(flag): only for two folders") }
        var comparison = try options.comparison()
        var uses = fileUses()
        if let scene {
            let file = try SceneFile.read(scene.path, allowsOutside: files.allowOutside)
            comparison.scene = file.scene
            uses.readImages(of: file)
        }
        try uses.check()
        try output?.path.misnomer("-o", for: .png).refuse()
        try figure?.path.misnomer("--figure", for: .png).refuse()
        let pictures = try PictureFiles(reference: reference.path, actual: actual.path)
        let limits = CaseLimits(comparison)
        let verdict = try Verdict(
            limits, reference: pictures.reference, actual: pictures.actual,
            findsChange: !outputs.quiet || !outputs.files.isEmpty)
        return (pictures, limits, verdict)
    }

    /// Writes all that is asked for of two pictures.
    private func write(
        _ verdict: Verdict, of limits: CaseLimits, _ pictures: PictureFiles, milliseconds: Double
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
            PictureCase(reference: reference.path, actual: actual.path), verdict, of: limits,
            reference: pictures.reference, actual: pictures.actual, keepsPictures: outputs.report != nil,
            milliseconds: milliseconds)
        let report = VerifyReport(cases: [result], subject: .pictures, milliseconds: milliseconds)
        if let junit = outputs.junit { try Output(junit).write(report.junit) }
        if let page = outputs.report { try Output(page).write(HTMLPage(report)) }
        if !outputs.quiet, !outputs.usesStandardOutput, !output.isStandardOutput, !figure.isStandardOutput {
            let (word, style) = (verdict.isMet ? "same:" : "differs:", outputs.color.style)
            let lines = verdict.findings.map(\.forTerminal).joined(separator: "\n  ")
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

    // MARK: - Two folders

    private func compareFolders() throws {
        let start = ContinuousClock.now
        let limits = CaseLimits(try options.comparison())
        let folders = try PictureFolders(
            references: reference.path, actuals: actual.path, allowsOutside: files.allowOutside)
        guard !folders.cases.isEmpty else {
            throw Failure(
                .badInput,
                "\(reference.path), \(actual.path): no picture (.png, .jpg, .jpeg, .webp) in either; nothing to compare"
            )
        }
        let stated = try self.limits?.document { bytes in
            let list = try LimitsList(parsing: bytes, over: limits)
            try list.check(among: folders.cases)
            return list
        }
        let accepted = try accept?.document { bytes in
            let list = try AcceptList(parsing: bytes)
            try list.check(among: folders.cases.map(\.path))
            return list
        }
        var uses = fileUses()
        folders.declare(in: &uses, accepted)
        outputs.declareFigures(of: folders.cases.map(\.title), in: &uses)
        try uses.check()
        try checkFlags(of: folders)
        if let sentence = folders.unread { StandardError.warn(sentence) }
        let verifier = PictureVerifier(
            limits: limits, stated: stated ?? LimitsList(), accepted: accepted, keepsPictures: outputs.needsPictures)
        let results = try verifier.verify(folders.cases)
        let report = VerifyReport(
            cases: results, subject: .pictures, milliseconds: (ContinuousClock.now - start).milliseconds)
        try outputs.tellCases(of: report)
        try outputs.write(report)
        if report.count(.broken) > 0 { throw Failure.Code.badInput.alone }
        if !report.isSame { throw Failure.Code.checkFailed.alone }
    }

    /// Refuses what only two pictures have, and names that a text can't say.
    private func checkFlags(of folders: PictureFolders) throws {
        let alone: [(String, Bool)] = [
            ("--scene", scene != nil), ("--output", output != nil), ("--figure", figure != nil),
            ("--tolerance: regions", options.tolerance.map { !$0.regions.isEmpty } ?? false),
        ]
        if let flag = alone.first(where: \.1)?.0 {
            throw Failure(
                .usage, "\(flag): only for two pictures; folders have --report, --json, --junit and --figures")
        }
        if let flag = outputs.files.first?.flag { try TextNames.check(folders.cases.map(\.path), in: flag) }
    }
}
