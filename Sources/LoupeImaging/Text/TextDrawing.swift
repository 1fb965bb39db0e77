import LoupeBase
import LoupeSystem

/// A text with its look and place, to be drawn by Pango in a helper process.
///
/// Its **box** is as wide as its longest line, and reaches from the top of the capitals of its first line to the baseline of
/// its last. Text is never read as markup.
package struct TextSpecimen: Hashable, Sendable {
    /// A colour, sRGB with straight alpha.
    package struct Paint: Hashable, Sendable {
        /// Red, green, blue and alpha, from the highest byte.
        let code: UInt32

        /// A colour by its channels.
        package init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
            code = UInt32(red) << 24 | UInt32(green) << 16 | UInt32(blue) << 8 | UInt32(alpha)
        }
    }

    /// Lines, parted by newlines.
    package var text: String
    /// The font's family.
    package var family: String
    /// The font's size, in pixels, above 0.
    package var size: Double
    /// The font's weight, 100…1000.
    package var weight: Int
    /// The colour of the text.
    package var color: Paint
    /// How far the halo reaches beyond the letters, in pixels, and its colour; nil for none.
    package var halo: (width: Double, color: Paint)?
    /// Where the point `align` of the box lies, in pixels.
    package var anchor: Point
    /// A point of the box: (0, 0) is its upper left corner, (1, 1) its lower right one. It also says how shorter lines are
    /// aligned.
    package var align: Vector

    /// A text, its look and its place.
    package init(
        text: String, family: String, size: Double, weight: Int, color: Paint, halo: (width: Double, color: Paint)?,
        anchor: Point, align: Vector
    ) {
        (self.text, self.family, self.size, self.weight) = (text, family, size, weight)
        (self.color, self.halo, self.anchor, self.align) = (color, halo, anchor, align)
    }

    package static func == (first: TextSpecimen, second: TextSpecimen) -> Bool { first.request == second.request }

    package func hash(into hasher: inout Hasher) { hasher.combine(request) }

    package var request: TextRequest {
        TextRequest(
            text: text, family: family, size: size, weight: weight,
            alignment: align.dx < 1.0 / 3 ? 0 : align.dx > 2.0 / 3 ? 2 : 1, color: color.code,
            haloWidth: halo?.width ?? 0, haloColor: halo?.color.code ?? 0, x: anchor.x, y: anchor.y, alignX: align.dx,
            alignY: align.dy)
    }
}

/// The measures of a text, in pixels.
private struct TextMeasures {
    /// The size of the box.
    let width, height: Double
    /// What the letters cover, without a halo, from the box's upper left corner.
    let ink: Rect
    /// How many characters no font has.
    let missing: Int
    /// The family of the font that was taken.
    let family: String

    /// Reads a helper process's answer; nil for what has another form.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        let lengths = (0..<6).map { _ in reader.double() }
        (width, height) = (lengths[0], lengths[1])
        ink = Rect(x: lengths[2], y: lengths[3], width: max(0, lengths[4]), height: max(0, lengths[5]))
        (missing, family) = (Int(reader.number(UInt32.self)), reader.text())
        guard reader.isWhole, lengths.allSatisfy({ abs($0) <= 1e7 }), family.utf8.count <= 200 else { return nil }
    }
}

/// A drawn text, or another part of a picture: its pixels and where they lie.
package struct DrawnText: Sendable {
    /// Straight sRGB.
    package let image: Image
    /// The pixels of the canvas that it covers.
    package let block: PixelRect

    /// Pixels and where they lie.
    package init(image: Image, block: PixelRect) { (self.image, self.block) = (image, block) }
}

/// Why a text is not drawn.
package enum TextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program that draws it, or one of its libraries, is not installed; the reason is a clause.
    case noHelper(reason: String)
    /// It can't be drawn; the reason is a clause.
    case undrawable(text: String, reason: String)

    /// One sentence without a full stop, as the command prints it.
    package var description: String {
        switch self {
        case .noHelper(let reason): "text can't be drawn: \(reason), or leave labels and scale bars out"
        case .undrawable(let text, let reason): "the text '\(text.quotable)' can't be drawn: \(reason)"
        }
    }
}

/// Draws text.
package enum TextDrawing {
    // What a document does to its helper process changes no text.
    private static let pool = HelperPool()

    /// Starts a helper process that will soon be needed, so that it starts while this process does other work.
    package static func warmUp() { pool.warmUp() }

    /// Draws a text, as much of it as lies on a canvas; nil where nothing does.
    /// - Parameter canvas: all pixels of the canvas.
    /// - Throws: `TextError`.
    package static func draw(_ specimen: TextSpecimen, on canvas: PixelRect) throws(TextError) -> DrawnText? {
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
        (request.alignX, request.alignY) = (0, 0)
        (request.columns, request.rows) = (block.width, block.height)
        var pixels: [UInt8] = []
        _ = try ask(request, shared: block.pixelCount * 4) { pixels = VectorDocument.straight($0) }
        return DrawnText(
            image: Image(width: block.width, height: block.height, pixels: pixels), block: block)
    }

    /// What is unlike what a text asks for, as a sentence: another family of fonts was taken, or no font has some of its
    /// characters. Nil where nothing is.
    /// - Throws: `TextError`.
    package static func substitution(in specimen: TextSpecimen) throws(TextError) -> String? {
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
            throw .undrawable(text: specimen.text, reason: HelperFailure.invalidAnswer.clause("measuring it"))
        }
        return measures
    }

    private static func ask(
        _ request: TextRequest, shared: Int, use: (UnsafeRawBufferPointer) -> Void
    ) throws(TextError) -> [UInt8] {
        var writer = MessageWriter()
        writer.write(HelperTask.text.rawValue)
        request.write(to: &writer)
        let limits = HelperLimits(
            seconds: SVGDrawing.secondsAllowed, memory: min(1 << 30, max(256 << 20, Memory.limit)) + shared)
        let reply: HelperProcess.Reply
        do throws(HelperFailure) {
            reply = try pool.member().use { process, _ throws(HelperFailure) in
                try process.ask(writer.bytes, shared: shared, limits: limits, use: use)
            }
        } catch {
            let reason = error.clause("drawing it")
            throw error.isOfInstallation ? .noHelper(reason: reason) : .undrawable(text: request.text, reason: reason)
        }
        do throws(HelperRefusal) {
            return try reply.get()
        } catch {
            let reason = error.reason == .undrawable ? error.text : HelperFailure.invalidAnswer.clause("drawing it")
            throw .undrawable(text: request.text, reason: reason)
        }
    }
}
