import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// The size of a picture on paper, and the resolution of its soft parts.
public struct Paper: Hashable, Sendable {
    /// Canvas pixels an inch; nil: as its page says, or else 96, which is CSS's.
    public var pixelsPerInch: Double?
    /// Pixels an inch of the soft parts of a PDF or SVG, such as shadows; nil: at most 300, and fewer where a large blur
    /// needs no more.
    public var softPixelsPerInch: Double?

    /// By the number of canvas pixels an inch.
    public init(pixelsPerInch: Double? = nil) { self.pixelsPerInch = pixelsPerInch }

    /// CSS's pixels an inch.
    static let standard = 96.0
}

/// A PDF or SVG.
public struct Figure: Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// A sentence about each loupe whose grid is nowhere seen, each font that was taken in place of one that is missing,
    /// characters that no font has, and where the scene can't be stored.
    public let warnings: [String]
}

extension Pipeline {
    /// Draws a scene as a PDF or SVG, without a device.
    ///
    /// SVGs stay drawings, images are stored once, and what is soft becomes a small bitmap.
    /// - Parameters:
    ///   - options: limits count; what only pictures of pixels have is ignored.
    ///   - title: of the document.
    ///   - output: where the file will lie. It stores the scene, where the options ask for a description; the paths of images
    ///     in it are relative to that folder. Nil leaves the scene out.
    /// - Throws: `FileError`, `ImageError` and `PipelineError` for images; `VectorRefusal` for a scene that can't be said
    ///   in vectors; `VectorError` where the file can't be written.
    public static func figure(
        _ file: SceneFile, options: RenderOptions = RenderOptions(), as format: VectorFormat, on paper: Paper = Paper(),
        title: String, at output: Path? = nil
    ) throws -> Figure {
        let source = file.images
        let held = try SceneImages(
            file.scene.imagePaths, of: file.scene, from: source, limits: options.heldLimits)
        let scene = file.scene
        let own = try file.density().map { Double($0.x) * 0.0254 }
        let pixels = paper.pixelsPerInch ?? own ?? Paper.standard
        let drawing = try VectorDrawing(
            scene, images: held.traits, resolution: (paper.softPixelsPerInch ?? 300) / pixels,
            isExact: paper.softPixelsPerInch != nil)
        let pages = try drawing.images.map { shown in
            try Self.contents(of: shown.path, source, limits: options.heldLimits)
        }
        let stored = output != nil && options.isDescribed
        let description = SelfDescription(
            scene: scene, source: source, digests: stored ? try source.digests(of: scene.imagePaths) : [:],
            isStored: stored)
        source.release()
        var bytes = try VectorWriter.write(
            drawing, pages, as: format, width: Double(drawing.size.width) / pixels * 72,
            height: Double(drawing.size.height) / pixels * 72, title: title)
        let record = output.flatMap { description.record(for: $0) }
        if let record { StoredJSON.add(record, named: SelfDescription.sceneKeyword, to: &bytes, format) }
        var warnings = [output.flatMap { description.omission(at: $0) }].compactMap(\.self)
        let texts = drawing.operations.compactMap { if case .text(let run) = $0 { run } else { nil } }
        warnings += try DrawPlan(scene, images: held.traits).unseenGrids + texts.fontSubstitutions()
        return Figure(bytes: bytes, warnings: warnings)
    }

    private static func contents(
        of path: ImagePath, _ source: ImageSource, limits: ImageLimits
    ) throws -> ImageContents {
        let file = try source.file(of: path)
        switch file.format {
        case .svg: return .svg(try file.contents())
        case .pdf: return .pdf(try file.contents(), page: file.page ?? 1)
        case .jpeg:
            // Its bytes say the colours that are drawn, unless a profile changes them.
            let stored = try source.image(path, limits: limits)
            let plain = try file.plainJPEG()
            if let plain, try stored.converted() == stored.picture.image {
                return .jpeg(plain.bytes, plain.size, turn: plain.turn)
            }
        case .png, .webp: break
        }
        // Also a picture whose profile a PNG would carry.
        return .pixels(try source.image(path, limits: limits).converted().flattened)
    }
}
