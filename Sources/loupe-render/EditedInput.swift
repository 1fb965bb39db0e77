import ArgumentParser
import LoupeCompose
import LoupeImaging
import LoupePipeline
import LoupeReport
import LoupeScene
import LoupeSystem

/// A page or scene that is to be edited in a browser, and how its command line was.
struct EditedInput {
    private let drawing: Render
    private let file: SceneFile

    /// - Parameter file: as `drawing` reads it.
    init(_ drawing: Render, _ file: SceneFile) throws {
        (self.drawing, self.file) = (drawing, file)
        try TextNames.check([drawing.input.path] + file.scene.imagePaths.map { Path(bytes: $0.bytes) }, in: "an editor")
    }

    /// Refuses options whose effect an editor can't write down again.
    /// - Throws: `ValidationError`.
    static func check(_ drawing: Render) throws {
        let refused: [(String, Bool)] = [
            ("--scale", drawing.scale != nil), ("--width", drawing.beside.width != nil),
            ("--height", drawing.beside.height != nil),
            ("--place beside", drawing.several.place == "beside"),
            ("--versus", drawing.loupe.versus != nil),
        ]
        if let flag = refused.first(where: \.1)?.0 {
            throw ValidationError(
                "\(flag): an editor can't change it; leave it out, or edit the scene that render --print-scene writes")
        }
        if let flag = GivenOptions(drawing.comparison).flags.first {
            throw ValidationError("\(flag): an editor has one page; edit the scene that render --print-scene writes")
        }
        if drawing.input.path.isDash {
            throw ValidationError("the figure needs a name that its scene can say; name a file in place of -")
        }
    }

    /// Whether the input is a page with flags; otherwise it is a scene.
    private var isPage: Bool { file.origin != nil }

    /// The input's name up to its ending, with the folder.
    private var stem: Path {
        let path = PagePath(drawing.input.path).file
        guard let dot = path.name.bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return path }
        return path.dropping(path.name.bytes.count - dot)
    }

    /// Beside the input: `figure-loupe.json` for `figure.png`.
    var scenePath: Path { stem.appending("-loupe.json") }
    /// The name of that file.
    var usualSceneName: String { String(decoding: scenePath.name.bytes, as: UTF8.self) }

    /// What screen readers call the figure before it can be edited.
    static let label = "A figure that is being opened in the editor"

    /// The editor's page.
    /// - Parameters:
    ///   - sceneName: how the scene is called when it is saved.
    ///   - saveAddress: where the page's own server takes the scene; nil for none.
    ///   - label: what screen readers call the figure before it can be edited.
    /// - Returns: nil where the command was built without the module.
    func page(sceneName: String, saveAddress: String?, label: String = label, _ pipeline: Pipeline) throws -> HTMLPage?
    {
        let brief = try brief(sceneName: sceneName)
        let options = try drawing.liveOptions(for: file)
        let document = try LiveDocument(file, options: options, editedText: brief.text)
        return HTMLPage.editor(
            try drawing.liveFigure(document, file, options, label: label, isTool: true, pipeline),
            brief: brief.json,
            saveAddress: saveAddress)
    }

    private func brief(sceneName: String) throws -> EditorBrief {
        let scene = file.scene
        let input = drawing.input.path
        let images = scene.imagePaths.map { path -> String in
            // The page is named as the command was given it; its scene lies beside it.
            String(decoding: isPage ? Path(bytes: path.bytes).name.bytes : path.bytes, as: UTF8.self)
        }
        let page = scene.layers.first?.imagePath
        let background = scene.canvas.background.plainColor ?? .defaultRim
        let facts = try page.map {
            try PageReading.facts(of: $0, from: file.images, over: background, drawing.options(for: file))
        }
        return EditorBrief(
            command: ["loupe-render", String(decoding: input.bytes, as: UTF8.self)]
                + pageWords,
            output: String(
                decoding: (isPage ? stem.appending("-loupe.png") : stem.appending(".png")).name.bytes, as: UTF8.self),
            sceneName: sceneName, images: images, given: file.origin?.given ?? scene.loupes.map(\.givenParts),
            accent: try file.origin?.request.accent, isPlain: drawing.look.plain,
            text: file.origin?.text ?? FigureText(), tone: facts?.tone ?? .light, contrast: facts?.contrast)
    }

    /// The words of the command line that say how the page is drawn. The editor writes those of loupes and text itself.
    private var pageWords: [String] {
        guard isPage else { return [] }
        let words = EditorBrief.pageWords(of: drawing.given)
        return words + (drawing.limits.maxPixels.map { ["--max-pixels", "\($0)"] } ?? [])
    }
}

extension Loupe {
    /// The parts of its look that a loupe without a style has.
    fileprivate var givenParts: DefaultStyle.Parts {
        var parts: DefaultStyle.Parts = []
        let written = SceneFields.loupe.write(self)
        for path in DefaultStyle.Parts.paths where written.value(at: path) != nil {
            parts.formUnion(DefaultStyle.Parts(at: path))
        }
        return parts
    }
}
