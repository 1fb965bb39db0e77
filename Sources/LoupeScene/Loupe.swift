import LoupeBase

/// A disc or a rectangle on the canvas that shows the layers magnified.
public struct Loupe: Hashable, Sendable {
    /// A ring along the inside of the border.
    public struct Rim: Hashable, Sendable {
        /// In canvas pixels, 0 … the loupe's radius.
        public var width: Double
        /// Composited over what the loupe shows.
        public var color: Color
        /// Around the loupe, outside of its border; nil for none.
        public var casing: Casing?

        /// A rim by its width, in canvas pixels, and its colour.
        public init(width: Double, color: Color, casing: Casing? = nil) {
            (self.width, self.color, self.casing) = (width, color, casing)
        }
    }

    /// A shadow like a Gaussian blur of the loupe's or layer's shape, computed from the distance to its border.
    public struct Shadow: Hashable, Sendable {
        /// From its shape, in canvas pixels.
        public var offset: Vector
        /// Twice the standard deviation, in canvas pixels, as in CSS.
        public var blur: Double
        /// At full strength; the blur scales its alpha.
        public var color: Color
        /// Whether the picture is rounded by an ordered dither, so that a wide blur shows no bands.
        public var dither: Bool

        /// A shadow by its offset and blur, in canvas pixels, and its colour.
        public init(offset: Vector, blur: Double, color: Color, dither: Bool = false) {
            (self.offset, self.blur, self.color, self.dither) = (offset, blur, color, dither)
        }

        /// The blurs that scenes may have, in canvas pixels.
        public static let blurRange: ClosedRange<Double> = 0...8192
    }

    /// The middle of its shape, in canvas pixels. It may lie outside of the page and of the canvas.
    public var center: Point
    /// A disc or a rectangle.
    public var shape: Shape
    /// Magnification relative to the canvas, `zoomRange`.
    public var zoom: Double
    /// The canvas point shown at the centre, in canvas pixels. With `Outside.clamp` the view may move: `Scene.shownFocus`.
    public var focus: Point
    /// The filter of all layers in this loupe.
    public var filter: LoupeFilter
    /// A ring along the inside of the border; nil for none.
    public var rim: Rim?
    /// The shadow on the layers and the loupes before this one; nil for none.
    public var shadow: Shadow?
    /// What the other half shows; nil for a loupe that is not split.
    public var split: Split?
    /// What marks the part of the page that the loupe shows; nil for nothing.
    public var callout: Callout?
    /// Lines on the borders of texels; nil for none.
    public var grid: TexelGrid?
    /// A frame around the texel at the focus; nil for none.
    public var mark: TexelMark?
    /// What the loupe shows where no layer lies.
    public var outside: Outside
    /// How wide it shows the strokes of SVGs.
    public var strokes = StrokeScaling.scale
    /// 0…1: the part of the loupe, with its shadow, that is seen. Its callout is drawn whole.
    public var opacity: Double

    /// A disc. Its focus is its centre by default: it magnifies what lies under it.
    public init(
        center: Point, radius: Double, zoom: Double, focus: Point? = nil, filter: LoupeFilter = .linear,
        rim: Rim? = nil, shadow: Shadow? = nil, split: Split? = nil, callout: Callout? = nil,
        grid: TexelGrid? = nil, mark: TexelMark? = nil, outside: Outside = .background,
        opacity: Double = 1
    ) {
        self.init(
            center: center, shape: .circle(radius: radius), zoom: zoom, focus: focus, filter: filter, rim: rim,
            shadow: shadow, split: split, callout: callout, grid: grid, mark: mark, outside: outside, opacity: opacity)
    }

    /// A loupe of any shape. Its focus is its centre by default: it magnifies what lies under it.
    public init(
        center: Point, shape: Shape, zoom: Double, focus: Point? = nil, filter: LoupeFilter = .linear,
        rim: Rim? = nil, shadow: Shadow? = nil, split: Split? = nil, callout: Callout? = nil,
        grid: TexelGrid? = nil, mark: TexelMark? = nil, outside: Outside = .background,
        opacity: Double = 1
    ) {
        (self.center, self.shape, self.zoom, self.focus, self.filter) = (center, shape, zoom, focus ?? center, filter)
        (self.rim, self.shadow, self.split, self.callout, self.grid) = (rim, shadow, split, callout, grid)
        (self.mark, self.outside, self.opacity) = (mark, outside, opacity)
    }

    /// The radii that scenes may have, in canvas pixels.
    public static let radiusRange: ClosedRange<Double> = 1...8192
    /// The magnifications that scenes may have.
    public static let zoomRange: ClosedRange<Double> = 1...64
}

extension Loupe {
    /// A loupe's outer form. A loupe that is not a disc is called a shaped loupe.
    public enum Shape: Hashable, Sendable {
        /// In canvas pixels, `radiusRange`.
        case circle(radius: Double)
        /// A rectangle with superellipse corners.
        case rectangle(Rectangle)
    }

    /// A rectangle about the loupe's centre.
    public struct Rectangle: Hashable, Sendable {
        /// In canvas pixels, `sideRange`.
        public var width: Double
        /// In canvas pixels, `sideRange`.
        public var height: Double
        /// The shape of all four corners; must fit the rectangle.
        public var corner: Corner

        /// A rectangle by its size, in canvas pixels, and its corners.
        public init(width: Double, height: Double, corner: Corner = Corner()) {
            (self.width, self.height, self.corner) = (width, height, corner)
        }

        /// The widths and heights that scenes may have, in canvas pixels.
        public static let sideRange: ClosedRange<Double> = 2 * radiusRange.lowerBound...2 * radiusRange.upperBound
    }

    /// The distance of the centre from the border, in canvas pixels: a disc's radius, or half a rectangle's shorter side.
    /// Setting it scales a rectangle with its corners.
    public var radius: Double {
        get {
            switch shape {
            case .circle(let radius): radius
            case .rectangle(let rectangle): min(rectangle.width, rectangle.height) / 2
            }
        }
        set {
            switch shape {
            case .circle: shape = .circle(radius: newValue)
            case .rectangle(let old): shape = .rectangle(old.scaled(by: newValue / radius))
            }
        }
    }

    /// Whether what lies below may be seen through it, so that its shadow, its casing and its callout leave its place free.
    package var isSeenThrough: Bool { outside == .transparent || opacity < 1 }

    /// Half the width and half the height, in canvas pixels.
    package var halfSides: Vector {
        switch shape {
        case .circle(let radius): Vector(dx: radius, dy: radius)
        case .rectangle(let rectangle): Vector(dx: rectangle.width / 2, dy: rectangle.height / 2)
        }
    }

    /// The radius of a circle about the centre that contains the loupe, whatever its corners, in canvas pixels.
    package var outerRadius: Double {
        switch shape {
        case .circle(let radius): radius
        case .rectangle: halfSides.length
        }
    }

    /// The border of a rectangle, in canvas pixels; nil for a disc.
    public var outline: Outline? {
        guard case .rectangle(let rectangle) = shape else { return nil }
        return Outline(
            rect: Rect(center: center, width: rectangle.width, height: rectangle.height),
            radii: rectangle.corner.radii, exponent: rectangle.corner.exponent)
    }
}

extension Loupe.Rectangle {
    func scaled(by factor: Double) -> Loupe.Rectangle {
        Loupe.Rectangle(
            width: width * factor, height: height * factor,
            corner: Corner(radii: factor * corner.radii, exponent: corner.exponent))
    }
}

extension Loupe {
    /// The other half of a split loupe (`versus` in scenes). It shows the same layers at the same focus, but another image
    /// replaces the first one that a layer shows. That image is stretched to the same rect and clipped by the same outline.
    public struct Split: Hashable, Sendable {
        /// A line between the halves.
        public struct Divider: Hashable, Sendable {
            /// In canvas pixels, `widthRange`.
            public var width: Double
            /// Composited over both halves.
            public var color: Color

            /// A divider by its width, in canvas pixels, and its colour.
            public init(width: Double, color: Color = .defaultRim) {
                (self.width, self.color) = (width, color)
            }

            /// The widths that scenes may have, in canvas pixels.
            public static let widthRange: ClosedRange<Double> = 0...8192
        }

        /// The path of a PNG, relative to the scene file.
        public var image: ImagePath
        /// The clockwise rotation of the halves about the loupe's centre, in degrees. At 0 the other image is to the right
        /// of a vertical border, at 90 below a horizontal one.
        public var angle: Double
        /// The line between the halves; nil for none.
        public var divider: Divider?

        /// A split by the other image, the angle of the border in degrees, and the divider.
        public init(image: ImagePath, angle: Double = 0, divider: Divider? = nil) {
            (self.image, self.angle, self.divider) = (image, angle, divider)
        }

        /// The angles that scenes may have, in degrees.
        public static let angleRange: ClosedRange<Double> = -180...180

        /// The unit vector across the border, towards the other image's half.
        public var direction: Vector {
            Vector(dx: cos(angle * .pi / 180), dy: sin(angle * .pi / 180))
        }
    }
}

extension Scene {
    /// The scene with another image in place of the first one that a layer shows.
    package func showing(_ path: ImagePath) -> Scene {
        var scene = self
        guard let index = layers.firstIndex(where: { $0.imagePath != nil }) else { return self }
        scene.layers[index].content = .image(path: path)
        return scene
    }
}

/// A choice of how wide a loupe shows the strokes of SVGs.
public enum StrokeScaling: String, Hashable, Sendable, CaseIterable {
    /// Magnified, as all else.
    case scale
    /// As wide as on the page, with dashes as long.
    case keep
}

extension Loupe {
    /// What the widths and dashes of an SVG's strokes are times where the loupe draws it.
    package var strokeScale: Double { strokes == .keep ? 1 / zoom : 1 }
}

/// A choice of what a loupe shows where no layer lies.
public enum Outside: String, Hashable, Sendable, CaseIterable {
    /// The canvas's background.
    case background
    /// What lies under the loupe. Its own shadow and callout are not drawn there.
    case transparent
    /// The background; but the view moves so that its source stays on the page.
    case clamp
}

extension Scene {
    /// The smallest rect that contains every layer's bounds, in canvas pixels; nil without layers.
    var pageBounds: Rect? {
        guard let first = layers.first?.bounds else { return nil }
        return layers.dropFirst().reduce(first) { $0.union($1.bounds) }
    }

    /// The canvas point that a loupe shows at its centre.
    ///
    /// That is its focus. With `Outside.clamp` it is the nearest point for which the source, the loupe's shape divided by
    /// its zoom, lies within the page; the page's middle along a side that is too short for that.
    public func shownFocus(of loupe: Loupe) -> Point {
        guard loupe.outside == .clamp, let page = pageBounds else { return loupe.focus }
        let (across, down) = (loupe.halfSides.dx / loupe.zoom, loupe.halfSides.dy / loupe.zoom)
        func clamped(_ focus: Double, _ low: Double, _ high: Double, _ reach: Double) -> Double {
            low + reach > high - reach ? (low + high) / 2 : min(max(focus, low + reach), high - reach)
        }
        return Point(
            x: clamped(loupe.focus.x, page.minX, page.maxX, across),
            y: clamped(loupe.focus.y, page.minY, page.maxY, down))
    }
}
