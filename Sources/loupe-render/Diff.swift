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
        help: ArgumentHelp("Write a picture of the differences; - is standard output.", valueName: "PNG"))
    var output: OutputPath?

    @Option(
        help: ArgumentHelp(
            "Write the errors in the colours of magma; not for channel and yiq. - is standard output.", valueName: "PNG"
        ))
    var errorMap: OutputPath?

    @OptionGroup var outputs: ReportOutputs

    func validate() throws {
        try FlagValue.checkStandardOutput(outputs.files + [("--output", output), ("--error-map", errorMap)])
        if errorMap != nil, options.chosenMetric.isCounted {
            throw ValidationError(
                "--error-map: not for --metric \(options.chosenMetric.rawValue), whose pixels are counted")
        }
    }

    func run() throws {
        let areFolders = [reference, actual].map { $0.path.isFolder }
        if areFolders == [true, true] { return try compareFolders() }
        // What is not there is neither.
        for path in [reference.path, actual.path] where !path.exists {
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

    private func comparePictures() throws {
        if let regions = options.tolerance?.regions, !regions.isEmpty, scene == nil {
            throw Failure(.usage, "--tolerance: regions are only known with --scene SCENE")
        }
        if let flag = [("--limits", limits), ("--accept", accept)].first(where: { $1 != nil })?.0 {
            throw Failure(.usage, "\(flag): only for two folders")
        }
        let clock = ContinuousClock()
        let start = clock.now
        var comparison = try options.comparison()
        let file = try scene.map { try SceneFile.read($0.path, allowsOutside: files.allowOutside) }
        comparison.scene = file?.scene
        var uses = fileUses()
        if let file { uses.readImages(of: file) }
        try uses.check()
        try output?.path.misnomer("-o", for: .png).refuse()
        try errorMap?.path.misnomer("--error-map", for: .png).refuse()
        let pictures = try PictureFiles(reference: reference.path, actual: actual.path)
        let difference = try comparison.compare(reference: pictures.reference, actual: pictures.actual)
        // To tell what changed takes longer than to compare.
        let isSilent = outputs.quiet && outputs.json == nil && outputs.junit == nil
        let changes = difference.isSame || isSilent ? [] : try changes(comparison, difference, pictures, file)
        try write(difference, changes, of: pictures, comparison, after: clock.now - start)
        if !difference.isSame { throw Failure.Code.checkFailed.alone }
    }

    /// Writes all that is asked for of two pictures.
    private func write(
        _ difference: Difference, _ changes: [PictureChange], of pictures: PictureFiles, _ comparison: Comparison,
        after time: Duration
    ) throws {
        if let output {
            try Output(output).write(PNG.encode(DifferencePicture.draw(difference, over: pictures.reference)))
        }
        if let errorMap, let picture = ErrorMapPicture.draw(difference) {
            try Output(errorMap).write(PNG.encode(picture))
        }
        if let json = outputs.json { try Output(json).write(difference.json(changes).text() + "\n") }
        if let junit = outputs.junit { try Output(junit).write(junitResult(difference, changes, after: time).xml) }
        if let page = outputs.report {
            let verifier = PictureVerifier(
                limits: CaseLimits(comparison), keepsPictures: true, scenes: storedScene)
            let result = try verifier.verify(PictureCase(reference: reference.path, actual: actual.path))
            try Output(page).write(
                HTMLPage(VerifyReport(cases: [result], subject: .pictures, milliseconds: time.milliseconds)))
        }
        let written = [outputs.json, output, errorMap, outputs.junit, outputs.report]
        if !outputs.quiet, !written.contains(where: \.isStandardOutput) {
            try Output.standard.write(lines(difference, changes))
        }
    }

    /// A line for each finding, the values below each other.
    private func lines(_ difference: Difference, _ changes: [PictureChange]) -> String {
        let style = outputs.color.style
        var facts = difference.facts
        if !changes.isEmpty { facts.insert((label: "changed", values: changes.map(\.description)), at: 1) }
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

    /// What changed, if the cause is found: by the scene that was given, or by the one that the reference stores.
    private func changes(
        _ comparison: Comparison, _ difference: Difference, _ pictures: PictureFiles, _ file: SceneFile?
    ) throws -> [PictureChange] {
        let (reference, actual) = (pictures.reference, pictures.actual)
        let given = file.flatMap { $0.drawable(as: reference.size) }
        guard let shown = given ?? storedScene(self.reference.path, reference.size) else {
            return SceneChanges(nil, [:], difference, reference: reference, actual: actual).found
        }
        var comparison = comparison
        comparison.scene = shown.scene
        return SceneChanges(
            shown.scene, shown.images, try comparison.compare(reference: reference, actual: actual),
            reference: reference, actual: actual
        ).found
    }

    /// The scene that a picture of a size stores.
    private var storedScene: PictureVerifier.Scenes {
        let allowsOutside = files.allowOutside
        return { SceneFile.drawable(storedIn: $0, as: $1, allowsOutside: allowsOutside) }
    }

    private func junitResult(_ difference: Difference, _ changes: [PictureChange], after time: Duration) -> JUnit {
        let result = JUnit.Case(
            suite: "diff", name: "\(reference.path) \(actual.path)", seconds: time / .seconds(1),
            failure: difference.isSame ? nil : difference.summary(changes),
            output: difference.isSame ? difference.summary : nil)
        return JUnit(name: "loupe-render diff", cases: [result])
    }

    // MARK: - Two folders

    private func compareFolders() throws {
        let clock = ContinuousClock()
        let start = clock.now
        let comparison = try options.comparison()
        let folders = try PictureFolders(
            references: reference.path, actuals: actual.path, allowsOutside: files.allowOutside)
        guard !folders.cases.isEmpty else {
            throw Failure(
                .badInput,
                "\(reference.path), \(actual.path): no picture (.png, .jpg, .jpeg, .webp) in either; nothing to compare"
            )
        }
        if let sentence = folders.unread { StandardError.warn(sentence) }
        let stated = try limits?.document { bytes in
            let list = try LimitsList(parsing: bytes, over: CaseLimits(comparison))
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
        try uses.check()
        try checkFlags(of: folders)
        let verifier = PictureVerifier(
            limits: CaseLimits(comparison), stated: stated ?? LimitsList(), accepted: accepted,
            keepsPictures: outputs.needsPictures, scenes: storedScene)
        let results = try verifier.verify(folders.cases)
        let report = VerifyReport(
            cases: results, subject: .pictures, milliseconds: (clock.now - start).milliseconds)
        try outputs.tellCases(of: report)
        try outputs.write(report)
        if report.count(.broken) > 0 { throw Failure.Code.badInput.alone }
        if !report.isSame { throw Failure.Code.checkFailed.alone }
    }

    /// Refuses what only two pictures have, and names that a text can't say.
    private func checkFlags(of folders: PictureFolders) throws {
        let alone: [(String, Bool)] = [
            ("--scene", scene != nil), ("--output", output != nil), ("--error-map", errorMap != nil),
            ("--tolerance: regions", options.tolerance.map { !$0.regions.isEmpty } ?? false),
        ]
        if let flag = alone.first(where: \.1)?.0 {
            throw Failure(.usage, "\(flag): only for two pictures; folders have --report, --json and --junit")
        }
        if let flag = outputs.files.first?.flag { try TextNames.check(folders.cases.map(\.path), in: flag) }
    }
}
