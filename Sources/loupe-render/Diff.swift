import ArgumentParser
import LoupeDiff
import LoupeImaging
import LoupeJSON
import LoupeScene

/// `loupe-render diff`: two pictures, compared.
struct Diff: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Compares two PNGs and says where, by how much, and what would pass.",
        discussion: """
            Regions of --scene: rim (with its feathered borders), page-edge and corner (less than a pixel from a \
            layer's outline), loupe-interior, page, background. Exit codes: 0 the same within the limits; 1 not.
            """)

    @Argument(help: ArgumentHelp("The PNG as it should be.", valueName: "reference"))
    var reference: String

    @Argument(help: ArgumentHelp("The PNG as it is.", valueName: "actual"))
    var actual: String

    @OptionGroup(title: "Comparing") var options: DiffOptions
    @OptionGroup var files: FileOptions

    @Option(
        help: ArgumentHelp("The scene that the reference shows: tells differences apart by region.", valueName: "SCENE")
    )
    var scene: String?

    @Option(help: ArgumentHelp("Write the result as JSON; - is standard output.", valueName: "path"))
    var json: String?

    @Option(
        name: [.customShort("o"), .long],
        help: ArgumentHelp("Write a picture of the differences; - is standard output.", valueName: "PNG"))
    var output: String?

    @Option(help: ArgumentHelp("Write the result as JUnit's XML; - is standard output.", valueName: "path"))
    var junit: String?

    @Flag(help: "Write no line about the result to standard output.")
    var quiet = false

    func validate() throws {
        if let regions = options.tolerance?.regions, !regions.isEmpty, scene == nil {
            throw ValidationError("--tolerance: regions are only known with --scene SCENE")
        }
        if [json, output, junit].count(where: { $0 == "-" }) > 1 {
            throw ValidationError("only one of --json, --output and --junit can write to standard output")
        }
    }

    func run() throws {
        let isSame: Bool
        do {
            isSame = try perform()
        } catch {
            throw Failure(error)
        }
        if !isSame { throw ExitCode(Failure.Code.checkFailed.rawValue) }
    }

    private func perform() throws -> Bool {
        let clock = ContinuousClock()
        let start = clock.now
        var comparison = try options.comparison()
        comparison.scene = try scene.map { try SceneFile.read($0, allowsOutside: files.allowOutside).scene }
        let pictures = try PictureFiles(reference: reference, actual: actual)
        let difference = try comparison.compare(reference: pictures.reference, actual: pictures.actual)
        if let output {
            try Output(output).write(PNG.encode(DifferencePicture.draw(difference, over: pictures.reference)))
        }
        if let json { try Output(json).write(difference.json.text() + "\n") }
        if let junit { try Output(junit).write(report(difference, after: clock.now - start).xml) }
        if !quiet, ![json, output, junit].contains("-") { try Output.standard.write(difference.summary + "\n") }
        return difference.isSame
    }

    private func report(_ difference: Difference, after duration: Duration) -> JUnit {
        let result = JUnit.Case(
            suite: "diff", name: "\(reference) \(actual)", seconds: duration / .seconds(1),
            failure: difference.isSame ? nil : difference.summary,
            output: difference.isSame ? difference.summary : nil)
        return JUnit(name: "loupe-render diff", cases: [result])
    }
}
