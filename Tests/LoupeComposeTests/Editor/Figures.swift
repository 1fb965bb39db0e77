import LoupeBase
import LoupeCompose
import LoupePlan
import LoupeScene

@testable import LoupeCompose

/// An editor of a page of 600×400 pixels with loupes.
func editor(_ loupes: [Loupe], given: [DefaultStyle.Parts] = [], isPage: Bool = true) -> FigureEditor {
    let size = ImageSize(width: 600, height: 400)
    let layer = Layer(content: .image(path: ImagePath("0")), rect: Rect(x: 0, y: 0, width: 600, height: 400))
    let scene = Scene(canvas: .init(width: 600, height: 400), layers: [layer], loupes: loupes)
    let brief = EditorBrief(
        command: ["loupe-render", "my figure.png"], output: "my figure-loupe.png", sceneName: "my figure-loupe.json",
        images: ["my figure.png"], given: given)
    return FigureEditor(
        scene, brief: brief, size: size, isPage: isPage, isPixelArt: false)
}

func callout(at center: Point, focus: Point, radius: Double = 60, zoom: Double = 4) -> Loupe {
    Loupe(center: center, radius: radius, zoom: zoom, focus: focus, filter: .auto, callout: .usual)
}

extension FigureEditor {
    /// The scene on a white page.
    var completed: Scene { page.completed(figure) }

    mutating func perform(_ text: String) throws { try perform(JSONReader(parsing: Array(text.utf8))) }

    mutating func drag(_ start: Point, to end: Point, snaps: Bool = true) {
        _ = press(at: start)
        move(to: end, snaps: snaps)
        release()
    }

    func loupe(_ index: Int) -> Loupe { figure.loupes[index].loupe }
}
