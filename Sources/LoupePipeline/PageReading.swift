import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupePlan
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// A page that is decoded once: for the facts that its scene depends on, and for who draws the scene next.
struct PageReading {
    let facts: PageFacts
    /// What a scene shows of a page that is read row by row; nil for a page that is held whole.
    let stream: ImageStream?

    /// - Parameters:
    ///   - file: the page.
    ///   - path: as the scene names it.
    ///   - source: where the other images of the request come from.
    /// - Throws: `ImageError`, `PipelineError.tooManyPixels`, and `ComposeError` for a request that this page does not fit.
    init(
        _ file: ImageFile, at path: ImagePath, for request: Request, from source: ImageSource, _ options: RenderOptions
    )
        throws
    {
        let printed = try file.density().map { PhysicalLength(1000 / Double($0.x), .mm) }
        var facts = PageFacts(
            size: file.size,
            pixelSize: file.pixelSize.map { PhysicalLength(($0 * 1e12).rounded() / 1e6, .um) } ?? printed)
        (facts.isVector, facts.isSVG) = (file.isVector, file.format == .svg)
        let names = request.names
        if !names.isEmpty { facts.names = try file.document?.names(names.map { $0.name.key }) }
        let background = request.plainBackground ?? .defaultRim
        let isLarge = !options.isHoldingAll && ImageSource.isLarge(file, from: options.streamFrom)
        if isLarge {
            stream = try Self.stream(file, at: path, for: request, from: source, over: background, options, &facts)
        } else {
            stream = nil
            try Self.add(
                to: &facts, of: source.image(path, limits: options.heldLimits), over: background,
                tone: request.hasLoupes || request.options.has(.frame), for: request)
        }
        for other in request.options.compared where request.hasLoupes {
            let image = try source.image(other, limits: options.heldLimits).converted()
            facts.otherTones[other] = image.tone(over: background)
            facts.contrast?.join(image.contrast(over: background))
        }
        for other in request.otherImages where facts.isOpaque && request.keepsTransparency {
            facts.isOpaque = try source.image(other, limits: options.heldLimits).isOpaque
        }
        self.facts = facts
    }

    private static func add(
        to facts: inout PageFacts, of page: SharedImage, over background: Color, tone: Bool, for request: Request
    ) throws {
        let image = tone ? try page.converted() : page.picture.image
        func look(contrast: Bool, words: Bool = false) -> SharedImage.Look {
            page.look(over: background, tone: tone, contrast: contrast, words: words) { known in
                SharedImage.Look(
                    background: background, isPixelArt: known?.isPixelArt ?? image.isPixelArt,
                    tone: tone ? known?.tone ?? image.tone(over: background) : nil,
                    contrast: known?.contrast ?? (contrast ? image.contrast(over: background) : nil),
                    words: known?.words ?? (words ? image.words : nil))
            }
        }
        let known = look(contrast: request.needsContrast)
        (facts.isOpaque, facts.isPixelArt) = (page.isOpaque, known.isPixelArt)
        if tone, let tone = known.tone { facts.tone = tone }
        if request.needsContrast(on: facts.tone) {
            let known = look(contrast: true, words: request.sparesWords(on: facts.tone))
            facts.contrast = known.contrast
            if request.sparesWords(on: facts.tone) { facts.words = known.words }
        }
    }

    /// Reads a large PNG row by row, once for what the scene shows of it and for its facts, and before that for its contrast
    /// and its kind where loupes are to be placed by those. Otherwise the scene of a page of another kind shows the same part
    /// of it.
    private static func stream(
        _ file: ImageFile, at path: ImagePath, for request: Request, from source: ImageSource, over background: Color,
        _ options: RenderOptions, _ facts: inout PageFacts
    ) throws -> ImageStream {
        var samples = ToneSamples(of: file.size)
        if request.needsContrast {
            let rows = try source.rows(of: path, limits: options.streamedLimits)
            var reader = ContrastGrid.Reader(width: rows.width, height: rows.height, over: background)
            var words = request.sparesWords(on: .light) ? WordBoxes(width: rows.width, height: rows.height) : nil
            try rows.forEachConvertedBand {
                reader.take($0, rows: $1)
                samples.take($0, rows: $1)
                words?.take($0, rows: $1)
            }
            (facts.contrast, facts.tone) = (reader.grid, samples.tone(over: background))
            if request.sparesWords(on: facts.tone) { facts.words = words?.boxes }
        }
        let scene = try compose(request, page: path, facts: facts, otherSize: source.sizeForRequest).scene
        guard Memory.hasRoom(forPixels: scene.canvas.width, scene.canvas.height, bytesPerPixel: 16) else {
            throw RenderError.outOfMemory(width: scene.canvas.width, height: scene.canvas.height)
        }
        let plan = DrawPlan(scene, images: try source.traits(of: scene.imagePaths), depth: options.depth)
        let rows = try source.rows(of: path, limits: options.streamedLimits)
        let stream = ImageStream(path, size: file.size, for: plan)
        // Only connectors wait for it then, and they change nothing of what the scene shows of the page.
        var reader =
            request.choosesConnectors
            ? ContrastGrid.Reader(width: rows.width, height: rows.height, over: background) : nil
        try rows.forEachConvertedBand {
            stream.take($0, rows: $1)
            guard !request.needsContrast else { return }
            samples.take($0, rows: $1)
            reader?.take($0, rows: $1)
        }
        facts.isOpaque = stream.isOpaque
        if !request.needsContrast { (facts.tone, facts.contrast) = (samples.tone(over: background), reader?.grid) }
        return stream
    }
}

/// The pixels that the tone of a page follows from, collected while it is read row by row.
private struct ToneSamples {
    private let size: ImageSize
    private var colors: [Int: [Int: Color]] = [:]

    init(of size: ImageSize) {
        self.size = size
        for (x, y) in PageTone.samples(of: size) { colors[y, default: [:]][x] = .transparent }
    }

    mutating func take(_ band: UnsafeRawBufferPointer, rows: Range<Int>) {
        for y in rows {
            for x in (colors[y] ?? [:]).keys {
                colors[y]?[x] = band.color(at: ((y - rows.lowerBound) * size.width + x) * 4)
            }
        }
    }

    func tone(over background: Color) -> PageTone {
        PageTone(of: size, over: background) { colors[$1]?[$0] ?? .transparent }
    }
}

extension ImageSource {
    /// The size of an image that a request names.
    func sizeForRequest(_ path: ImagePath) throws(ComposeError) -> ImageSize {
        do {
            return try size(of: path)
        } catch {
            throw ComposeError(.badInput, error.description)
        }
    }
}
