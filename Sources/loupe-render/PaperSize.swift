import ArgumentParser
import LoupeCompose
import LoupeImaging
import LoupePipeline
import LoupeScene

/// A length on paper, such as `85mm`.
struct Length: ExpressibleByArgument {
    /// Above 0.
    let inches: Double

    /// How many of a unit an inch has.
    private static let units: [(name: String, inch: Double)] = [("mm", 25.4), ("cm", 2.54), ("in", 1), ("pt", 72)]
    private static let allowed = 0.001...1000.0

    init?(argument: String) {
        guard let unit = Self.units.first(where: { argument.hasSuffix($0.name) }),
            let number = Double(argument.dropLast(unit.name.count)), Self.allowed ~= number / unit.inch
        else { return nil }
        inches = number / unit.inch
    }
}

/// How large the picture is on paper: `--width`, `--height` and `--dpi`.
extension OutputOptions {
    /// - Throws: `ValidationError`.
    func checkPaper() throws {
        if width != nil, height != nil {
            throw ValidationError("--width and --height: one follows from the other; leave one out")
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

    /// The paper of a PDF or SVG.
    func paper(of canvas: Scene.Canvas) -> Paper {
        var paper = Paper(pixelsPerInch: pixelsPerInch(of: canvas))
        if let dpi { paper.softPixelsPerInch = dpi }
        return paper
    }
}
