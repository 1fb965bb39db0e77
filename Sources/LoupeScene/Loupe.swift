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
