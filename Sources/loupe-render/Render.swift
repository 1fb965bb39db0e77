import ArgumentParser
import LoupeImaging
import LoupeOracle
import LoupeRenderer
import LoupeScene

/// `loupe-render render`: one scene, one PNG.
struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Draws a PNG page, or a scene in JSON, into a PNG.",
        usage: "loupe-render render INPUT -o OUT [options]")

    @Argument(help: ArgumentHelp("A PNG page or a scene (.json); - is standard input.", valueName: "input"))
    var input: String

    @Option(name: [.customShort("o"), .customLong("output")], help: ArgumentHelp("The PNG to write; - is standard output.", valueName: "out"))
    var output: String?

    @OptionGroup(title: "A page") var page: PageOptions
    @OptionGroup(title: "Its loupe") var loupe: LoupeOptions
    @OptionGroup var device: DeviceOptions

    @Flag(name: .long, help: "Draw with the double-precision CPU renderer that references are made with.")
    var reference = false

    @Flag(name: .long, help: "Write the scene as JSON to standard output and draw nothing.")
    var printScene = false

    @Option(name: .long, help: ArgumentHelp("Write what was drawn, by which shaders and how long it took, as JSON; - is standard output.", valueName: "path"))
    var stats: String?

    func validate() throws {
        guard output != nil || printScene else {
            throw ValidationError("there is nowhere to write to; name a file with -o OUT, or - for standard output")
        }
        if stats == "-" && output == "-" {
            throw ValidationError("--stats - and -o - would both write to standard output; give one of them a file")
        }
    }

    func run() throws {
        do {
            try perform()
        } catch {
            throw Failure(error)
        }
    }

    private func perform() throws {
        var clock = Stopwatch()
        var (scene, folder) = try readScene()
        if printScene {
            try Output.standard.write(SceneEncoder().encode(scene))
            return
        }
        try folder.load(scene.imagePaths)
        clock.lap(\.decode)
        let drawing = reference ? try drawReference(scene, folder, &clock) : try draw(scene, folder, &clock)
        let bytes = try PNG.encode(drawing.image)
        clock.lap(\.encode)
        if let output { try Output(output).write(bytes) }
        if let stats {
            let report = Statistics(device: drawing.device, plan: drawing.plan, times: clock.finished())
            try Output(stats).write(report.json.text() + "\n")
        }
    }

    private struct Drawing {
        let image: Image
        let plan: DrawPlan
        let device: DeviceInfo?
    }

    private func draw(_ scene: Scene, _ folder: ImageFolder, _ clock: inout Stopwatch) throws -> Drawing {
        let renderer = try Renderer(device: device.device)
        clock.lap(\.start)
        let plan = DrawPlan(scene, images: folder.images.mapValues(\.traits))
        try renderer.load(folder.images)
        let image = try renderer.render(plan)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, device: renderer.device)
    }

    private func drawReference(_ scene: Scene, _ folder: ImageFolder, _ clock: inout Stopwatch) throws -> Drawing {
        let plan = DrawPlan(scene, images: folder.images.mapValues(\.traits))
        clock.lap(\.start)
        let image = try Oracle().render(scene, images: folder.images)
        clock.lap(\.draw)
        return Drawing(image: image, plan: plan, device: nil)
    }

    private func readScene() throws -> (Scene, ImageFolder) {
        let input = try Input(input)
        switch input.content {
        case .page(let bytes):
            let image = try PNG.decode(bytes, name: input.name == "-" ? "standard input" : input.name)
            var scene = try page.scene(page: input.name, width: image.width, height: image.height)
            if let loupe = try loupe.loupe(on: scene.canvas) { scene.loupes = [loupe] }
            return (scene, ImageFolder(folder: nil, images: [input.name: image]))
        case .scene(let bytes):
            if let flag = (page.given + loupe.given).first {
                throw Failure(.usage, "\(flag): only for a PNG page; a scene says this itself")
            }
            return try SceneFile.decode(bytes, name: input.name)
        }
    }
}

extension Image {
    /// What the plan needs to know of it.
    var traits: ImageTraits {
        ImageTraits(size: ImageSize(width: width, height: height), isOpaque: isOpaque)
    }
}
