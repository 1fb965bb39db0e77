import ArgumentParser
import LoupeFiles
import LoupeImaging
import LoupePipeline
import LoupeRenderer
import LoupeReport
import LoupeScene

/// `loupe-render live`: one page or scene, one HTML file with a loupe that follows the reader's hand.
struct Live: ParsableCommand, MemoryLimited, FileWriting {
    static let configuration = CommandConfiguration(
        abstract: "Writes an HTML file that holds a page and a loupe that moves under a finger or a mouse.",
        usage: "loupe-render live INPUT -o PAGE.html [options of render]",
        discussion: """
            The file needs no network. It opens showing what `render` draws with the same options. Browsers without WebGL2, \
            or without scripts, show that picture.
            """)

    @OptionGroup var drawing: Render

    @Option(help: ArgumentHelp("What screen readers call the figure.", valueName: "text"))
    var label = "A picture with a loupe. Arrow keys move the loupe, plus and minus zoom, Escape puts it away."

    var memory: MemoryOptions { drawing.memory }
    var writing: WritingOptions { drawing.writing }

    func validate() throws {
        let others = [
            ("--print-scene", drawing.printScene), ("--reference", drawing.reference),
            ("--stats", drawing.stats != nil),
            ("--map", drawing.beside.map != nil), ("--show-plan", drawing.beside.showPlan != nil),
            ("--depth 16", drawing.beside.depth == .sixteen), ("--shaders", drawing.shaders != nil),
        ]
        if let other = others.first(where: \.1) {
            throw ValidationError("\(other.0): only for a picture; a live page is drawn by the browser, leave it out")
        }
    }

    func run() throws {
        drawing.svgs.apply()
        guard let output = drawing.output else {
            throw Failure(.usage, "there is nowhere to write to; name -o PAGE.html")
        }
        guard LiveModule.texts != nil else {
            throw Failure(
                .defect,
                "this command was built without the module of live pages; run tools/build-web and build it again")
        }
        let file = try drawing.readScene()
        for sentence in file.scene.unseenLoupes {
            StandardError.write("loupe-render: warning: \(sentence.forTerminal)\n")
        }
        try drawing.fileUses(of: file).check()
        var options = drawing.options(for: file)
        options.isDescribed = false
        let document = try LiveDocument(file, options: options)
        let pipeline = Pipeline(fallback: drawing.fallback.fallback(from: drawing.device)) {
            [device = drawing.device] in
            try Renderer.started(on: device.device)
        }
        let picture = try pipeline.render(file, options: options)
        let png = try picture.png(for: nil, options: drawing.pngs.options)
        let page = HTMLPage.live(
            document.json, pictures: document.pictures, png: png, width: picture.image.width,
            height: picture.image.height,
            label: String(decoding: Arguments.bytes(of: label), as: UTF8.self))
        try page?.write(to: output.path)
        pipeline.leaveToTheEnd()
    }
}
