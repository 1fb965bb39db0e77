import LoupeBase

/// A description of a picture: a canvas, layers from bottom to top, and loupes over them (specification, section 2).
///
/// A `Scene` is complete: every default is filled in. Every length is in canvas pixels, y down, unless a comment says
/// otherwise.
public struct Scene: Hashable, Sendable {
    /// The surface that the layers and loupes are drawn on.
    public struct Canvas: Hashable, Sendable {
        /// In pixels, `sideRange`.
        public var width: Int
        /// In pixels, `sideRange`.
        public var height: Int
        /// What is seen where no layer lies.
        public var background: Backdrop

        /// A canvas by its size in pixels, of one colour.
        public init(width: Int, height: Int, background: Color = .defaultBackground) {
            self.init(width: width, height: height, background: .color(background))
        }

        /// A canvas by its size in pixels.
        public init(width: Int, height: Int, background: Backdrop) {
            (self.width, self.height, self.background) = (width, height, background)
        }

        /// The widths and heights that scenes may have, in pixels.
        public static let sideRange: ClosedRange<Int> = 1...16384
        /// All of its pixels.
        public var pixels: PixelRect { PixelRect(width: width, height: height) }
        /// All of it, in canvas pixels.
        package var rect: Rect { Rect(x: 0, y: 0, width: Double(width), height: Double(height)) }
    }

    /// What everything is drawn on.
    public var canvas: Canvas
    /// The space in which texels are filtered and layers are blended.
    public var blending: Blending
    /// Bottom to top.
    public var layers: [Layer]
    /// In the order in which they are drawn; a later loupe covers an earlier one.
    public var loupes: [Loupe]
    /// What a canvas pixel shows at magnification 1; nil where nobody says. Scale bars need it.
    public var pixelSize: PhysicalLength?
    /// Over everything else, in the order in which they are drawn.
    public var scaleBars: [ScaleBar]
    /// Over the scale bars, in the order in which they are drawn.
    public var labels: [Label]
    /// What the picture shows, for readers who can't see it; nil where the author does not say.
    public var alt: String?

    /// A scene of layers and loupes, with scale bars and labels over them.
    public init(
        canvas: Canvas, blending: Blending = .srgb, layers: [Layer] = [], loupes: [Loupe] = [],
        pixelSize: PhysicalLength? = nil, scaleBars: [ScaleBar] = [], labels: [Label] = []
    ) {
        (self.canvas, self.blending, self.layers, self.loupes) = (canvas, blending, layers, loupes)
        (self.pixelSize, self.scaleBars, self.labels) = (pixelSize, scaleBars, labels)
    }

    /// The page: the first layer that shows an image; nil where none does.
    package var page: Layer? { layers.first { $0.imagePath != nil } }

    /// The paths of the images that the layers and the split loupes show, each once, in the order of first use.
    public var imagePaths: [ImagePath] {
        var seen = Set<ImagePath>()
        return (layers.compactMap { $0.imagePath } + loupes.compactMap { $0.split?.image }).filter {
            seen.insert($0).inserted
        }
    }
}

extension Scene {
    /// Whether a shadow or the background asks for the ordered dither of 8-bit pictures.
    public var isDithered: Bool {
        if case .gradient(let gradient) = canvas.background, gradient.dither { return true }
        return layers.contains { $0.shadow?.dither == true } || loupes.contains { $0.shadow?.dither == true }
    }
}

extension Scene {
    /// The blur in canvas pixels from which bands of a shadow are wide enough to be seen.
    private static let wideBlur = 64.0

    /// The scene of a page with flags, in which wide shadows are dithered.
    package func ditheringWideShadows() -> Scene {
        var scene = self
        for index in layers.indices { scene.layers[index].shadow?.ditherIfWide(Self.wideBlur) }
        for index in loupes.indices { scene.loupes[index].shadow?.ditherIfWide(Self.wideBlur) }
        return scene
    }
}

extension Loupe.Shadow {
    fileprivate mutating func ditherIfWide(_ limit: Double) { if blur >= limit { dither = true } }
}

extension Color {
    /// Light grey.
    public static let defaultBackground = Color(red: 0xcc, green: 0xcc, blue: 0xcc)
}

extension Scene {
    /// The scene with the path of each image replaced.
    public func renamingImages(_ name: (_ path: ImagePath) -> ImagePath) -> Scene {
        var scene = self
        for index in scene.layers.indices {
            guard case .image(let path) = scene.layers[index].content else { continue }
            scene.layers[index].content = .image(path: name(path))
        }
        for index in scene.loupes.indices {
            guard let path = scene.loupes[index].split?.image else { continue }
            scene.loupes[index].split?.image = name(path)
        }
        return scene
    }
}

/// The space in which texels are filtered and layers are blended.
public enum Blending: String, Hashable, Sendable, CaseIterable {
    /// sRGB-encoded values, as in user-interface toolkits.
    case srgb
    /// Linear light.
    case linear
}

/// The number of bits that a picture has for each channel.
public enum SampleDepth: Int, Hashable, Sendable, CaseIterable {
    /// 8 bits.
    case eight = 8
    /// 16 bits.
    case sixteen = 16
}
