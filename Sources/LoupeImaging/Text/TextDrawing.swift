import LoupeFiles
import LoupeGeometry
import LoupeJSON
import LoupeSandbox
import Synchronization

/// A text with its look and place, to be drawn by Pango in a helper process, or in this process where ``SVGDrawing/place``
/// says so.
///
/// Its **box** is as wide as its longest line, and reaches from the top of the capitals of its first line to the baseline of
/// its last. Text is never read as markup.
public struct TextSpecimen: Hashable, Sendable {
    /// A colour, sRGB with straight alpha.
    public struct Paint: Hashable, Sendable {
        /// Red, green, blue and alpha, from the highest byte.
        let code: UInt32

        /// A colour by its channels.
        public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
            code = UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
        }
    }

    /// Lines, parted by newlines.
    public var text: String
    /// The font's family.
    public var family: String
    /// The font's size, in pixels, above 0.
    public var size: Double
    /// The font's weight, 100…1000.
    public var weight: Int
    /// The colour of the text.
    public var color: Paint
    /// How far the halo reaches beyond the letters, in pixels, and its colour; nil for none.
    public var halo: (width: Double, color: Paint)?
    /// Where the point `align` of the box lies, in pixels.
    public var anchor: Point
    /// A point of the box: (0, 0) is its upper left corner, (1, 1) its lower right one. It also says how shorter lines are
    /// aligned.
    public var align: Vector

    /// A text, its look and its place.
    public init(
        text: String, family: String, size: Double, weight: Int, color: Paint, halo: (width: Double, color: Paint)?,
        anchor: Point, align: Vector
    ) {
        (self.text, self.family, self.size, self.weight) = (text, family, size, weight)
        (self.color, self.halo, self.anchor, self.align) = (color, halo, anchor, align)
    }

    public static func == (first: TextSpecimen, second: TextSpecimen) -> Bool {
        first.request == second.request && first.anchor == second.anchor && first.align == second.align
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(request.bytes)
        hasher.combine(anchor)
        hasher.combine(align)
    }

    var request: TextRequest {
        TextRequest(
            text: text, family: family, size: size, weight: weight,
            alignment: align.dx < 1.0 / 3 ? 0 : align.dx > 2.0 / 3 ? 2 : 1, color: color.code,
            haloWidth: halo?.width ?? 0, haloColor: halo?.color.code ?? 0)
    }
}

/// A drawn text, or another part of a picture: its pixels and where they lie.
public struct DrawnText: Sendable {
    /// Straight sRGB.
    public let image: Image
    /// The pixels of the canvas that it covers.
    public let block: PixelRect

    /// Pixels and where they lie.
    public init(image: Image, block: PixelRect) { (self.image, self.block) = (image, block) }
}

/// Why a text is not drawn.
public enum TextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Pango is not installed, or too old.
    case noLibrary
    /// Its helper process can't be started; the reason is a clause.
    case noHelper(reason: String)
    /// It can't be drawn; the reason is a clause.
    case undrawable(text: String, reason: String)

    /// One sentence without a full stop, as the command prints it.
    public var description: String {
        switch self {
        case .noLibrary:
            "text needs Pango 1.44 or newer, which is missing here; install it (Debian: apt-get install libpangocairo-1.0-0), or leave labels and scale bars out"
        case .noHelper(let reason): "text can't be drawn: \(reason)"
        case .undrawable(let text, let reason): "the text '\(text.quotable)' can't be drawn: \(reason)"
        }
    }
}

/// Draws text.
public enum TextDrawing {
    /// The name of the service that the program's main function offers.
    package static let serviceName = "text"

    private static let pool = HelperPool(service: serviceName)
    /// In this process one thread at a time draws.
    private static let local = Mutex<TextService?>(nil)

    /// Starts a helper process that will soon be needed, so that it starts while this process does other work.
    public static func warmUp() {
        if SVGDrawing.place == .helperProcess { pool.warmUp() }
    }

    /// Draws a text, as much of it as lies on a canvas; nil where nothing does.
    /// - Parameter canvas: all pixels of the canvas.
    /// - Throws: `TextError`.
    public static func draw(_ specimen: TextSpecimen, on canvas: PixelRect) throws(TextError) -> DrawnText? {
        let measures = try measure(specimen)
        var request = specimen.request
        let (x, y) = (
            specimen.anchor.x - specimen.align.dx * measures.width,
            specimen.anchor.y - specimen.align.dy * measures.height
        )
        let (ink, reach) = (measures.ink.offset(by: Vector(dx: x, dy: y)), request.haloWidth + 1)
        guard ink.width > 0 else { return nil }
        let block = PixelRect(
            coveringMinX: ink.minX - reach, minY: ink.minY - reach, maxX: ink.maxX + reach, maxY: ink.maxY + reach
        ).intersection(canvas)
        guard !block.isEmpty else { return nil }
        guard Memory.hasRoom(forPixels: block.width, block.height, bytesPerPixel: 8) else {
            throw .undrawable(text: specimen.text, reason: "it takes too much memory; make it smaller")
        }
        (request.x, request.y) = (x - Double(block.minX), y - Double(block.minY))
        (request.width, request.height) = (block.width, block.height)
        var pixels: [UInt8] = []
        _ = try ask(request, shared: block.pixelCount * 4) { pixels = VectorDocument.straight($0) }
        return DrawnText(
            image: Image(width: block.width, height: block.height, pixels: pixels), block: block)
    }

    /// What is unlike what a text asks for, as a sentence: another family of fonts was taken, or no font has some of its
    /// characters. Nil where nothing is.
    /// - Throws: `TextError`.
    public static func substitution(in specimen: TextSpecimen) throws(TextError) -> String? {
        let measures = try measure(specimen)
        var parts: [String] = []
        if !generic.contains(specimen.family.lowercased()), measures.family.lowercased() != specimen.family.lowercased()
        {
            parts.append(
                "there is no font '\(specimen.family.quotable)' here; '\(measures.family.quotable)' was taken instead; install it, or name another one"
            )
        }
        if measures.missing > 0 {
            parts.append(
                "no font here has \(measures.missing == 1 ? "one" : "\(measures.missing)") of the characters of '\(specimen.text.quotable)'; a box with the code is drawn instead"
            )
        }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Families that fontconfig replaces by some font on purpose.
    private static let generic: Set = [
        "sans-serif", "serif", "monospace", "sans", "mono", "cursive", "fantasy", "system-ui",
    ]

    /// The width and height of a text's box, in pixels.
    /// - Throws: `TextError`.
    package static func box(of specimen: TextSpecimen) throws(TextError) -> Vector {
        let measures = try measure(specimen)
        return Vector(dx: measures.width, dy: measures.height)
    }

    private static func measure(_ specimen: TextSpecimen) throws(TextError) -> TextMeasures {
        guard let measures = TextMeasures(try ask(specimen.request, shared: 0) { _ in }) else {
            throw .undrawable(text: specimen.text, reason: HelperFailure.invalidAnswer.clause)
        }
        return measures
    }

    private static func ask(
        _ request: TextRequest, shared: Int, use: (UnsafeRawBufferPointer) -> Void
    ) throws(TextError) -> [UInt8] {
        let reply: HelperProcess.Reply
        if SVGDrawing.place == .thisProcess {
            reply = answerHere(request, shared: shared, use: use)
        } else {
            let limits = HelperLimits(
                seconds: SVGDrawing.secondsAllowed, memory: min(1 << 30, max(256 << 20, Memory.limit)) + shared)
            do throws(HelperFailure) {
                reply = try pool.member().use { process, _ throws(HelperFailure) in
                    try process.ask(request.bytes, shared: shared, limits: limits, use: use)
                }
            } catch {
                if case .notStarted(let reason) = error { throw .noHelper(reason: reason) }
                throw .undrawable(text: request.text, reason: error.clause)
            }
        }
        switch reply {
        case .answer(let bytes): return bytes
        case .refusal(let code, let text):
            switch TextRefusal(rawValue: code) {
            case .noLibrary: throw .noLibrary
            case .undrawable: throw .undrawable(text: request.text, reason: text)
            case .invalidRequest, nil:
                throw .undrawable(text: request.text, reason: HelperFailure.invalidAnswer.clause)
            }
        }
    }

    private static func answerHere(
        _ request: TextRequest, shared: Int, use: (UnsafeRawBufferPointer) -> Void
    ) -> HelperProcess.Reply {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: shared, alignment: 16)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 0)
        let reply = local.withLock { service -> HelperProcess.Reply in
            do throws(HelperRefusal) {
                let working: TextService
                if let service { working = service } else { working = try TextService(inThisProcess: ()) }
                service = working
                return .answer(try working.answer(request, memory: memory))
            } catch {
                return .refusal(code: error.code, text: error.text)
            }
        }
        if case .answer = reply, shared > 0 { use(UnsafeRawBufferPointer(memory)) }
        return reply
    }
}
