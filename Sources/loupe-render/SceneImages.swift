import LoupeImaging
import LoupeJSON
import LoupePlan
import LoupeRenderer
import LoupeScene

/// The images of a scene as they are drawn, and what was done about their colours.
struct SceneImages: Sendable {
    /// By the path in the scene.
    let images: [String: Image]
    let colors: [ImageColor]

    var traits: [String: ImageTraits] { images.mapValues(\.traits) }

    /// Decodes some of a scene's images, in this order.
    init(_ paths: [String], of scene: Scene, from source: ImageSource, limits: ImageLimits) throws {
        var images: [String: Image] = [:]
        var colors: [ImageColor] = []
        for path in paths {
            let picture = try source.picture(at: path, limits: limits)
            let color = try ImageColor(path, picture, in: scene)
            images[path] = color.isCarried ? picture.image : try picture.converted()
            colors.append(color)
        }
        (self.images, self.colors) = (images, colors)
    }
}

/// What an image says about its colours, and what was done about it.
struct ImageColor: Sendable {
    let path: String
    let color: ColorEncoding
    /// Whether each view draws it anew.
    let isVector: Bool
    /// Whether the output has the same profile, and the image's numbers are drawn as they are.
    let isCarried: Bool

    /// - Throws: `ImageError` where a profile is to be carried that is broken.
    init(_ path: String, _ picture: StoredImage, in scene: Scene) throws {
        self.path = path
        color = picture.color
        isVector = picture.image.vector != nil
        isCarried = Self.isAlone(picture, in: scene)
        if isCarried { try picture.check() }
    }

    /// Of an image that is taken to sRGB.
    init(_ path: String, converting color: ColorEncoding) {
        (self.path, self.color, isVector, isCarried) = (path, color, false, false)
    }

    /// The profile that the output needs.
    var carriedProfile: [UInt8]? {
        if isCarried, case .profile(let bytes) = color { bytes } else { nil }
    }

    /// Whether a scene shows nothing but one opaque page with a profile: no other colour, and its background nowhere.
    ///
    /// Compared with a scene of known parts alone, so that a scene with anything else in it is not taken for one.
    private static func isAlone(_ picture: StoredImage, in scene: Scene) -> Bool {
        guard case .profile = picture.color, picture.image.isOpaque, let layer = scene.layers.first,
            let path = layer.imagePath
        else { return false }
        let page = Layer(
            content: layer.content, rect: layer.rect, crop: layer.crop, corner: layer.corner, filter: layer.filter)
        let loupes = scene.loupes.map {
            Loupe(center: $0.center, radius: $0.radius, zoom: $0.zoom, focus: $0.focus, filter: $0.filter)
        }
        guard scene == Scene(canvas: scene.canvas, blending: .srgb, layers: [page], loupes: loupes) else {
            return false
        }
        return !DrawPlan(scene, images: [path: picture.image.traits]).views.contains(where: \.showsBackground)
    }

    /// As `--stats` tells it.
    var json: JSONValue {
        let kind =
            switch color {
            case .sRGB: "sRGB"
            case .profile: "ICC profile"
            case .calibrated: "gamma and chromaticities"
            }
        let treatment = color == .sRGB ? "none" : isCarried ? "carried" : "converted to sRGB"
        return [
            "image": .string(path), "vector": .bool(isVector), "color": .string(kind), "treatment": .string(treatment),
        ]
    }
}
