import LoupeBase
import LoupeImaging
import LoupeSystem

/// Two files of pictures to compare: PNG, JPEG, WebP, or anything else that an `ImageFile` reads.
package struct PictureFiles: Sendable {
    /// The reference in sRGB, in the file's own depth.
    package let reference: Image
    /// The actual picture in sRGB, in the file's own depth.
    package let actual: Image
    /// What differs between the files beside the pixels, a clause for each.
    package let metadata: [String]
    /// A sentence about each file whose profile can't be used, so that its numbers are taken for sRGB, and about what of an SVG
    /// is not drawn.
    package let warnings: [String]
    /// Both as they are stored, where their colours are the same and not sRGB: what sRGB can't show may differ.
    private let stored: (reference: Image, actual: Image, colors: String)?
    /// Whether colours were converted.
    private let isConverted: Bool
    /// Pixels an inch, where one is an SVG or a PDF.
    package let dpi: Double?
    /// Both, where their colours differ.
    private let mixed: (reference: ComparedImage, actual: ComparedImage)?
    /// The reference's name in sentences.
    private let name: String
    /// Where both are pages of PDFs.
    private let pages: (VectorDocument, VectorDocument)?

    /// Reads both files of a case at the same time, and decodes their pixels so. Files with the same bytes are decoded once.
    ///
    /// - Parameters:
    ///   - pictures: A case that has both.
    ///   - dpi: Pixels an inch of SVGs and PDFs.
    /// - Throws: `ImageError` if a file can't be read or decoded; where the same step fails for both, the reference's.
    package init(_ pictures: PictureCase, dpi: Double) throws(ImageError) {
        let sources = [pictures.referenceSource, pictures.actualSource]
        let files = Threads.map(2) { index in Result { () throws(ImageError) in try sources[index].read() } }
        let (first, second) = (try files[0].get(), try files[1].get())
        let isOne = first.bytes == second.bytes && first.page == second.page
        let pair = isOne ? [first] : [first, second]
        var opened: [ImageFile] = []
        for file in pair {
            let image = try ImageFile(file.bytes, name: file.name, page: file.page ?? 1)
            // Of another format there is no such file.
            guard file.page == nil || image.page != nil else {
                throw .unreadable(.unreadable(path: file.name, reason: "No such file or directory"))
            }
            opened.append(image)
        }
        // A file that can't be read is named before one that can.
        if !isOne { for (file, image) in zip(pair, opened) { try image.checkPages(named: file.page) } }
        let pixels = opened.reduce(0) { $0 + $1.size.width * $1.size.height }
        let sides = Threads.map(pair.count, needing: 16 * pixels) { [opened] index in
            Result { () throws(ImageError) in
                try ComparedImage(opened[index], dpi: dpi, refusesAnimation: !isOne)
            }
        }
        let reference = try sides[0].get()
        let actual = isOne ? reference : try sides[1].get()
        metadata = isOne ? [] : ImageTrait.differences(reference.traits, actual.traits)
        warnings = [reference.warning, isOne ? nil : actual.warning].compactMap { $0 }
        self.dpi = opened.contains(where: \.isVector) ? dpi : nil
        let documents = opened.compactMap { $0.format == .pdf ? $0.document : nil }
        pages = documents.count == 2 ? (documents[0], documents[1]) : nil
        isConverted = [reference, actual].contains { $0.shown != nil }
        (self.reference, self.actual) = (reference.shown ?? reference.stored, actual.shown ?? actual.stored)
        let hasOneEncoding = reference.color == actual.color
        mixed = hasOneEncoding ? nil : (reference, actual)
        name = first.name
        stored = isConverted && hasOneEncoding ? (reference.stored, actual.stored, reference.color.name) : nil
    }

    /// Checks the pictures against limits. Where the colours of both are the same and not sRGB, they have to be the same as they
    /// are stored, too: sRGB clips and rounds.
    ///
    /// - Throws: `DiffError`.
    package func verdict(_ limits: CaseLimits, findsChange: Bool = true) throws(DiffError) -> Verdict {
        var verdict = try Verdict(limits, reference: reference, actual: actual, findsChange: findsChange)
        var colors = isConverted ? "sRGB after conversion" : "sRGB"
        if let stored {
            let isMet = verdict.isMet
            var found = try Verdict(
                limits, reference: stored.reference, actual: stored.actual, findsChange: findsChange && isMet)
            found.join(verdict)
            verdict.join(found)
            if isMet, !found.isMet { (verdict, colors) = (found, "as stored (\(stored.colors))") }
        }
        if let mixed, verdict.isMet {
            verdict.add(cutPixels: mixed.reference.cutPixels(besides: mixed.actual, found: verdict.difference))
        }
        if findsChange, !verdict.isMet, verdict.change == nil, let pages, reference.size == actual.size {
            let counting = Comparison(metric: .channel(Tolerance(1)), exclusion: limits.comparison.exclusion)
            let runs = try counting.compare(reference: reference.flattened, actual: actual.flattened).runs
            verdict.change = .ofText(from: pages.0, to: pages.1, differing: runs, scale: (dpi ?? 96) / 96)
        }
        if let dpi { colors += ", \(dpi.jsonText) dpi" }
        let whole = PixelRect(width: reference.width, height: reference.height)
        let outside = limits.comparison.exclusion.rects.filter { $0.intersection(whole).isEmpty }.map { rect in
            "\(name.quotable): the ignored region \(Box(bounds: rect, differingPixels: 0)) lies outside the picture of \(reference.size) pixels"
        }
        verdict.describe(colors: colors, metadata: metadata, warnings: warnings + outside)
        return verdict
    }
}

/// An image with all that a comparison asks of it. All comparisons read files by it: no picture of several frames is compared by
/// its first, and no colour by a number that means another one.
package struct ComparedImage: Sendable {
    /// The numbers as they are stored, in the file's own depth.
    package let stored: Image
    /// The same in sRGB; nil where they are so already, or taken for it.
    let shown: Image?
    /// What the numbers mean.
    let color: ColorEncoding
    /// The properties beside the pixels.
    let traits: [ImageTrait]
    /// A sentence, where the profile can't be used, or where an SVG has what is not drawn.
    package let warning: String?

    /// In sRGB, as far as that is known.
    package var image: Image { shown ?? stored }

    /// The image in a file.
    /// - Throws: `ImageError`: it can't be read, has several pages, or is an animation.
    package static func read(_ path: Path) throws(ImageError) -> ComparedImage {
        let file = try ImageFile(path: path)
        try file.checkPages(named: PagePath(path).page)
        return try ComparedImage(file)
    }

    /// A picture that was drawn in sRGB.
    init(drawn image: Image) {
        (stored, shown, color, traits, warning) = (image, nil, .sRGB, [], nil)
    }

    /// - Parameters:
    ///   - dpi: Pixels an inch of an SVG or a PDF.
    ///   - refusesAnimation: whether one of several frames is an error.
    init(_ file: ImageFile, dpi: Double = 96, refusesAnimation: Bool = true) throws(ImageError) {
        let (traits, encoding) = try ImageTrait.all(of: file)
        if refusesAnimation, traits.contains(where: \.isOfAnimation) { throw .animated(name: file.name) }
        stored = try file.pixels(dpi: dpi)
        var found = (shown: Image?.none, color: ColorEncoding.sRGB, warning: String?.none)
        do throws(ImageError) {
            found.color = try encoding.get()
            if found.color != .sRGB {
                found.shown = try StoredImage(stored, color: found.color, name: file.name, format: file.format)
                    .converted()
            }
        } catch {
            guard case .damaged(_, _, let reason) = error else { throw error }
            found.warning = "\(file.name.quotable): \(reason); its numbers are compared as those of sRGB"
        }
        (shown, color, self.traits) = (found.shown, found.color, traits)
        warning =
            found.warning
            ?? file.undrawn(isCompared: true).map { "\(file.name.quotable): \($0); what is not drawn is not compared" }
    }
}

extension ImageFile {
    /// Refuses several pages of which the path names none.
    fileprivate func checkPages(named page: Int?) throws(ImageError) {
        if page == nil, pageCount > 1 { throw .severalPages(name: name) }
    }

    /// The pixels in the file's own depth, of an SVG or a PDF at a density.
    fileprivate func pixels(dpi: Double) throws(ImageError) -> Image {
        if !isVector || dpi == 96 { return try numbers(keepsDepth: true) }
        func side(_ length: Int) -> Int { max(1, Int((Double(length) * dpi / 96).rounded())) }
        let size = ImageSize(width: side(size.width), height: side(size.height))
        try ImageLimits().check(width: size.width, height: size.height, name: name)
        guard let image = try drawn(size) else { return try numbers(keepsDepth: true) }
        return image
    }
}
