import ArgumentParser
import LoupeFigure

/// The help of `render`: the options that people use. All of them are those of `Render`.
struct UsualOptions: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: Render.configuration.abstract, usage: Render.configuration.usage,
        discussion: Render.configuration.discussion
            + "\n\nBelow are the options used most. loupe-render help render --all, or --help-all, lists all of them.",
        helpNames: [])

    @Argument(help: "A picture, an SVG, a PDF (figure.pdf#3: its third page) or a scene (.json).") var input: String
    @OptionGroup(title: "What is written") var written: Written
    @OptionGroup(title: "Loupes") var loupes: Loupes
    @OptionGroup(title: "Their look") var look: Look
    @OptionGroup(title: "Letters and scale bars") var text: Text
    @OptionGroup(title: "The page") var page: Page

    struct Written: ParsableArguments {
        @Option(name: .shortAndLong, help: "The picture: a PNG, a PDF or an SVG, by its ending.") var output: String?
        @Option(help: ArgumentHelp("Its width on paper, as 85mm or 3.3in.", valueName: "LENGTH")) var width: String?
    }
    struct Loupes: ParsableArguments {
        @Option(.callout.brief) var callout: String?
        @Option(.at.brief) var at: String?
        @Option(.focus.brief) var focus: String?
        @Option(.zoom.brief) var zoom: String?
        @Option(.radius.brief) var radius: String?
        @Option(.shape.brief) var shape: String?
        @Option(.place.brief) var place: String?
    }
    struct Look: ParsableArguments {
        @Option(.accent.brief) var accent: String?
        @Option(.connector.brief) var connector: String?
        @Option(.outside.brief) var outside: String?
    }
    struct Text: ParsableArguments {
        @Option(.letters.brief) var letters: String?
        @Flag(.zoomLabel) var zoomLabel = false
        @Option(.pixelSize.brief) var pixelSize: String?
    }
    struct Page: ParsableArguments {
        @Option(.frame.brief) var frame: String?
        @Option(.margin.brief) var margin: String?
        @Option(.background.brief) var background: String?
        @Option(.corner.brief) var corner: String?
        @Option(.compareWith.brief) var compareWith: String?
    }
}
