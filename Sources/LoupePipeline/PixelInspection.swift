import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// One pixel of a page, or of a scene's picture, and those around it.
package struct PixelInspection {
    /// What a scene shows there; nil for a page.
    package var shown: SceneInspection?
    /// What the picture is: `page` or `scene`.
    private let kind: String
    private let name: String
    private let size: ImageSize
    private let place: Point
    private let column: Int
    private let row: Int
    /// Around the pixel, rows from top to bottom; nil beyond the page.
    private let neighbours: [[Color?]]
    private let color: Color

    /// - Parameters:
    ///   - place: in pixels of the image, from its upper left corner.
    ///   - count: how many neighbours there are each way, the pixel included; odd.
    /// - Returns: nil where there is no pixel.
    package init?(of image: Image, as kind: String, named name: String, at place: Point, count: Int) {
        guard place.x >= 0, place.y >= 0, place.x < Double(image.width), place.y < Double(image.height) else {
            return nil
        }
        (self.kind, self.name, size, self.place) = (kind, name, image.size, place)
        let (column, row) = (Int(place.x), Int(place.y))
        (self.column, self.row) = (column, row)
        color = image.color(column, row)
        let reach = count / 2
        neighbours = (row - reach...row + reach).map { y in
            (column - reach...column + reach).map { x in
                0..<image.width ~= x && 0..<image.height ~= y ? image.color(x, y) : nil
            }
        }
    }

    /// The pixel's middle.
    package var center: Point { Point(x: Double(column) + 0.5, y: Double(row) + 0.5) }

    package var json: JSONValue {
        [
            kind: [
                "name": .string(name), "width": .number(Double(size.width)), "height": .number(Double(size.height)),
            ],
            "at": .numbers([place.x, place.y]), "pixel": .numbers([Double(column), Double(row)]),
            "center": .numbers([center.x, center.y]), "shown": shown?.json, "hex": .string(color.hex),
            "straight": .numbers(color.straight),
            "neighbours": .array(neighbours.map { .array($0.map { $0.map { .string($0.hex) } ?? .null }) }),
        ]
    }

    /// Lines for a person.
    package var text: String {
        var facts = [
            (kind, "\(name), \(size.width)×\(size.height)"),
            ("pixel", "\(column),\(row), centre \(center.x),\(center.y)"),
        ]
        facts += shown?.facts ?? []
        facts += [("hex", color.hex), ("straight", color.straight.map(\.jsonText).joined(separator: " "))]
        let cells = neighbours.map { row in row.map { $0?.hex ?? "-" } }
        let width = cells.joined().map(\.count).max() ?? 1
        let rows = cells.map { row in
            "  " + (row.dropLast().map { $0.padded(to: width) } + row.suffix(1)).joined(separator: " ")
        }
        let lines = facts.map { $0.padded(to: 15) + $1 } + ["neighbours"] + rows
        return lines.joined(separator: "\n") + "\n"
    }
}

extension Color {
    /// Red, green, blue and alpha, 0…255.
    fileprivate var straight: [Double] { [red, green, blue, alpha].map(Double.init) }
}

extension Image {
    fileprivate func color(_ column: Int, _ row: Int) -> Color {
        let byte = (row * width + column) * 4
        return Color(red: pixels[byte], green: pixels[byte + 1], blue: pixels[byte + 2], alpha: pixels[byte + 3])
    }
}

extension JSONValue {
    fileprivate static func numbers(_ numbers: [Double]) -> JSONValue { .array(numbers.map(JSONValue.number)) }
}

/// A drawn scene's content at a point: the topmost view there, the topmost layer in it, and the point of its image.
package struct SceneInspection {
    private let view: View.Kind
    /// On the canvas as the view shows it.
    private let canvas: Point
    /// The layer's index in the scene, and its image; nil where no layer lies.
    private let layer: (index: Int, image: ImagePath?)?
    /// On the layer's image, in its pixels; nil where the layer has none.
    private let image: Point?

    /// - Parameters:
    ///   - place: on the output.
    ///   - sizes: of the scene's images, by path.
    package init(of scene: Scene, at place: Point, sizes: [ImagePath: ImageSize]) {
        let view = Self.view(of: scene, at: place)
        let canvas = view.canvas(of: place)
        self.view = view.kind
        self.canvas = canvas
        let index = scene.topLayer(at: canvas)
        let path = index.flatMap { Self.path(of: scene, layer: $0, in: view.kind, at: place) }
        layer = index.map { ($0, path) }
        image = index.flatMap { index in
            path.flatMap { sizes[$0] }.map { size in
                let rect = scene.layers[index].rect
                return Point(
                    x: (canvas.x - rect.x) * Double(size.width) / rect.width,
                    y: (canvas.y - rect.y) * Double(size.height) / rect.height)
            }
        }
    }

    /// The last that is drawn there; a loupe that is transparent beyond the page lets one below be seen.
    private static func view(of scene: Scene, at place: Point) -> View {
        let shown = scene.views.last { view in
            guard case .loupe(let index) = view.kind else { return true }
            let loupe = scene.loupes[index]
            let isThere = loupe.depth(of: place) >= 0
            return isThere && (loupe.outside != .transparent || scene.topLayer(at: view.canvas(of: place)) != nil)
        }
        return shown ?? .base
    }

    /// The image of a layer, or of a split loupe's other half, which takes the place of the first one.
    private static func path(of scene: Scene, layer: Int, in view: View.Kind, at place: Point) -> ImagePath? {
        let own = scene.layers[layer].imagePath
        guard case .loupe(let index) = view, let split = scene.loupes[index].split,
            layer == scene.layers.firstIndex(where: { $0.imagePath != nil })
        else { return own }
        let offset = place - scene.loupes[index].center
        return offset.dx * split.direction.dx + offset.dy * split.direction.dy >= 0 ? split.image : own
    }

    var facts: [(String, String)] {
        let layer = layer.map { layer in "\(layer.index)" + (layer.image.map { ", \($0)" } ?? "") } ?? "none"
        return [("view", "\(view)"), ("canvas", canvas.words), ("layer", layer)]
            + (image.map { [("image", $0.words)] } ?? [])
    }

    var json: JSONValue {
        [
            "view": .string(view.description), "canvas": .numbers([canvas.x, canvas.y]),
            "layer": layer.map { .number(Double($0.index)) } ?? .null,
            "image": layer?.image.map { .string($0.description) } ?? .null,
            "imageAt": image.map { .numbers([$0.x, $0.y]) } ?? .null,
        ]
    }
}

extension Point {
    /// Rounded to a thousandth of a pixel.
    fileprivate var words: String { [x, y].map { (($0 * 1000).rounded() / 1000).jsonText }.joined(separator: ",") }
}

extension Loupe {
    /// How far inside the border a place lies, in canvas pixels.
    fileprivate func depth(of place: Point) -> Double {
        outline?.signedDistance(to: place) ?? radius - (place - center).length
    }
}

extension Scene {
    /// The index in `layers`; nil where no layer covers more than half of a pixel there.
    fileprivate func topLayer(at canvas: Point) -> Int? {
        layers.lastIndex { layer in
            layer.opacity > 0 && layer.outline(in: .base).signedDistance(to: canvas) >= 0
        }
    }
}
