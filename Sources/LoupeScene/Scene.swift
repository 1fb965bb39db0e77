import LoupeGeometry

/// What to draw: a canvas, layers from bottom to top, and loupes over them (SPEC 2).
///
/// A `Scene` is complete: every default has been filled in. Every length is in canvas pixels,
/// y down, unless a name says otherwise.
public struct Scene: Hashable, Sendable {
    public struct Canvas: Hashable, Sendable {
        /// In pixels, `sideRange`.
        public var width: Int
        public var height: Int
        public var background: Color

        public init(width: Int, height: Int, background: Color = .defaultBackground) {
            self.width = width
            self.height = height
            self.background = background
        }

        public static let sideRange: ClosedRange<Int> = 1...16384
        public var pixels: PixelRect { PixelRect(width: width, height: height) }
    }

    public var canvas: Canvas
    public var blending: Blending
    /// Bottom to top.
    public var layers: [Layer]
    /// In the order in which they are drawn; a later loupe covers an earlier one.
    public var loupes: [Loupe]

    public init(canvas: Canvas, blending: Blending = .srgb, layers: [Layer] = [], loupes: [Loupe] = []) {
        self.canvas = canvas
        self.blending = blending
        self.layers = layers
        self.loupes = loupes
    }

    /// The paths of the images that the layers and the split loupes show, each once, in the order of first use.
    public var imagePaths: [String] {
        var seen = Set<String>()
        return (layers.compactMap { $0.imagePath } + loupes.compactMap { $0.split?.image }).filter {
            seen.insert($0).inserted
        }
    }
}

extension Color {
    public static let defaultBackground = Color(red: 0xcc, green: 0xcc, blue: 0xcc)
}

extension Scene {
    /// The same scene with its images under other paths.
    public func renamingImages(_ name: (_ path: String) -> String) -> Scene {
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
    /// The encoded sRGB values, as user-interface toolkits do.
    case srgb
    /// Linear light.
    case linear
}

/// How many bits a picture has for each channel.
public enum SampleDepth: Int, Hashable, Sendable, CaseIterable {
    case eight = 8
    case sixteen = 16
}
