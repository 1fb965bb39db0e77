import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene

/// The decoded images of a scene, ready to be drawn.
struct SceneImages: Sendable {
    /// By the path in the scene, or by the names that jobs share.
    private(set) var images: [ImagePath: Image] = [:]
    /// What a plan needs to know of them, by the same names.
    private(set) var traits: [ImagePath: ImageTraits] = [:]
    /// Their colours, in the order of decoding.
    private(set) var colors: [ImageColor] = []
    /// The images that jobs share and their names, by the path in the scene. No other image has such a name, nor the same
    /// one drawn otherwise.
    private(set) var shared: [ImagePath: (name: ImagePath, image: SharedImage)] = [:]

    /// Decodes some of a scene's images, in this order.
    /// - Parameter sharesNames: whether they have the names that jobs share.
    /// - Throws: `ImageError`; `PipelineError.tooManyPixels`.
    init(
        _ paths: [ImagePath], of scene: Scene, from source: ImageSource, limits: ImageLimits,
        depth: SampleDepth = .eight, sharesNames: Bool = false
    ) throws {
        for path in paths {
            let decoded = try source.image(path, limits: limits)
            let color = try ImageColor(path, decoded, in: scene, depth: depth)
            var name = path
            if sharesNames {
                name = source.sharedName(of: path)
                if color.isCarried { name = ImageSource.variant("stored", of: name) }
                shared[path] = (name, decoded)
            }
            images[name] = color.isCarried ? decoded.picture.image : try decoded.converted()
            traits[name] = decoded.traits
            colors.append(color)
        }
    }

    /// The scene with these names.
    func renaming(_ scene: Scene) -> Scene {
        shared.isEmpty ? scene : scene.renamingImages { shared[$0]?.name ?? $0 }
    }

    /// Forgets the pixels, which the device has now.
    mutating func free() { images = [:] }
}

/// The colours of an image, and how they were treated.
struct ImageColor: Sendable {
    /// As the scene names the image.
    let path: ImagePath
    /// What the file says about its colours.
    let color: ColorEncoding
    /// Whether it is an SVG, which each view draws at its own size.
    let isVector: Bool
    /// Whether the output has the same colour profile, so that the image's numbers are drawn without conversion.
    let isCarried: Bool

    /// - Throws: `ImageError` where a profile is to be carried that is broken.
    fileprivate init(_ path: ImagePath, _ image: SharedImage, in scene: Scene, depth: SampleDepth) throws {
        (self.path, color, isVector) = (path, image.picture.color, image.traits.isVector)
        isCarried = Self.isAlone(image, at: path, in: scene, depth)
        if isCarried { try image.picture.check() }
    }

    /// An image that is converted to sRGB.
    init(_ path: ImagePath, converting color: ColorEncoding) {
        (self.path, self.color, isVector, isCarried) = (path, color, false, false)
    }

    /// The ICC profile that the output needs; nil for sRGB.
    var carriedProfile: [UInt8]? {
        if isCarried, case .profile(let bytes) = color { bytes } else { nil }
    }

    /// Whether a scene shows nothing but one opaque page with a profile: no other colour, and no background.
    ///
    /// The scene is compared with one that has only known parts, so that any other part makes the answer false.
    private static func isAlone(
        _ image: SharedImage, at path: ImagePath, in scene: Scene, _ depth: SampleDepth
    ) -> Bool {
        guard case .profile = image.picture.color, image.isOpaque, let layer = scene.layers.first,
            layer.imagePath != nil
        else { return false }
        let page = Layer(
            content: layer.content, rect: layer.rect, crop: layer.crop, corner: layer.corner, filter: layer.filter)
        let loupes = scene.loupes.map {
            Loupe(center: $0.center, radius: $0.radius, zoom: $0.zoom, focus: $0.focus, filter: $0.filter)
        }
        guard scene == Scene(canvas: scene.canvas, blending: .srgb, layers: [page], loupes: loupes) else {
            return false
        }
        let plan = DrawPlan(scene, images: [path: image.traits], depth: depth)
        return !plan.views.contains(where: \.showsBackground)
    }

    /// As in the JSON of `--stats`.
    var json: JSONValue {
        let kind =
            switch color {
            case .sRGB: "sRGB"
            case .profile: "ICC profile"
            case .calibrated: "gamma and chromaticities"
            }
        let treatment = color == .sRGB ? "none" : isCarried ? "carried" : "converted to sRGB"
        return [
            "image": .string(path.description), "vector": .bool(isVector), "color": .string(kind),
            "treatment": .string(treatment),
        ]
    }
}
