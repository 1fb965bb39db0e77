import ArgumentParser
import LoupeBase
import LoupeImaging
import LoupePipeline
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// `loupe-render inspect`: one pixel of a page, or of a scene's picture, and its neighbours, as numbers.
struct Inspect: ParsableCommand, DeviceUsing, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Prints the colour of a page's pixel and of its neighbours, in sRGB.",
        discussion: """
            For a scene it draws the picture and also prints which view, layer and point of the layer's image the \
            pixel shows. Exit codes: 0 done; 65 the point lies outside; 66 the page is missing.
            """)

    @Argument(
        help: ArgumentHelp(
            "A page (PNG, JPEG, WebP or SVG) or a scene (.json); - is standard input.", valueName: "input"))
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
    @OptionGroup var memory: MemoryOptions
    @OptionGroup var svgs: SVGOptions
    @OptionGroup var files: FileOptions
    @OptionGroup var writing: WritingOptions

    func validate() throws {
        guard 1...33 ~= size, size % 2 == 1 else {
            throw ValidationError("--size: \(size) is not allowed; allowed is an odd number in 1…33")
        }
    }

    func run() throws {
        svgs.apply()
        let inspection = try inspection()
        if let json { try Output(json).write(inspection.json.text() + "\n") }
        if !json.isStandardOutput { try Output.standard.write(inspection.text) }
    }

    private func inspection() throws -> PixelInspection {
        try fileUses().check()
        if json != nil { try TextNames.check([input.path], in: "--json") }
        let content = try InputFile(input.path).content
        let name = input.path.inputName
        switch content {
        case .page(let file):
            let image = try file.image(limits: limits.held)
            return try PixelInspection(of: image, as: "page", named: name, at: at.point, size: size)
        case .document(let bytes):
            let file = try SceneFile(parsing: bytes, name: input.path, allowsOutside: files.allowOutside)
            var uses = fileUses()
            uses.readImages(of: file)
            try uses.check()
            var options = RenderOptions()
            (options.maxPixels, options.isDescribed) = (limits.maxPixels, false)
            let pipeline = Pipeline { [device] in try Renderer.started(on: device.device) }
            var inspection = try PixelInspection(
                of: pipeline.render(file, options: options).image, as: "scene", named: name, at: at.point, size: size)
            inspection.shown = SceneInspection(of: file.scene, at: inspection.center, sizes: try file.imageSizes)
            return inspection
        }
    }
}
