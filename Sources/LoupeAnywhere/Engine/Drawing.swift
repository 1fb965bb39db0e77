import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeOracle
import LoupeScene

/// An image of a scene.
struct NamedImage {
    let image: Image
    /// The same with more pixels, which is drawn in its place.
    let fine: Image?
    /// What its file says.
    let density: PixelDensity?
    let digest: String?
    /// Its path in the scene that the picture stores.
    let name: String?
}

/// A job, as the server of jobs takes it, with what the caller has read of its files.
struct Drawing {
    private(set) var scene: Scene
    private let options: JobOptions
    private let request: Request
    private let images: [ImagePath: NamedImage]
    /// Why the scene may not name some files, each as a clause.
    private let refused: [ImagePath: String]
    private var density: PixelDensity?

    /// - Parameters:
    ///   - job: the `input`, and options.
    ///   - document: a scene in a file; nil where the input is a page or the scene itself.
    ///   - images: by their paths in the scene, as far as they were given.
    ///   - refused: why the scene may not name some files, each as a clause.
    init(
        _ job: JSONReader, document: (bytes: [UInt8], name: String)?, images: [ImagePath: NamedImage],
        refused: [ImagePath: String]
    ) throws(Refusal) {
        var job = job
        (self.images, self.refused) = (images, refused)
        let input = try reading { () throws(DocumentError) in try job.required("input") }
        let options = try reading { () throws(DocumentError) in try JobOptions(job, without: ["input"]) }
        (self.options, scene) = (options, Scene(canvas: Scene.Canvas(width: 1, height: 1)))
        request = try composing { () throws(ComposeError) in
            try options.paper.check()
            return try Request(options.given, enlargement: options.paper.enlargement)
        }
        if let plan = options.plan {
            throw Refusal(64, "--show-plan: \(plan.quotable): " + Self.missing("devices, whose plan it shows"))
        }
        if let document {
            scene = try stored(document.bytes, document.name)
        } else if case .object = input.value {
            var reader = input
            scene = try decoded(named: "") { decoder throws(SceneDecodingError) in try decoder.scene(from: &reader) }
        } else {
            let path = ImagePath(try reading { () throws(DocumentError) in try input.string() })
            scene = try composed(on: path)
        }
        scene.alt = request.alt ?? scene.alt
        density = options.paper.density(of: scene.canvas) ?? ownDensity
        guard scene.labels.isEmpty, scene.scaleBars.isEmpty else {
            throw Refusal(69, "text can't be drawn: " + Self.missing("fonts") + ", or leave labels and scale bars out")
        }
    }

    static func missing(_ what: String) -> String {
        "the package for every processor has no \(what); install the one for x86-64 Linux"
    }

    /// The image at a path, which the caller is asked for where it was not given.
    private func image(_ path: ImagePath) throws(Refusal) -> NamedImage {
        guard let found = images[path] else { throw Refusal(needing: path) }
        return found
    }

    // MARK: - Scenes

    /// The scene of a file, or of a picture that stores one.
    private func stored(_ bytes: [UInt8], _ name: String) throws(Refusal) -> Scene {
        if let flag = request.firstFlag {
            throw Refusal(64, "\(flag): only for a page; a scene says this itself")
        }
        return try decoded(named: "\(name.quotable): ") { decoder throws(SceneDecodingError) in
            try decoder.decode(bytes)
        }
    }

    /// A scene that says all itself, at the scale that the options ask for.
    /// - Parameter name: of its file, before what is wrong with it.
    private func decoded(
        named name: String, _ decode: (SceneDecoder) throws(SceneDecodingError) -> Scene
    ) throws(Refusal) -> Scene {
        var needed: ImagePath?
        let decoder = SceneDecoder(
            refusal: { [refused] in refused[$0] },
            imageSize: { [images] (path) throws(SceneDecodingError) in
                if let known = images[path] { return known.image.size }
                needed = path
                throw DocumentError(at: .key(path: ""), "its size is not known")
            })
        let scene: Scene
        do throws(SceneDecodingError) {
            scene = try decode(decoder)
        } catch {
            if let needed { throw Refusal(needing: needed) }
            throw Refusal(65, name + error.description)
        }
        return try composing { () throws(ComposeError) in try scene.scaled(by: request.factor(enlarging: scene)) }
    }

    /// The scene of a page with options.
    private func composed(on path: ImagePath) throws(Refusal) -> Scene {
        let facts = try facts(of: path)
        return try composing { () throws(ComposeError) in
            try compose(request, page: path, facts: facts) { path throws(ComposeError) in
                images[path]?.image.size ?? facts.size
            }.scene
        }
    }

    /// What the page says, as `PageReading` answers it.
    private func facts(of path: ImagePath) throws(Refusal) -> PageFacts {
        let page = try image(path)
        for other in request.otherImages { _ = try image(other) }
        let background = request.plainBackground ?? .defaultRim
        var facts = PageFacts(
            size: page.image.size, pixelSize: page.density.map { PhysicalLength(1000 / Double($0.x), .mm) })
        (facts.isOpaque, facts.isPixelArt) = (page.image.isOpaque, page.image.isPixelArt)
        if request.hasLoupes || request.options.has(.frame) { facts.tone = page.image.tone(over: background) }
        if request.needsContrast(on: facts.tone) { facts.contrast = page.image.contrast(over: background) }
        if request.sparesWords(on: facts.tone) { facts.words = page.image.words }
        for other in request.options.compared where request.hasLoupes {
            facts.otherTones[other] = images[other]?.image.tone(over: background)
            if let contrast = images[other]?.image.contrast(over: background) { facts.contrast?.join(contrast) }
        }
        for other in request.otherImages where facts.isOpaque && request.keepsTransparency {
            facts.isOpaque = images[other]?.image.isOpaque ?? true
        }
        return facts
    }

    /// So that the first layer's image keeps the size that its file says it has on paper.
    private var ownDensity: PixelDensity? {
        guard let layer = scene.page, let page = layer.imagePath.flatMap({ images[$0] }) else { return nil }
        return page.density?.scaled(from: page.image.size, to: layer.rect)
    }

    // MARK: - The picture

    /// What the answer says of the picture, and the picture.
    func drawn() throws(Refusal) -> (JSONValue, Image) {
        var shown: [ImagePath: Image] = [:]
        for path in scene.imagePaths {
            let named = try image(path)
            shown[path] = named.fine ?? named.image
        }
        let picture: Image
        do throws(OracleError) {
            picture = try Oracle().render(scene, images: shown, depth: options.depth)
        } catch {
            throw Refusal(65, error.description)
        }
        let map = options.map.map { _ in PixelMap(scene, sizes: shown.mapValues { $0.size }).json.text() }
        return (
            [
                "width": .number(Double(picture.width)), "height": .number(Double(picture.height)),
                "depth": .number(Double(options.depth.rawValue)),
                "alt": (options.isDescribed ? scene.alternativeText : scene.alt).map { .string($0) },
                "views": .array(scene.views.map { ["view": .string($0.kind.description)] }),
                "warnings": .array(scene.unseenLoupes.map { .string($0) }),
                "record": options.isDescribed ? .string(record) : nil, "map": map.map { .string($0) },
                "density": density.map { [.number(Double($0.x)), .number(Double($0.y))] },
            ], picture
        )
    }

    /// The scene and the digests of its images, as the picture stores them.
    private var record: String {
        func name(_ path: ImagePath) -> ImagePath { images[path]?.name.map { ImagePath($0) } ?? path }
        var digests: [ImagePath: String] = [:]
        for path in scene.imagePaths { digests[name(path)] = images[path]?.digest ?? "" }
        return SceneRecord(scene: scene.renamingImages(name), digests: digests).text
    }
}

/// Runs `body`, whose error becomes a refusal.
func reading<Value>(_ body: () throws(DocumentError) -> Value) throws(Refusal) -> Value {
    do throws(DocumentError) { return try body() } catch { throw Refusal(65, error.description) }
}

/// Runs `body`, whose error becomes a refusal.
func composing<Value>(_ body: () throws(ComposeError) -> Value) throws(Refusal) -> Value {
    do throws(ComposeError) { return try body() } catch {
        throw Refusal(error.kind == .usage ? 64 : 65, error.description)
    }
}
