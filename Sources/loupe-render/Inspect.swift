import ArgumentParser
import LoupeImaging
import LoupeScene

/// `loupe-render inspect`: one pixel of a page and its neighbours, as numbers.
struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells the colour of a page's pixel and of its neighbours, in sRGB.",
        discussion: "Exit codes: 0 done; 65 the place lies outside of the page; 66 the page is missing.")

    @Argument(help: ArgumentHelp("A page (PNG, JPEG, WebP or SVG); - is standard input.", valueName: "page"))
    var page: String

    @Option(
        help: ArgumentHelp(
            "The place in pixels of the page, from its upper left corner; fractions count as the pixel that holds them.",
            valueName: "X,Y"))
    var at: Coordinates

    @Option(help: ArgumentHelp("Neighbours each way, the pixel included: an odd number, 1 to 33.", valueName: "N"))
    var size = 3

    @Option(help: ArgumentHelp("Write the result as JSON; - is standard output.", valueName: "path"))
    var json: String?

    func validate() throws {
        guard 1...33 ~= size, size % 2 == 1 else {
            throw ValidationError("--size: \(size) is not allowed; allowed is an odd number in 1…33")
        }
    }

    func run() throws {
        do {
            let input = try Input(page)
            guard case .page(let bytes) = input.content else {
                throw Failure(.badInput, "\(page.inputName): a scene, where a page is needed")
            }
            let image =
                try bytes.map { try ImageFile.decode($0, name: page.inputName, at: page == "-" ? nil : page) }
                ?? ImageFile.read(path: page)
            let inspection = try PixelInspection(of: image, named: page.inputName, at: at.point, size: size)
            if let json { try Output(json).write(inspection.json.text() + "\n") }
            if json != "-" { try Output.standard.write(inspection.text) }
        } catch {
            throw Failure(error)
        }
    }
}
