import LoupeBase

/// The mapping from output pixels to the pixels of images, with which a tool can turn a click into a page's pixel.
///
/// Positions are continuous: the centre of pixel (i, j) is (i + ½, j + ½), in the output and in images. A transform
/// [a, b, c, d, e, f] takes (x, y) to (a·x + c·y + e, b·x + d·y + f), as a matrix in CSS does.
package struct PixelMap: Sendable {
    private let scene: Scene
    private let sizes: [ImagePath: ImageSize]

    /// - Parameter sizes: of the scene's images, by path.
    package init(_ scene: Scene, sizes: [ImagePath: ImageSize]) {
        self.scene = scene
        self.sizes = sizes
    }

    /// The canvas and its views in drawing order. Where views overlap, the last one is visible.
    package var json: JSONValue {
        [
            "canvas": ["width": .number(Double(scene.canvas.width)), "height": .number(Double(scene.canvas.height))],
            "views": .array(scene.views.map(json)),
        ]
    }

    private func json(_ view: View) -> JSONValue {
        var loupe: Loupe?
        if case .loupe(let index) = view.kind { loupe = scene.loupes[index] }
        let scale = 1 / view.magnification
        let origin = view.canvas(of: .zero)
        return [
            "view": .string(view.kind.description),
            "disc": loupe.flatMap { $0.outline == nil ? disc($0) : nil },
            "shape": loupe.flatMap { $0.outline }.map(shape),
            "versus": loupe.flatMap { loupe in loupe.split.flatMap { json($0, of: loupe, in: view) } },
            "toCanvas": numbers(scale, 0, 0, scale, origin.x, origin.y),
            "layers": .array(scene.layers.enumerated().map { json($1, number: $0, in: view) }),
        ]
    }

    private func disc(_ loupe: Loupe) -> JSONValue {
        ["center": numbers(loupe.center.x, loupe.center.y), "radius": .number(loupe.radius)]
    }

    /// The radii are clockwise from the upper left, each along x and y.
    private func shape(_ outline: Outline) -> JSONValue {
        let radii = CornerPosition.allCases.map { outline.radii[$0] }
        return [
            "rect": numbers(outline.rect), "radii": .array(radii.map { numbers($0.x, $0.y) }),
            "exponent": .number(outline.exponent),
        ]
    }

    /// The layer of the split's image, which is shown where (x − center.x)·across.x + (y − center.y)·across.y is 0 or more.
    private func json(_ split: Loupe.Split, of loupe: Loupe, in view: View) -> JSONValue? {
        scene.layers.firstIndex { $0.imagePath != nil }.map { number in
            [
                "center": numbers(loupe.center.x, loupe.center.y),
                "across": numbers(split.direction.dx, split.direction.dy),
                "layer": json(scene.showing(split.image).layers[number], number: number, in: view),
            ]
        }
    }

    /// A layer without an image has no `toImage`.
    private func json(_ layer: Layer, number: Int, in view: View) -> JSONValue {
        let size = layer.imagePath.flatMap { sizes[$0] }
        return [
            "layer": .number(Double(number)),
            "image": layer.imagePath.map { .string($0.description) },
            "size": size.map { numbers(Double($0.width), Double($0.height)) },
            "rect": numbers(layer.rect),
            "crop": layer.crop.map(numbers),
            "toImage": size.map { transform(to: $0, in: layer.rect, of: view) },
        ]
    }

    private func transform(to size: ImageSize, in rect: Rect, of view: View) -> JSONValue {
        let (x, y) = (Double(size.width) / rect.width, Double(size.height) / rect.height)
        let origin = view.canvas(of: .zero)
        return numbers(
            x / view.magnification, 0, 0, y / view.magnification, (origin.x - rect.x) * x, (origin.y - rect.y) * y)
    }

    private func numbers(_ rect: Rect) -> JSONValue { numbers(rect.x, rect.y, rect.width, rect.height) }

    private func numbers(_ numbers: Double...) -> JSONValue { .array(numbers.map(JSONValue.number)) }
}
