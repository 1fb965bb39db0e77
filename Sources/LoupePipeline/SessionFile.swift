import LoupeBase
import LoupeImaging
import LoupeMotion
import LoupeOracle
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A session and the source of its images.
public struct SessionFile: Sendable {
    /// The motion, over time.
    public let session: Session
    /// Where the images come from that its scenes name.
    public let images: ImageSource
    /// Every file that the session and its scene name.
    public let files: [Path]
    /// The document's path, or standard input.
    let name: String
    /// The session in JSON, as it was read.
    let document: [UInt8]
    /// Whether frames show the touches of the session's trace.
    public var showsTouches = false

    /// Reads a session in JSON. Its files are found relative to its folder.
    /// - Parameters:
    ///   - name: of the file; `-` is standard input, whose files are found relative to the working folder.
    ///   - allowsOutside: whether the session and its scene may name files that do not lie below their folders.
    /// - Throws: `FileError` where a file can't be read; `PipelineError` where the document is no session.
    public static func read(_ name: Path, allowsOutside: Bool = false) throws -> SessionFile {
        let bytes = try InputFile(name).document(needed: "a session")
        let images = ImageSource(besideDocument: name, allowsOutside: allowsOutside)
        var files: [Path] = []
        do {
            let decoder = SessionDecoder(
                refusal: { path, folder in
                    let folder = Path(bytes: folder.bytes).relative(to: ImageSource.folder(ofFile: name))
                    let source = ImageSource(besideDocument: folder, allowsOutside: allowsOutside)
                    files.append(source.location(of: path))
                    return source.refusal(of: path)
                },
                imageSize: images.size(of:), file: images.file(at:), textWidth: Self.width(of:))
            return SessionFile(
                session: try decoder.decode(bytes), images: images, files: files, name: name.inputName, document: bytes)
        } catch let error as DocumentError {
            throw PipelineError.document(name: name.inputName, error)
        }
    }

    /// The width of a text in its font, in canvas pixels.
    static func width(of label: Label) throws -> Double {
        let run = TextRun(text: label.text, style: label.style, anchor: .zero, align: .zero)
        return try TextDrawing.box(of: TextRequest(run)).dx
    }

    /// Whether a document is meant as a session: it is an object that names a model.
    package static func isSession(_ bytes: [UInt8]) -> Bool {
        guard case .object(let object) = try? JSONValue(parsing: bytes) else { return false }
        return object["model"] != nil
    }

    /// Five frames around a time in seconds, 50 ms apart, with the touches, side by side. The reference renderer draws them.
    /// - Throws: as ``FrameDrawer/draw(_:)``.
    package func filmstrip(around time: Double) throws -> Image? {
        var file = self
        file.showsTouches = true
        let strip = ContactSheet(columns: 5, rows: 1) { _ in }
        var drawer = FrameDrawer(nil, images: images)
        for number in -2...2 {
            let scene = file.frame(at: max(0, time + 0.05 * Double(number))).scene
            try strip.take(drawer.draw(scene.scaled(by: strip.scale(of: scene.canvas))), number: number)
        }
        return strip.sheet
    }

    /// The frame of a number, from 0 to `session.frameCount` - 1.
    public func frame(_ number: Int) -> MotionFrame { frame(at: session.time(ofFrame: number)) }

    /// The frame at a time, in seconds.
    public func frame(at time: Double) -> MotionFrame {
        var frame = session.model.frame(at: time)
        if showsTouches { frame.scene.loupes += session.touches(at: time).flatMap(TouchMarks.discs) }
        return frame
    }
}

/// Draws scenes one after another and loads each image when the first scene shows it.
public struct FrameDrawer {
    /// The renderer that draws the frames.
    private enum Tool {
        case device(Renderer, FrameSequence)
        /// The reference renderer, with the images that it holds.
        case reference([ImagePath: Image])
    }

    private var tool: Tool
    private let images: ImageSource
    private let limits: ImageLimits
    /// Whether a frame is the picture of its plan (`PlanPicture`) in place of the picture itself.
    public var showsPlan = false
    private var traits: [ImagePath: ImageTraits] = [:]
    /// The plan of the last frame.
    private var last: DrawPlan?
    /// One of all texts that differ in more than their place.
    private var texts: [TextRun] = []

    /// - Parameters:
    ///   - renderer: the device's; nil to draw with the reference renderer, as ``Pipeline/device()`` is where none works.
    ///   - limits: of each image; all are held whole.
    ///   - framesInUse: how many earlier frames the caller may still use while the next one is drawn.
    public init(_ renderer: Renderer?, images: ImageSource, limits: ImageLimits = ImageLimits(), framesInUse: Int = 0) {
        tool = renderer.map { .device($0, FrameSequence($0, framesInUse: framesInUse)) } ?? .reference([:])
        (self.images, self.limits) = (images, limits)
    }

    /// Draws the next frame.
    /// - Throws: `ImageError` or `PipelineError` for an image, a renderer's error for the drawing.
    package mutating func draw(_ scene: Scene) throws -> FrameSequence.Frame {
        let missing = scene.imagePaths.filter { traits[$0] == nil }
        if !missing.isEmpty {
            let loaded = try images.load(missing, limits: limits)
            switch tool {
            case .device(let renderer, _): try renderer.load(loaded)
            case .reference(let held): tool = .reference(held.merging(loaded) { $1 })
            }
            traits.merge(loaded.mapValues(\.traits)) { $1 }
        }
        let plan = DrawPlan(scene, images: traits, after: last)
        last = plan
        for run in plan.textRuns where !texts.contains(where: { $0.text == run.text && $0.style == run.style }) {
            texts.append(run)
        }
        let image: Image
        switch tool {
        case .device(_, let sequence):
            let frame = try sequence.next(plan)
            guard showsPlan else { return frame }
            image = frame.image
        case .reference(let images): image = try Oracle().render(scene, images: images)
        }
        let shown = showsPlan ? PlanPicture(of: plan, over: image).image : image
        return FrameSequence.Frame(image: shown, changed: PixelRect(width: shown.width, height: shown.height))
    }

    /// A sentence for each font of the texts of all frames so far in whose place another one is drawn.
    /// - Throws: `TextError`.
    public func fontSubstitutions() throws -> [String] { try texts.fontSubstitutions() }
}

/// Touches as discs over everything, loupes included: in the colour of their role, ghosts as dotted rings.
private enum TouchMarks {
    /// In canvas pixels.
    static let radius = 22.0
    private static let alpha: UInt8 = 160
    /// The number of dots of a ghost's ring.
    private static let dots = 16
    private static let dotRadius = 2.5
    /// Left of and above every canvas.
    static let outOfSight = Point(x: -100_000, y: -100_000)

    static func discs(of touch: ShownTouch) -> [Loupe] {
        let color = Color(hex: touch.role.color) ?? Color(red: 0, green: 0, blue: 0)
        guard touch.role == .ghost else {
            let pale = Color(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
            return [disc(at: touch.position, radius: radius, pale)]
        }
        return (0..<dots).map { number in
            let angle = 2 * Double.pi * Double(number) / Double(dots)
            return disc(at: touch.position + radius * Vector(dx: cos(angle), dy: sin(angle)), radius: dotRadius, color)
        }
    }

    /// Each disc is the sharp shadow of a loupe out of sight: a layer would be magnified by the loupes over it.
    private static func disc(at center: Point, radius: Double, _ color: Color) -> Loupe {
        Loupe(
            center: outOfSight, radius: radius, zoom: 1,
            shadow: Loupe.Shadow(offset: center - outOfSight, blur: 0, color: color))
    }
}
