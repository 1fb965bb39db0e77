import LoupeBase
import LoupeFigure
import LoupeMotion
import LoupePlan
import LoupeScene
import LoupeWebRenderer

/// A figure of a page: its scene with the loupe in the reader's hand, or its session; and the renderer.
final class LiveFigure {
    /// The format of the document that the command writes into a page.
    static let format = "loupe-live/1"

    let scene: Scene
    #if SESSIONS
        /// What moves; nil where the figure shows a scene.
        private(set) var session: LiveSession?
    #endif
    /// The images of the scene as the plan knows them.
    private(set) var traits: [ImagePath: ImageTraits]
    /// How the filters are chosen that flags left open; nil for a scene, which says all.
    let choice: PageChoice?
    /// The reader's hand.
    var gestures: ReaderGestures
    /// Which of the scene's loupes is in the hand; nil where it has none.
    private let held: Int?
    private(set) var device: WebDevice?
    private var renderer: LiveRenderer?
    /// The plan of the last frame.
    private var last: DrawPlan?
    private var scale = 1.0
    private(set) var pictures: LivePictures

    struct PageChoice {
        let isPixelArt: Bool
        /// Whether the loupe's filter follows its zoom.
        let isOpen: Bool
        /// Whether what has straight edges is put on whole pixels.
        let isOnWholePixels: Bool
    }

    /// Reads the document that the command has written.
    init(parsing bytes: [UInt8]) throws(DocumentError) {
        var document = try JSONReader(parsing: bytes)
        let format = try document.required("format")
        guard try format.string() == Self.format else { throw format.error("allowed is \(Self.format)") }
        var sizes: [ImageSize] = []
        for var picture in try document.required("pictures").array() { sizes.append(try Self.size(&picture)) }
        func number(_ value: JSONReader) throws(DocumentError) -> Int {
            let number = try value.integer(in: 0...1 << 24)
            guard sizes.indices.contains(number) else { throw value.error("the page has no picture of this number") }
            return number
        }
        var images: [(path: ImagePath, number: Int, kept: Int)] = []
        var traits: [ImagePath: ImageTraits] = [:]
        for var image in try document.required("images").array() {
            let path = ImagePath(try image.required("path").string())
            let index = try number(image.required("picture"))
            let isOpaque = try image.required("opaque").bool()
            images.append((path, index, try image.optional("kept").map(number) ?? index))
            if var vector = try image.optional("vector") {
                traits[path] = ImageTraits(size: try Self.size(&vector), isOpaque: isOpaque, isVector: true)
            } else {
                traits[path] = ImageTraits(size: sizes[index], isOpaque: isOpaque)
            }
        }
        if var page = try document.optional("page") {
            choice = PageChoice(
                isPixelArt: try page.required("pixelArt").bool(), isOpen: try page.required("openFilter").bool(),
                isOnWholePixels: try page.required("wholePixels").bool())
        } else {
            choice = nil
        }
        let known = traits
        let sizeOf: (ImagePath) throws(DocumentError) -> ImageSize = { path in
            known[path]?.size ?? ImageSize(width: 1, height: 1)
        }
        #if SESSIONS
            let session = try LiveSession(try document.required("session").value, imageSize: sizeOf)
            self.session = session
            let scene = session.frame.scene
        #else
            var value = try document.required("scene")
            let scene = try SceneDecoder(imageSize: sizeOf).scene(from: &value)
        #endif
        // The drawings and texts come in the order of the opening frame's plan.
        let opening = DrawPlan(scene, images: traits)
        var drawings: [(path: ImagePath, block: DrawnBlock, number: Int)] = []
        for (drawn, reader) in zip(opening.drawnPictures, try document.required("drawings").array()) {
            drawings.append((drawn.path, drawn.block, try number(reader)))
        }
        let texts = try Self.texts(opening.textRuns, document.required("texts").array(), number)
        pictures = LivePictures(sizes: sizes, images: images, drawings: drawings, texts: texts)
        (self.scene, self.traits) = (scene, traits)
        held = scene.loupes.indices.last
        let canvas = scene.canvas
        gestures = ReaderGestures(
            held.map { scene.loupes[$0] } ?? .ofReader(on: canvas), isOpen: held != nil, canvas: canvas)
    }

    /// Texts as the command has drawn them: the picture of each, and a finer one.
    private static func texts(
        _ runs: [TextRun], _ readers: [JSONReader], _ number: (JSONReader) throws(DocumentError) -> Int
    ) throws(DocumentError) -> [LiveText] {
        var texts: [LiveText] = []
        for (run, reader) in zip(runs, readers) {
            var text = reader
            // A text of blanks has no picture.
            guard let index = try text.optional("picture") else { continue }
            let places = -(1 << 24)...1 << 24
            let reach = Double(1 << 24)
            texts.append(
                LiveText(
                    run: run, number: try number(index), x: try text.required("x").integer(in: places),
                    y: try text.required("y").integer(in: places), fineNumber: try number(text.required("fine")),
                    fineOffset: Vector(
                        dx: try text.required("fineX").number(in: -reach...reach),
                        dy: try text.required("fineY").number(in: -reach...reach))))
        }
        return texts
    }

    /// The sides of a picture, in pixels.
    private static func size(_ reader: inout JSONReader) throws(DocumentError) -> ImageSize {
        ImageSize(
            width: try reader.required("width").integer(in: 1...1 << 24),
            height: try reader.required("height").integer(in: 1...1 << 24))
    }

    // MARK: - Drawing

    /// The size to which the browser has decoded a picture, which it may have had to make smaller.
    func setSize(_ size: ImageSize, ofPicture number: Int) {
        guard pictures.sizes.indices.contains(number) else { return }
        pictures.sizes[number] = size
        for image in pictures.images where image.number == number {
            guard let old = traits[image.path], !old.isVector else { continue }
            traits[image.path] = ImageTraits(size: size, isOpaque: old.isOpaque)
        }
    }

    /// Begins on a new device; what an old one held is gone.
    func use(_ device: WebDevice) {
        renderer = nil
        self.device = device
    }

    /// How many pixels of the device a canvas pixel has.
    func setScale(_ scale: Double) { if scale.isFinite, scale > 0 { self.scale = scale } }

    /// What is drawn now.
    var shownScene: Scene {
        #if SESSIONS
            if let session { return scale == 1 ? session.frame.scene : session.frame.scene.scaled(by: scale) }
        #endif
        var shown = scene
        if let held { shown.loupes.remove(at: held) }
        if gestures.isOpen {
            var loupe = gestures.loupe
            if choice?.isOpen == true || held == nil { loupe.filter = .auto }
            shown.loupes.insert(loupe, at: held ?? shown.loupes.count)
        }
        if scale != 1 { shown = shown.scaled(by: scale) }
        guard let choice else { return shown }
        if scale != 1, choice.isOnWholePixels { shown = shown.onWholePixels() }
        guard let page = FilterChoice.page(of: shown).flatMap({ traits[$0] }) else { return shown }
        return FilterChoice(includesPage: false, scale: scale)
            .applied(to: shown, pageSize: page.size, isPixelArt: choice.isPixelArt)
    }

    /// Records the commands of a frame.
    func draw() throws(WebError) {
        guard let device else { return }
        if renderer == nil { renderer = try LiveRenderer(device, pictures: pictures) }
        let plan = DrawPlan(shownScene, images: traits, after: last)
        last = plan
        try renderer?.draw(plan, scale: scale)
    }
}

extension Loupe {
    /// The loupe of a scene that has none: that of `LoupeModel`, at most half as wide as the canvas's shorter side.
    fileprivate static func ofReader(on canvas: Scene.Canvas) -> Loupe {
        var loupe = LoupeModelOptions().look
        let side = Double(min(canvas.width, canvas.height))
        loupe.center = Point(x: Double(canvas.width) / 2, y: Double(canvas.height) / 2)
        loupe.focus = loupe.center
        loupe.radius = max(Loupe.radiusRange.lowerBound, min(loupe.radius, side / 4))
        let radius = loupe.radius
        if let rim = loupe.rim { loupe.rim?.width = min(rim.width, radius) }
        loupe.zoom = 2
        loupe.filter = .auto
        return loupe
    }
}
