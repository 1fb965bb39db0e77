import LoupeBase
import LoupeScene

/// Corners that differ, rectangular loupes, their callouts, and split loupes, in a scene that has been made already.
extension SceneGenerator {
    mutating func addShapes(to scene: inout Scene) {
        swap(&random, &shapeRandom)
        defer { swap(&random, &shapeRandom) }
        for index in scene.layers.indices where isLikely(0.6) {
            scene.layers[index].corner = mixedCorner(of: scene.layers[index].bounds)
        }
        let hasImage = scene.layers.contains { $0.imagePath != nil }
        for index in scene.loupes.indices {
            if isLikely(0.7) {
                scene.loupes[index].shape = .rectangle(rectangle())
                if let shadow = scene.loupes[index].shadow, shadow.blur == 0 {
                    scene.loupes[index].shadow?.offset = shadow.offset + Self.besideMiddles
                }
            }
            let limit = scene.loupes[index].radius
            if let rim = scene.loupes[index].rim { scene.loupes[index].rim?.width = min(rim.width, limit) }
            if hasImage, isLikely(0.4) { scene.loupes[index].split = split() }
        }
        for index in scene.loupes.indices where scene.loupes[index].callout == nil && isLikely(0.4) {
            scene.loupes[index].callout = callout()
        }
    }

    /// Takes borders in eighths of a pixel off the pixels' middles: where a corner runs into an edge right on one, what a
    /// sharp shadow covers hangs on less than 32-bit floats hold.
    private static let besideMiddles = Vector(dx: 1.0 / 16, dy: 1.0 / 16)

    /// Each number 0 or at least 4.
    private mutating func mixedCorner(of rect: Rect) -> Corner {
        let exponent = pick(1, 2, 2, 3.35, 4, 8, number(1, 8), Double.random(in: 1...1.3, using: &random))
        guard rect.shorterSide >= 8 else { return Corner(radius: 0, exponent: exponent) }
        let isAlike = isLikely(0.3)
        let one = radius(upTo: rect.width / 2, rect.height / 2)
        let radii = CornerRadii { _ in
            isAlike ? one : isLikely(0.2) ? .zero : radius(upTo: rect.width - 4, rect.height - 4)
        }
        let fitted = radii.fitted(width: rect.width, height: rect.height)
        return Corner(radii: fitted.smallest < 4 ? CornerRadii(one) : fitted, exponent: exponent)
    }

    private mutating func radius(upTo across: Double, _ down: Double) -> CornerRadius {
        CornerRadius(
            x: min(max(4, number(4, max(4, across))), max(4, across)),
            y: min(max(4, number(4, max(4, down))), max(4, down)))
    }

    private mutating func rectangle() -> Loupe.Rectangle {
        let (width, height) = (max(2, number(4, 220)), max(2, number(4, 160)))
        let rect = Rect(x: 0, y: 0, width: width, height: height)
        let even = Corner(
            radius: pick(0, 0.5, 1) * rect.shorterSide / 2, exponent: pick(1, 2, 3.35, 4, 8, number(1, 8)))
        return Loupe.Rectangle(width: width, height: height, corner: isLikely(0.4) ? mixedCorner(of: rect) : even)
    }

    private mutating func split() -> Loupe.Split {
        let divider = Loupe.Split.Divider(width: pick(0, 0.5, 1, 2, number(0, 30)), color: color())
        return Loupe.Split(
            image: imagePath(), angle: pick(0, 90, -45, number(-180, 180)),
            divider: isLikely(0.6) ? divider : nil)
    }
}
