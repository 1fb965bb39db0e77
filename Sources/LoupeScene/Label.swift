import LoupeBase

/// The style of a text: its font, colour and halo.
public struct TextStyle: Hashable, Sendable {
    /// The font's family, such as `DejaVu Sans`, or a generic one, such as `sans-serif`. Another font is taken for what it
    /// lacks.
    public var family: String
    /// The font's size, in canvas pixels, `sizeRange`.
    public var size: Double
    /// 100 … 1000; 400 is regular and 700 bold.
    public var weight: Int
    /// The colour of the text.
    public var color: Color
    /// A band around the letters, beneath them, so that they can be read on any page; nil for none.
    public var halo: Casing?

    /// Text of a size, in canvas pixels.
    public init(
        family: String = "sans-serif", size: Double = 16, weight: Int = 400, color: Color = .defaultInk,
        halo: Casing? = nil
    ) {
        (self.family, self.size, self.weight, self.color, self.halo) = (family, size, weight, color, halo)
    }

    /// The sizes that scenes may have, in canvas pixels.
    public static let sizeRange: ClosedRange<Double> = 1...1024
    /// Whether a text can name a family: one of at most 100 letters, without control characters and commas.
    public static func isFamily(_ text: String) -> Bool {
        let scalars = text.unicodeScalars
        return (1...100).contains(scalars.count)
            && scalars.allSatisfy { $0.value >= 0x20 && $0 != "," && $0.value != 0x7f }
    }
    /// The weights that scenes may have.
    public static let weightRange: ClosedRange<Int> = 100...1000
}

/// Text over the finished picture. No loupe magnifies it (specification, section 6.8).
///
/// The **box** of a text is as wide as its longest line, and reaches from the top of the capitals of its first line to the
/// baseline of its last.
public struct Label: Hashable, Sendable {
    /// The position of the text.
    public enum Anchor: Hashable, Sendable {
        /// At a canvas point. `align` says which point of the box lies there: (0, 0) is its upper left corner, (1, 1) its
        /// lower right one.
        case point(Point, align: Vector)
        /// Beside a loupe's border, inside or outside of it.
        /// - Parameters:
        ///   - index: of the loupe in the scene.
        ///   - angle: the direction from the loupe's centre, in degrees, clockwise from the right.
        ///   - distance: between the border's outermost or innermost line and the box, in canvas pixels.
        case loupe(index: Int, angle: Double, side: Side, distance: Double)
        /// Beside the ring around a loupe's source, outside of it; without a ring, beside the source.
        case ring(index: Int, angle: Double, distance: Double)

        /// The same at another loupe.
        /// - Parameter number: the new index of a loupe; nil where it is gone, and the anchor with it.
        package func renumbered(_ number: (Int) -> Int?) -> Anchor? {
            switch self {
            case .point: self
            case .loupe(let index, let angle, let side, let distance):
                number(index).map { .loupe(index: $0, angle: angle, side: side, distance: distance) }
            case .ring(let index, let angle, let distance):
                number(index).map { .ring(index: $0, angle: angle, distance: distance) }
            }
        }
    }

    /// On which side of a loupe's border a text lies.
    public enum Side: String, Hashable, Sendable, CaseIterable {
        /// Beside the loupe, or within it.
        case outside, inside
    }

    /// Lines of text, parted by newlines; `isAllowed`.
    public var text: String
    /// Where it lies.
    public var anchor: Anchor
    /// How it looks.
    public var style: TextStyle

    /// A text, where it lies and how it looks.
    public init(_ text: String, at anchor: Anchor, style: TextStyle = TextStyle()) {
        (self.text, self.anchor, self.style) = (text, anchor, style)
    }

    /// The label elsewhere; one beside a loupe stays there.
    package func moved(by way: Vector) -> Label {
        guard case .point(let point, let align) = anchor else { return self }
        return Label(text, at: .point(point + way, align: align), style: style)
    }

    /// The most characters (Unicode scalars) of a text.
    public static let longestText = 1000
    /// The angles that scenes may have, in degrees.
    public static let angleRange: ClosedRange<Double> = -360...360
    /// The distances that scenes may have, in canvas pixels.
    public static let distanceRange: ClosedRange<Double> = -8192...8192
    /// To the upper left.
    public static let defaultAngle = -135.0

    /// What is wrong with a text, as a clause; nil where nothing is.
    public static func problem(with text: String) -> String? {
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            let isControl = scalar.value < 0x20 && scalar != "\n" || (0x7f...0x9f).contains(scalar.value)
            if isControl { return "it has the control character \(scalar.value); of these only newlines are allowed" }
        }
        if count == 0 { return "it is empty; a text is needed" }
        return count <= longestText ? nil : "it has \(count) characters; allowed are \(longestText)"
    }
}

/// A bar that shows how long a length of the world is in the picture, with its text (specification, section 6.8).
public struct ScaleBar: Hashable, Sendable {
    /// The layer or loupe that a bar lies in and has the magnification of.
    public enum Subject: Hashable, Sendable {
        /// A layer, by its index in the scene: the page at magnification 1. In a scene without layers it is the canvas.
        case layer(Int)
        /// A loupe, by its index in the scene.
        case loupe(Int)
    }

    /// What it lies in.
    public var subject: Subject
    /// What it shows.
    public var length: PhysicalLength
    /// The corner of the loupe or of the layer in which it lies.
    public var corner: CornerPosition
    /// Beside the bar, as in a label.
    public var text: String
    /// The thickness of the bar, in canvas pixels, `Callout.widthRange`.
    public var width: Double
    /// Between the bar's box and the corner's edges, in canvas pixels.
    public var inset: Double
    /// The style of the text. The bar has the same colour and halo.
    public var style: TextStyle

    /// A bar of a length. Its text is that length, and its width and inset follow from the size of the text.
    public init(
        of length: PhysicalLength, in subject: Subject = .layer(0), corner: CornerPosition = .bottomRight,
        text: String? = nil,
        width: Double? = nil, inset: Double? = nil, style: TextStyle = TextStyle()
    ) {
        (self.subject, self.length, self.corner, self.text) = (subject, length, corner, text ?? length.label)
        (self.width, self.inset, self.style) = (width ?? style.size / 5, inset ?? style.size * 0.75, style)
    }

    /// The insets that scenes may have, in canvas pixels.
    public static let insetRange: ClosedRange<Double> = 0...8192
}

extension ScaleBar {
    /// The rect of the bar, whose left end and rows are whole, and its text; in canvas pixels. Nil where the scene does not say
    /// what a pixel shows, or has no loupe of the bar's index.
    /// - Parameter visible: The part of the canvas in which a layer's bar stays.
    package func parts(in scene: Scene, within visible: Rect) -> (bar: Rect, label: Label)? {
        guard let pixelSize = scene.pixelSize, let (corner, zoom) = place(in: scene, within: visible) else {
            return nil
        }
        let length = self.length.metres / pixelSize.metres * zoom
        let (textWidth, gap) = (0.62 * style.size * Double(text.lineLengths.max() ?? 0), 0.35 * style.size)
        let thickness = max(1, width.rounded())
        let boxWidth = max(length, textWidth)
        let (isLeft, isTop) = (self.corner.isLeft, self.corner.isTop)
        let middle = corner.x + (isLeft ? 0.5 : -0.5) * boxWidth
        let top = (corner.y + (isTop ? 0 : -thickness)).rounded()
        let rect = Rect(x: (middle - length / 2).rounded(), y: top, width: length, height: thickness)
        let anchor = Point(x: rect.x + length / 2, y: isTop ? rect.maxY + gap : rect.minY - gap)
        let align = Vector(dx: 0.5, dy: isTop ? 0 : 1)
        return (rect, Label(text, at: .point(anchor, align: align), style: style))
    }

    /// Where the box's corner lies, in canvas pixels, and the subject's magnification.
    private func place(in scene: Scene, within visible: Rect) -> (corner: Point, zoom: Double)? {
        switch subject {
        case .layer(let index):
            let shape = scene.layers.indices.contains(index) ? scene.layers[index].corner : Corner()
            return (corner(of: scene.bounds(ofLayer: index), cut: visible, shape, within: 0), 1)
        case .loupe(let index):
            guard scene.loupes.indices.contains(index) else { return nil }
            let loupe = scene.loupes[index]
            let rim = loupe.rim?.width ?? 0
            switch loupe.shape {
            case .circle(let radius):
                // Lower than the diagonal, or higher, so that it is farther from the centre.
                let reach = max(0, radius - rim - inset)
                let (across, down) = (0.5 * reach, 0.75.squareRoot() * reach)
                return (
                    loupe.center + Vector(dx: corner.isLeft ? -across : across, dy: corner.isTop ? -down : down),
                    loupe.zoom
                )
            case .rectangle(let shape):
                let rect = Rect(center: loupe.center, width: shape.width, height: shape.height)
                return (corner(of: rect, cut: rect, shape.corner, within: rim), loupe.zoom)
            }
        }
    }

    /// The point in a corner of a rect that is the bar's inset away from its edges and from its curve, which it meets on the
    /// diagonal.
    private func corner(of rect: Rect, cut: Rect, _ shape: Corner, within rim: Double) -> Point {
        let radius = shape.radii[corner]
        let part = 1 - pow(2, -1 / shape.exponent)
        let (left, right) = (max(rect.minX, cut.minX), min(rect.maxX, cut.maxX))
        let (top, bottom) = (max(rect.minY, cut.minY), min(rect.maxY, cut.maxY))
        let (dx, dy) = (inset + rim + part * radius.x, inset + rim + part * radius.y)
        return Point(x: corner.isLeft ? left + dx : right - dx, y: corner.isTop ? top + dy : bottom - dy)
    }
}

extension String {
    /// How many characters (Unicode scalars) each line has.
    package var lineLengths: [Int] {
        var lengths = [0]
        for scalar in unicodeScalars {
            if scalar == "\n" { lengths.append(0) } else { lengths[lengths.count - 1] += 1 }
        }
        return lengths
    }
}

extension Scene {
    /// The length of a bar that is near a fifth of its subject's width: 1, 2 or 5 times a power of ten.
    /// - Parameters:
    ///   - pixelSize: what a canvas pixel shows at magnification 1.
    ///   - subject: whose width and magnification count.
    public func roundBarLength(pixelSize: PhysicalLength, in subject: ScaleBar.Subject) -> PhysicalLength {
        let width =
            switch subject {
            case .layer(let index): bounds(ofLayer: index).width
            case .loupe(let index): 2 * loupes[index].halfSides.dx / loupes[index].zoom
            }
        return PhysicalLength(pixelSize.value * width / 5, pixelSize.unit).rounded()
    }

    /// The bounds of a layer, in canvas pixels; those of the canvas where there is no such layer.
    package func bounds(ofLayer index: Int) -> Rect {
        layers.indices.contains(index) ? layers[index].bounds : canvas.rect
    }
}

extension Scene {
    /// The scene with the bars of layers as layers and labels, which move with what they lie on and need not stay on the canvas.
    /// - Parameter visible: The part of the scene that can be seen.
    package func withBarsAsLayers(within visible: Rect) -> Scene {
        var scene = self
        (scene.scaleBars, scene.labels) = ([], [])
        for bar in scaleBars {
            guard case .layer = bar.subject else {
                scene.scaleBars.append(bar)
                continue
            }
            guard let (rect, label) = bar.parts(in: self, within: visible) else { continue }
            let halo = bar.style.halo.map { Layer(content: .fill($0.color), rect: rect.inset(by: -$0.width)) }
            scene.layers += halo.map { [$0] } ?? []
            scene.layers.append(Layer(content: .fill(bar.style.color), rect: rect))
            scene.labels.append(label)
        }
        scene.labels += labels
        return scene
    }
}
