import LoupeGeometry
import LoupeJSON
import LoupeScene

/// What a place of a drawn scene shows: the topmost view there, the topmost layer in it, and where on its image.
struct SceneInspection {
    let view: View.Kind
    /// On the canvas as the view shows it.
    let canvas: Point
    /// The layer by its place in the scene, and its image; nil where no layer lies.
    let layer: (index: Int, image: String?)?
    /// On the layer's image, in its pixels; nil where the layer has none.
    let image: Point?

    /// - Parameters:
    ///   - place: on the output.
    ///   - sizes: of the scene's images, by path.
    init(of scene: Scene, at place: Point, sizes: [String: ImageSize]) {
        let view = Self.view(of: scene, at: place)
        let canvas = view.canvas(at: place)
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
            return isThere && (loupe.outside != .transparent || scene.topLayer(at: view.canvas(at: place)) != nil)
        }
        return shown ?? .base
    }

    /// The image of a layer, or of a split loupe's other half, which takes the place of the first one.
    private static func path(of scene: Scene, layer: Int, in view: View.Kind, at place: Point) -> String? {
        let own = scene.layers[layer].imagePath
        guard case .loupe(let index) = view, let versus = scene.loupes[index].versus,
            layer == scene.layers.firstIndex(where: { $0.imagePath != nil })
        else { return own }
        let offset = place - scene.loupes[index].center
        return offset.dx * versus.direction.dx + offset.dy * versus.direction.dy >= 0 ? versus.image : own
    }

    var lines: [String] {
        let layer = layer.map { layer in "\(layer.index)" + (layer.image.map { ", \($0)" } ?? "") } ?? "none"
        return [
            "view           \(view)", "canvas         \(canvas.words)", "layer          \(layer)",
        ] + (image.map { ["image          \($0.words)"] } ?? [])
    }

    var json: JSONValue {
        [
            "view": .string(view.description),
            "canvas": .array([.number(canvas.x), .number(canvas.y)]),
            "layer": layer.map { .number(Double($0.index)) } ?? .null,
            "image": layer?.image.map(JSONValue.string) ?? .null,
            "imageAt": image.map { .array([.number($0.x), .number($0.y)]) } ?? .null,
        ]
    }
}

extension Point {
    /// To a thousandth of a pixel: what comes of dividing by a zoom has more digits than anyone reads.
    fileprivate var words: String { [x, y].map { (($0 * 1000).rounded() / 1000).plain }.joined(separator: ",") }
}

extension View {
    fileprivate func canvas(at place: Point) -> Point {
        Point(x: canvasX(ofOutputX: place.x), y: canvasY(ofOutputY: place.y))
    }
}

extension Loupe {
    /// How far inside the border a place lies, in canvas pixels.
    fileprivate func depth(of place: Point) -> Double {
        outline?.signedDistance(to: place) ?? radius - (place - center).length
    }
}

extension Scene {
    /// By its place in `layers`; nil where none covers more than half of a pixel there.
    fileprivate func topLayer(at canvas: Point) -> Int? {
        layers.lastIndex { layer in
            let outline = Outline(rect: layer.bounds, radii: layer.corner.radii, exponent: layer.corner.exponent)
            return layer.opacity > 0 && outline.signedDistance(to: canvas) >= 0
        }
    }
}
