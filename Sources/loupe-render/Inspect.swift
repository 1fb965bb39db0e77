import ArgumentParser
import LoupeBase
import LoupeImaging
import LoupePipeline
import LoupeSystem

/// `loupe-render inspect`: one pixel of a page, or of a scene's picture, and its neighbours, as numbers.
struct Inspect: LoupeCommand, DeviceUsing {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Prints the colour of a page's pixel and of its neighbours, in sRGB.",
        discussion: """
            A scene is drawn for it; render --map says where each of its pixels comes from. Exit codes: 0 done; 65 the \
            point lies outside; 66 the page is missing.
            """)

    @Argument(
        help: ArgumentHelp(
            "A page or a scene (.json); - is standard input.", valueName: "input"))
    var input: InputPath

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "A point in pixels of the page or the canvas, from its upper left corner; fractions mean the pixel that holds them.",
            valueName: "X,Y"))
    var at: Coordinates

    @Option(help: ArgumentHelp("Neighbours each way, the pixel included: an odd number, 1 to 33.", valueName: "N"))
    var size = 3

    @Option(help: ArgumentHelp("Write the result as JSON; - is standard output.", valueName: "path"))
    var json: OutputPath?

    @OptionGroup var device: DeviceOptions
    @OptionGroup var limits: LimitOptions
    @OptionGroup var process: WorkOptions
    @OptionGroup var files: FileOptions

    func validate() throws {
        guard 1...33 ~= size, size % 2 == 1 else {
            throw ValidationError("--size: \(size) is not allowed; allowed is an odd number in 1…33")
        }
    }

    func run() throws {
        let inspection = try inspection()
        if let json { try Output(json).write(inspection.json.text() + "\n") }
        if !json.isStandardOutput { try Output.standard.tell(inspection.text) }
    }

    private func inspection() throws -> PixelInspection {
        try fileUses().check()
        if json != nil { try TextNames.check([input.path], in: "--json") }
        switch try InputFile(input.path).content {
        case .page(let file):
            let image = try file.image(limits: limits.held)
            if let problem = file.profileProblem { StandardError.warn("\(file.name): \(problem); it is read as sRGB") }
            if let problem = file.undrawn { StandardError.warn("\(file.name): \(problem)") }
            return try inspect(image, as: "page")
        case .document(let bytes):
            let file = try SceneFile(parsing: bytes, name: input.path, allowsOutside: files.allowOutside)
            var uses = fileUses()
            uses.readImages(of: file)
            try uses.check()
            var options = RenderOptions()
            (options.maxPixels, options.isDescribed) = (limits.maxPixels, false)
            return try inspect(device.pipeline().render(file, options: options).image, as: "scene")
        }
    }

    private func inspect(_ image: Image, as kind: String) throws -> PixelInspection {
        let (name, place) = (input.path.inputName, at.point)
        guard let inspection = PixelInspection(of: image, as: kind, named: name, at: place, count: size) else {
            throw Failure(
                .badInput,
                "\(name.quotable): \(place.x.jsonText),\(place.y.jsonText) lies outside of the \(kind); it has \(image.width)×\(image.height) pixels, from 0,0 to \(image.width - 1),\(image.height - 1)"
            )
        }
        return inspection
    }
}
