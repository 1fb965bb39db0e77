import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeScene

/// A length on paper, such as `85mm`.
package struct PaperLength: Hashable, Sendable {
    /// Above 0.
    package let inches: Double
    /// As it was written.
    let text: String

    /// How many of a unit an inch has.
    private static let units: [(name: String, inch: Double)] = [("mm", 25.4), ("cm", 2.54), ("in", 1), ("pt", 72)]
    private static let allowed = 0.001...1000.0
    /// A length in each unit, for messages.
    static let examples = "85mm, 8.5cm, 3.3in or 240pt"

    /// The value of a flag.
    /// - Throws: that the text is no length.
    package init(flag text: String) throws(ComposeError) {
        guard let length = Self(text: text) else {
            throw ComposeError(
                .usage, "'\(text.quotable)' is not a length in mm, cm, in or pt, as \(Self.examples) are")
        }
        self = length
    }

    /// Nil for any other text.
    package init?(text: String) {
        guard let unit = Self.units.first(where: { text.hasSuffix($0.name) }),
            let number = Double(text.dropLast(unit.name.count)), Self.allowed ~= number / unit.inch
        else { return nil }
        (inches, self.text) = (number / unit.inch, text)
    }
}

/// The size of a picture on paper, as options ask for it.
package struct PaperSize: Hashable, Sendable {
    /// The picture's width; its height follows.
    package var width: PaperLength?
    /// The picture's height, in place of the width.
    package var height: PaperLength?
    /// Pixels an inch: of the picture, or of the soft parts of a vector file.
    package var dpi: Double?

    /// Nothing is asked for.
    package init() {}

    /// - Throws: `ComposeError`, where the options exclude each other or are out of range.
    package func check() throws(ComposeError) {
        if width != nil, height != nil {
            throw ComposeError(.usage, "--width and --height: one follows from the other; leave one out")
        }
        if let dpi, !(1...1_000_000 ~= dpi) {
            let text = dpi.isFinite ? dpi.jsonText : "\(dpi)"
            throw ComposeError(.usage, "--dpi: \(text) is out of range; allowed is 1…1000000")
        }
    }

    /// Canvas pixels an inch that the options ask for; nil where they ask for nothing.
    func pixelsPerInch(of canvas: Scene.Canvas) -> Double? {
        if let width { return Double(canvas.width) / width.inches }
        if let height { return Double(canvas.height) / height.inches }
        return dpi
    }

    /// How many pixels a PNG needs to have both the length and the resolution; nil where not both are given.
    var enlargement: Request.Enlargement? {
        guard let dpi else { return nil }
        return width.map { .width(($0.inches * dpi).rounded()) } ?? height.map { .height(($0.inches * dpi).rounded()) }
    }

    /// How many pixels of a canvas lie on a metre of paper, where the options say so.
    func density(of canvas: Scene.Canvas) -> PixelDensity? {
        // With a length and a resolution, the scene is scaled to have both.
        (enlargement == nil ? pixelsPerInch(of: canvas) : dpi).flatMap { PixelDensity(perInch: $0) }
    }
}

extension PixelDensity {
    /// That of a canvas on which an image with this density is drawn.
    func scaled(from size: ImageSize, to rect: Rect) -> PixelDensity? {
        var scale = (x: rect.width / Double(size.width), y: rect.height / Double(size.height))
        // Rounding to whole pixels of the canvas is no stretching.
        if abs(scale.x * Double(size.height) - rect.height) < 1 { scale.y = scale.x }
        return scaled(x: scale.x, y: scale.y)
    }
}
