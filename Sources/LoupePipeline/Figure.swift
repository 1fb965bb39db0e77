import LoupeBase
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A PDF or SVG.
public struct Figure: Sendable {
    /// The whole file.
    public let bytes: [UInt8]
    /// A sentence about each loupe whose grid is nowhere seen or that shows one colour alone, each font that was taken in
    /// place of one that is missing, characters that no font has, and where the scene can't be stored.
    public let warnings: [String]
}

extension Pipeline {
    /// Draws a scene as a PDF or SVG, without a device.
    ///
    /// SVGs stay drawings, images are stored once, and what is soft becomes a small bitmap.
    /// - Parameters:
    ///   - options: limits count; what only pictures of pixels have is ignored.
    ///   - pixelsPerInch: canvas pixels an inch on paper; nil: as the page says, or else 96, which is CSS's.
    ///   - softPixelsPerInch: pixels an inch of the soft parts, such as shadows; nil: at most 300, and fewer where a large
    ///     blur needs no more.
    ///   - title: of the document.
    ///   - output: where the file will lie. It stores the scene, where the options ask for a description; the paths of images
    ///     in it are relative to that folder. Nil leaves the scene out.
    /// - Throws: `FileError`, `ImageError` and `PipelineError` for images; `VectorRefusal` for a scene that can't be said
    ///   in vectors; `VectorError` where the file can't be written.
    public static func figure(
        _ file: SceneFile, options: RenderOptions = RenderOptions(), as format: VectorFormat,
        pixelsPerInch: Double? = nil, softPixelsPerInch: Double? = nil, title: String, at output: Path? = nil
    ) throws -> Figure {
        let source = file.images
        let held = try SceneImages(
            file.scene.imagePaths, of: file.scene, from: source, limits: options.heldLimits)
        let scene = file.scene
        let own = try file.density().map { Double($0.x) * 0.0254 }
        let pixels = pixelsPerInch ?? own ?? 96
        let drawing = try VectorDrawing(
            scene, images: held.traits, resolution: (softPixelsPerInch ?? 300) / pixels,
            isExact: softPixelsPerInch != nil)
        let pages = try drawing.images.map { shown in
            if let part = shown.part {
                let whole = try source.image(shown.path, limits: options.heldLimits).converted()
                return ImageContents.pixels(
                    whole.cropped(x: part.minX, y: part.minY, width: part.width, height: part.height))
            }
            let contents = try Self.contents(of: shown.path, source, options)
            guard case .svg(let bytes) = contents, shown.strokeScale != 1 else { return contents }
            return .svg(SVGStrokes.scaled(bytes, by: shown.strokeScale))
        }
        let stored = output != nil && options.isDescribed
        let description = SelfDescription(
            scene: scene, source: source, digests: stored ? try source.digests(of: scene.imagePaths) : [:],
            asked: file.asked, isStored: stored)
        source.release()
        var (bytes, warnings) = try written(drawing, pages, of: held.images) { pages throws(VectorError) in
            try VectorWriter.write(
                drawing, pages, as: format, width: Double(drawing.size.width) / pixels * 72,
                height: Double(drawing.size.height) / pixels * 72, title: title)
        }
        AlternativeText.add(scene, to: &bytes, format)
        let record = output.flatMap { description.record(for: $0) }
        if let record { StoredJSON.add(record, named: SelfDescription.sceneKeyword, to: &bytes, format) }
        warnings += [output.flatMap { description.omission(at: $0) }].compactMap(\.self)
        let texts = drawing.operations.compactMap { if case .text(let run) = $0 { run } else { nil } }
        warnings += scene.plainLoupes { scene.showsOneColor($0, held.images) }
        warnings += try DrawPlan(scene, images: held.traits).unseenGrids + texts.fontSubstitutions()
        return Figure(bytes: bytes, warnings: warnings)
    }

    /// Writes a drawing. Where cairo fails at that, as at some broken fonts, the documents are drawn as pixels, as many as
    /// loupes and paper need, and a sentence says so.
    static func written(
        _ drawing: VectorDrawing, _ pages: [ImageContents], of images: [ImagePath: Image],
        write: ([ImageContents]) throws(VectorError) -> (bytes: [UInt8], pixelated: [ImagePath])
    ) throws -> (bytes: [UInt8], warnings: [String]) {
        do throws(VectorError) {
            let written = try write(pages)
            let warnings = Set(written.pixelated).sorted().map {
                "a part of '\($0)' is pixels, as an SVG has no such blending, mask or mesh; a PDF has"
            }
            return (written.bytes, warnings)
        } catch {
            guard case .helper(let reason) = error, images.values.contains(where: { $0.vector != nil }) else {
                throw error
            }
            let pages = try zip(drawing.images, pages).map { shown, page in
                guard let vector = images[shown.path]?.vector else { return page }
                let document = try vector.scalingStrokes(by: shown.strokeScale)
                let most = (Double(1 << 24) / Double(document.width * document.height)).squareRoot()
                let scale = min(most, max(shown.magnification, 300 / 96).rounded(.up))
                return ImageContents.pixels(try document.draw(scaledBy: max(1, Int(scale))))
            }
            return (try write(pages).bytes, ["the figure has pixels in place of vectors: \(reason)"])
        }
    }

    private static func contents(
        of path: ImagePath, _ source: ImageSource, _ options: RenderOptions
    ) throws -> ImageContents {
        let file = try source.file(of: path)
        if let document = file.document {
            return file.page.map { .pdf(document.bytes, page: $0) } ?? .svg(document.bytes)
        }
        if file.format == .jpeg {
            // Its bytes say the colours that are drawn, unless a profile changes them.
            let stored = try source.image(path, limits: options.heldLimits)
            let plain = try file.plainJPEG(keepsMetadata: options.isDescribed)
            if let plain, try stored.converted() == stored.picture.image {
                return .jpeg(plain.bytes, plain.size, turn: plain.turn)
            }
        }
        // Also a picture whose profile a PNG would carry.
        return .pixels(try source.image(path, limits: options.heldLimits).converted().flattened)
    }
}

extension Scene {
    /// Whether a page that is all of the scene has one colour around what a loupe shows.
    fileprivate func showsOneColor(_ loupe: Loupe, _ images: [ImagePath: Image]) -> Bool {
        guard layers.count == 1, let page = layers.first, page.corner.radii.uniform == 0, page.crop == nil,
            page.strokes.isEmpty, loupe.split == nil, loupe.grid == nil, loupe.mark == nil,
            let image = page.imagePath.flatMap({ images[$0] })
        else { return false }
        let (x, y) = (Double(image.width) / page.rect.width, Double(image.height) / page.rect.height)
        let (focus, half) = (shownFocus(of: loupe), (1 / loupe.zoom) * loupe.halfSides)
        let center = Point(x: x * (focus.x - page.rect.x), y: y * (focus.y - page.rect.y))
        let block = PixelRect(around: center, across: x * half.dx, down: y * half.dy)
        let whole = PixelRect(width: image.width, height: image.height)
        return block.intersection(whole) == block && image.hasOneColor(in: Region(bounds: block))
    }
}
