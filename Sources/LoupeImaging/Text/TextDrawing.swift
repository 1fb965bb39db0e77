import LoupeBase
import LoupeSystem

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

/// A drawn text: straight sRGB, and the pixels of the canvas that it covers.
package typealias DrawnText = (image: Image, block: PixelRect)

/// An error of drawing a text.
package enum TextError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The program that draws it, or one of its libraries, is not installed; the reason is a clause.
    case noHelper(reason: String)
    /// It can't be drawn; the reason is a clause.
    case undrawable(text: String, reason: String)
    /// Memory can't be shared with what draws it.
    case unwritable(FileError)

    /// One sentence without a full stop, as the command prints it.
    package var description: String {
        switch self {
        case .noHelper(let reason): "text can't be drawn: \(reason), or leave labels and scale bars out"
        case .unwritable(let error): error.description
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
    package static func draw(_ request: TextRequest, on canvas: PixelRect) throws(TextError) -> DrawnText? {
        let measures = try measure(request)
        var request = request
        let (x, y) = (request.x - request.alignX * measures.width, request.y - request.alignY * measures.height)
        let (ink, reach) = (measures.ink.offset(by: Vector(dx: x, dy: y)), request.haloWidth + 1)
        guard ink.width > 0 else { return nil }
        let block = PixelRect(
            coveringMinX: ink.minX - reach, minY: ink.minY - reach, maxX: ink.maxX + reach, maxY: ink.maxY + reach
        ).intersection(canvas)
        guard !block.isEmpty else { return nil }
        guard Memory.hasRoom(forPixels: block.width, block.height, bytesPerPixel: 8) else {
            throw .undrawable(text: request.text, reason: "it takes too much memory; make it smaller")
        }
        (request.x, request.y) = (x - Double(block.minX), y - Double(block.minY))
        (request.alignX, request.alignY) = (0, 0)
        (request.columns, request.rows) = (block.width, block.height)
        var pixels: [UInt8] = []
        _ = try ask(request, shared: block.pixelCount * 4) { pixels = VectorDocument.straight($0) }
        return (Image(width: block.width, height: block.height, pixels: pixels), block)
    }

    /// What is unlike what a text asks for, as a sentence: another family of fonts was taken, or no font has some of its
    /// characters. Nil where nothing is.
    /// - Throws: `TextError`.
    package static func substitution(in request: TextRequest) throws(TextError) -> String? {
        let measures = try measure(request)
        var parts: [String] = []
        if !generic.contains(request.family.lowercased()), measures.family.lowercased() != request.family.lowercased() {
            parts.append(
                "there is no font '\(request.family.quotable)' here; '\(measures.family.quotable)' was taken instead; install it, or name another one"
            )
        }
        if measures.missing > 0 {
            parts.append(
                "no font here has \(measures.missing == 1 ? "one" : "\(measures.missing)") of the characters of '\(request.text.quotable)'; a box with the code is drawn instead"
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
    package static func box(of request: TextRequest) throws(TextError) -> Vector {
        let measures = try measure(request)
        return Vector(dx: measures.width, dy: measures.height)
    }

    private static func measure(_ request: TextRequest) throws(TextError) -> TextMeasures {
        guard let measures = TextMeasures(try ask(request, shared: 0) { _ in }) else {
            throw .undrawable(text: request.text, reason: HelperFailure.invalidAnswer.clause("measuring it"))
        }
        return measures
    }

    private static func ask(
        _ request: TextRequest, shared: Int, use: (UnsafeRawBufferPointer) -> Void
    ) throws(TextError) -> [UInt8] {
        var writer = MessageWriter()
        writer.write(HelperTask.text.rawValue)
        request.write(to: &writer)
        let limits = SVGDrawing.limits(beside: shared)
        do throws(HelperFailure) {
            return try pool.member().use { process, _ throws(HelperFailure) in
                try process.ask(writer.bytes, shared: shared, limits: limits, use: use)
            }
        } catch {
            if let file = error.fileError { throw .unwritable(file) }
            let reason = error.clause("drawing it")
            throw error.isOfInstallation ? .noHelper(reason: reason) : .undrawable(text: request.text, reason: reason)
        }
    }
}
