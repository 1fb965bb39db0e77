import ArgumentParser
import LoupeFiles
import LoupePipeline
import LoupePlan
import LoupeScene

/// The flags that show the same place in several pages.
struct ComparedPagesOptions: ParsableArguments {
    @Option(.compareWith) var compareWith: PageList?
    @Option(.titles) var titles: TitleList?
    @Option(.columns) var columns: Int?

    /// The pages, without the input.
    var pages: [Path] { compareWith?.paths ?? [] }

    /// The scene with all pages, and the style of all their loupes.
    /// - Parameters:
    ///   - scene: with the text that each page has.
    ///   - input: the page that the scene shows.
    ///   - hasBackground: whether flags say what is around the pages; otherwise it is white.
    func applied(
        to scene: Scene, style: DefaultStyle?, input: Path, text: FigureText, from images: ImageSource,
        hasBackground: Bool
    ) throws -> (scene: Scene, style: DefaultStyle?) {
        guard !pages.isEmpty else {
            guard let flag = given.first else { return (scene, style) }
            throw Failure(.usage, "\(flag): there is nothing to compare; name other pages with --compare-with PAGE,…")
        }
        var scene = scene
        if !hasBackground { scene.canvas.background = .color(.defaultRim) }
        let paths = ([input] + pages).map { ImagePath(bytes: $0.bytes) }
        let size = try images.size(of: paths[0])
        for path in paths.dropFirst() {
            let other = try images.size(of: path)
            guard other == size else {
                throw Failure(
                    .badInput,
                    "--compare-with: '\(path.description.quotable)' has \(other) pixels and '\(input.inputName.quotable)' \(size); pages that are compared need one size"
                )
            }
        }
        let comparison = PageComparison(
            pages: paths, titles: try titles(of: [input] + pages), columns: try checkedColumns,
            style: text.titleStyle(of: scene))
        let compared = comparison.applied(to: scene)
        let (width, height) = (compared.canvas.width, compared.canvas.height)
        guard Scene.Canvas.sideRange.contains(width), Scene.Canvas.sideRange.contains(height) else {
            throw Failure(
                .usage,
                "--compare-with: a canvas of \(width)×\(height) is out of range; allowed is 1…16384 each way; use --columns, or make each page smaller with --canvas WxH"
            )
        }
        var style = style
        style?.pages = comparison.areas(of: scene)
        if let given = style?.given { style?.given = paths.flatMap { _ in given } }
        return (compared, style)
    }

    private var checkedColumns: Int? {
        get throws {
            if let columns, !(1...100).contains(columns) {
                throw Failure(.usage, "--columns: \(columns) is out of range; allowed is 1…100")
            }
            return columns
        }
    }

    /// The files' names without folder and extension, where no titles are given.
    private func titles(of pages: [Path]) throws -> [String] {
        guard let titles else {
            return pages.map { page in
                let name = page.isDash ? "input" : page.description.split(separator: "/").last.map(String.init) ?? ""
                let stem = name.split(separator: ".").dropLast().joined(separator: ".")
                let title = String(
                    (stem.isEmpty ? name : stem).unicodeScalars.filter { $0.value >= 0x20 }.map(Character.init))
                return Label.problem(with: title) == nil ? title : "page"
            }
        }
        guard titles.texts.count == pages.count else {
            throw Failure(
                .usage, "--titles: there are \(titles.texts.count) titles for \(pages.count) pages; give one for each")
        }
        return titles.texts
    }
}

/// Paths between commas. A name with a comma can't be among them.
struct PageList: ExpressibleByArgument {
    let paths: [Path]

    init?(argument: String) {
        let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "-" }) else { return nil }
        paths = parts.map { InputPath(argument: $0).path }
    }
}

/// Texts between commas.
struct TitleList: ExpressibleByArgument {
    let texts: [String]

    init?(argument: String) {
        texts = Arguments.readable(argument).split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard texts.allSatisfy({ Label.problem(with: $0) == nil }) else { return nil }
    }
}
