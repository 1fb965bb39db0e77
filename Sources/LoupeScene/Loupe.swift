import CMath
import LoupeGeometry

/// A disc on the canvas that shows the layers magnified.
public struct Loupe: Hashable, Sendable {
    /// The ring over [radius − width, radius] inside the disc, or as wide along a rectangle's border.
    public struct Rim: Hashable, Sendable {
        /// In canvas pixels, 0 … the loupe's radius.
        public var width: Double
        public var color: Color

        public init(width: Double, color: Color) {
            self.width = width
            self.color = color
        }
    }

    /// A Gaussian-like shadow, computed from the distance to the disc or the rectangle.
    public struct Shadow: Hashable, Sendable {
        /// From the loupe's centre, in canvas pixels.
        public var offset: Vector
        /// Twice the standard deviation, in canvas pixels, as in CSS.
        public var blur: Double
        public var color: Color

        public init(offset: Vector, blur: Double, color: Color) {
            self.offset = offset
            self.blur = blur
            self.color = color
        }

        public static let blurRange: ClosedRange<Double> = 0...8192
    }

    /// The disc's centre, in canvas pixels; it may lie off the page and off the canvas.
    public var center: Point
    /// The disc, or what is in its place.
    public var shape: Shape
    /// Magnification relative to the canvas.
    public var zoom: Double
    /// The canvas point shown at the centre.
    public var focus: Point
    /// For every layer seen in this loupe.
    public var filter: LoupeFilter
    public var rim: Rim?
    public var shadow: Shadow?
    /// What the other half of a split loupe shows.
    public var split: Split?
    public var callout: Callout?
    public var grid: TexelGrid?
    public var mark: TexelMark?
    public var outside: Outside

    public init(
        center: Point, radius: Double, zoom: Double, focus: Point? = nil, filter: LoupeFilter = .linear,
        rim: Rim? = nil, shadow: Shadow? = nil, split: Split? = nil, callout: Callout? = nil,
        grid: TexelGrid? = nil, mark: TexelMark? = nil, outside: Outside = .background
    ) {
        self.init(
            center: center, shape: .circle(radius: radius), zoom: zoom, focus: focus, filter: filter, rim: rim,
            shadow: shadow, split: split, callout: callout, grid: grid, mark: mark, outside: outside)
    }

    public init(
        center: Point, shape: Shape, zoom: Double, focus: Point? = nil, filter: LoupeFilter = .linear,
        rim: Rim? = nil, shadow: Shadow? = nil, split: Split? = nil, callout: Callout? = nil,
        grid: TexelGrid? = nil, mark: TexelMark? = nil, outside: Outside = .background
    ) {
        self.center = center
        self.shape = shape
        self.zoom = zoom
        self.focus = focus ?? center
        self.filter = filter
        self.rim = rim
        self.shadow = shadow
        self.split = split
        self.callout = callout
        self.grid = grid
        self.mark = mark
        self.outside = outside
    }

    public static let radiusRange: ClosedRange<Double> = 1...8192
    public static let zoomRange: ClosedRange<Double> = 1...64
}

extension Loupe {
    /// What a loupe looks like from outside: its disc, or a rectangle with superellipse corners in the disc's place.
    public enum Shape: Hashable, Sendable {
        /// In canvas pixels, `radiusRange`.
        case circle(radius: Double)
        case rectangle(Rectangle)
    }

    /// A lens with four sides, about the loupe's centre.
    public struct Rectangle: Hashable, Sendable {
        /// In canvas pixels, `sideRange`.
        public var width: Double
        public var height: Double
        public var corner: Corner

        public init(width: Double, height: Double, corner: Corner = Corner()) {
            self.width = width
            self.height = height
            self.corner = corner
        }

        public static let sideRange: ClosedRange<Double> = 2 * radiusRange.lowerBound...2 * radiusRange.upperBound
    }

    /// How far from its border the middle of the loupe lies: the disc's radius, or half a rectangle's shorter side. A
    /// rectangle is enlarged as a whole.
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

    /// Half its width and half its height, in canvas pixels.
    package var halfSides: Vector {
        switch shape {
        case .circle(let radius): Vector(dx: radius, dy: radius)
        case .rectangle(let rectangle): Vector(dx: rectangle.width / 2, dy: rectangle.height / 2)
        }
    }

    /// Of the circle about its centre that a loupe of this shape lies in, whatever its corners; in canvas pixels.
    var outerRadius: Double {
        switch shape {
        case .circle(let radius): radius
        case .rectangle: halfSides.length
        }
    }

    /// The border of a rectangle, in canvas pixels; nil for a disc.
    public var outline: Outline? {
        guard case .rectangle(let rectangle) = shape else { return nil }
        return Outline(
            rect: Rect(
                x: center.x - rectangle.width / 2, y: center.y - rectangle.height / 2, width: rectangle.width,
                height: rectangle.height),
            radii: rectangle.corner.radii, exponent: rectangle.corner.exponent)
    }
}

extension Loupe.Rectangle {
    fileprivate func scaled(by factor: Double) -> Loupe.Rectangle {
        Loupe.Rectangle(
            width: width * factor, height: height * factor,
            corner: Corner(radii: factor * corner.radii, exponent: corner.exponent))
    }
}

extension Loupe {
    /// The other half of a split loupe: the same layers at the same focus, where another image is in the place of the
    /// first that a layer shows, stretched to the same rect and cut by the same outline.
    public struct Split: Hashable, Sendable {
        /// A line along the border of the halves.
        public struct Divider: Hashable, Sendable {
            /// In canvas pixels, `widthRange`.
            public var width: Double
            public var color: Color

            public init(width: Double, color: Color = .defaultRim) {
                self.width = width
                self.color = color
            }

            public static let widthRange: ClosedRange<Double> = 0...8192
        }

        /// The path of a PNG, relative to the scene file.
        public var image: String
        /// By how many degrees the halves are turned about the loupe's centre, clockwise: at 0 the other image is on
        /// the right of a vertical border, at 90 below a horizontal one.
        public var angle: Double
        public var divider: Divider?

        public init(image: String, angle: Double = 0, divider: Divider? = nil) {
            self.image = image
            self.angle = angle
            self.divider = divider
        }

        public static let angleRange: ClosedRange<Double> = -180...180

        /// The unit vector across the border, to the other image's side.
        public var direction: Vector {
            Vector(dx: cos(angle * .pi / 180), dy: sin(angle * .pi / 180))
        }
    }
}

extension Scene {
    /// The scene with another image in the place of the first that a layer shows.
    package func showing(_ path: String) -> Scene {
        var scene = self
        guard let index = layers.firstIndex(where: { $0.imagePath != nil }) else { return self }
        scene.layers[index].content = .image(path: path)
        return scene
    }
}

/// What a loupe shows where no layer lies.
public enum Outside: String, Hashable, Sendable, CaseIterable {
    /// The canvas's background.
    case background
    /// What lies under the loupe. Its own shadow and callout are left out there.
    case transparent
    /// The background, but the view is moved so that its source stays on the page.
    case clamp
}

extension Scene {
    /// The smallest rect that holds every layer's bounds, in canvas pixels; nil without layers.
    var pageBounds: Rect? {
        guard let first = layers.first?.bounds else { return nil }
        return layers.dropFirst().reduce(first) { $0.union($1.bounds) }
    }

    /// The canvas point that a loupe shows at its centre: its focus, or with `Outside.clamp` the nearest point about which
    /// all that it shows, the disc or the rectangle divided by its zoom, lies within the page; the page's middle, along a
    /// side that is too short for that.
    public func shownFocus(of loupe: Loupe) -> Point {
        guard loupe.outside == .clamp, let page = pageBounds else { return loupe.focus }
        let (across, down) = (loupe.halfSides.dx / loupe.zoom, loupe.halfSides.dy / loupe.zoom)
        func held(_ focus: Double, _ low: Double, _ high: Double, _ reach: Double) -> Double {
            low + reach > high - reach ? (low + high) / 2 : min(max(focus, low + reach), high - reach)
        }
        return Point(
            x: held(loupe.focus.x, page.minX, page.maxX, across),
            y: held(loupe.focus.y, page.minY, page.maxY, down))
    }
}
