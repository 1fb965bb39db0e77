import LoupeGeometry
import LoupeImaging
import LoupePlan
import LoupeSandbox
import LoupeScene

/// Carries out a drawing on a cairo surface that writes a file.
///
/// Each image becomes one source surface, which cairo stores once however often it is drawn: pixels as a picture, a JPEG as
/// its own bytes, and an SVG as a recording, a form that keeps its curves and texts.
struct CairoPainter {
    private let library: RSVGLibrary
    private let cairo: CairoLibrary
    private let file: VectorRequest.VectorFile
    private let context: CairoLibrary.Object
    private let sources: [Source]
    private let bitmaps: [CairoLibrary.Object]
    /// The documents that were recorded. Cairo asks poppler for the glyphs of Type 3 fonts when the file is finished.
    private let documents: [AnyObject]
    /// Nil where there is no text.
    private let texts: TextService?

    /// A surface, and the size at which its content fills a rect.
    private struct Source {
        let surface: CairoLibrary.Object
        let width, height: Double
        let isSmooth: Bool
        /// The EXIF orientation, 1 to 8, that it still has to be given.
        private(set) var turn = 1

        /// A picture of pixels.
        init(_ surface: CairoLibrary.Object, _ size: ImageSize, isSmooth: Bool, turn: Int = 1) {
            self.init(surface, width: Double(size.width), height: Double(size.height), isSmooth: isSmooth)
            self.turn = turn
        }

        init(_ surface: CairoLibrary.Object, width: Double, height: Double, isSmooth: Bool) {
            (self.surface, self.width, self.height, self.isSmooth) = (surface, width, height, isSmooth)
        }
    }

    /// Writes a file.
    /// - Throws: `HelperRefusal`: a page can't be drawn, or memory is short.
    static func write(
        _ file: VectorRequest.VectorFile, _ library: RSVGLibrary, _ cairo: CairoLibrary,
        _ reader: SVGService
    ) throws(HelperRefusal) -> [UInt8] {
        let stream = Stream()
        let closure = Unmanaged.passRetained(stream)
        defer { closure.release() }
        let write: CairoLibrary.Write = { closure, bytes, count in
            guard let closure else { return 0 }
            let stream = Unmanaged<Stream>.fromOpaque(closure).takeUnretainedValue()
            stream.bytes += UnsafeBufferPointer(start: bytes, count: Int(count))
            return 0
        }
        var painter: CairoPainter?
        // After the surface is freed, which finishes it where an error comes first.
        defer { withExtendedLifetime(painter) {} }
        let new = file.format == .pdf ? cairo.newPDF : cairo.newSVG
        guard let surface = new(write, closure.toOpaque(), file.width, file.height) else { throw .outOfMemory }
        defer { cairo.freeSurface(surface) }
        if file.format == .pdf {
            cairo.restrictVersion(surface, 1)
            cairo.setMetadata(surface, 0, file.title)
            // Without a date, the same scene gives the same bytes.
            cairo.setMetadata(surface, 5, nil)
        }
        guard let context = cairo.newContext(surface) else { throw .outOfMemory }
        do throws(HelperRefusal) {
            painter = try CairoPainter(file, library, cairo, context, reader)
            try painter?.paint()
        } catch {
            cairo.freeContext(context)
            throw error
        }
        cairo.showPage(context)
        let status = cairo.status(context)
        cairo.freeContext(context)
        cairo.finish(surface)
        painter?.freeSources()
        let last = status != 0 ? status : cairo.surfaceStatus(surface)
        guard last == 0 else {
            // CAIRO_STATUS_NO_MEMORY
            throw last == 1 ? .outOfMemory : HelperRefusal(.failed, String(cString: cairo.statusText(last)))
        }
        return stream.bytes
    }

    /// Where cairo writes to.
    private final class Stream {
        var bytes: [UInt8] = []
    }

    private init(
        _ file: VectorRequest.VectorFile, _ library: RSVGLibrary, _ cairo: CairoLibrary,
        _ context: CairoLibrary.Object, _ reader: SVGService
    ) throws(HelperRefusal) {
        (self.file, self.library, self.cairo, self.context) = (file, library, cairo, context)
        var sources: [Source] = []
        var documents: [AnyObject] = []
        for image in file.images {
            switch image.contents {
            case .svg(let bytes):
                let document = try reader.open(bytes)
                documents.append(document)
                sources.append(
                    try Self.record(document.size, magnification: image.magnification, library, cairo) { context in
                        do throws(SVGHandle.Failure) {
                            try document.draw(onto: context)
                            return nil
                        } catch {
                            return error.reason
                        }
                    })
            case .pdf(let bytes, let page):
                let document = try reader.open(bytes, page: page)
                documents.append(document)
                sources.append(
                    try Self.record(document.size, magnification: image.magnification, library, cairo) { context in
                        document.draw(onto: context, keepsImages: true)
                        return nil
                    })
            case .jpeg(let bytes, let size, let turn):
                let surface = try Self.picture(size, hasAlpha: false, cairo) { _ in }
                try Self.attach(bytes, to: surface, cairo)
                sources.append(Source(surface, size, isSmooth: image.isSmooth, turn: turn))
            case .pixels(let pixels, let size):
                let isOpaque = stride(from: 3, to: pixels.count, by: 4).allSatisfy { pixels[$0] == 255 }
                let surface = try Self.picture(size, hasAlpha: !isOpaque, cairo) { words in
                    for index in words.indices { words[index] = Self.premultiplied(pixels, at: index * 4) }
                }
                sources.append(Source(surface, size, isSmooth: image.isSmooth))
            }
        }
        (self.sources, self.documents) = (sources, documents)
        var bitmaps: [CairoLibrary.Object] = []
        for (number, bitmap) in file.bitmaps.enumerated() {
            // Cairo stores a surface once, however often it is drawn.
            if let same = file.bitmaps[..<number].firstIndex(where: bitmap.looksLike) {
                bitmaps.append(bitmaps[same])
                continue
            }
            let color = bitmap.color
            let straight = [color.red, color.green, color.blue]
            bitmaps.append(
                try Self.picture(bitmap.size, hasAlpha: true, cairo) { words in
                    for index in words.indices where bitmap.coverage[index] > 0 {
                        let alpha = (UInt32(color.alpha) * UInt32(bitmap.coverage[index]) + 127) / 255
                        words[index] = Self.premultiplied(straight + [UInt8(alpha)], at: 0)
                    }
                })
        }
        self.bitmaps = bitmaps
        let hasText = file.operations.contains { if case .text = $0 { true } else { false } }
        texts = hasText ? try TextService(inThisProcess: ()) : nil
    }

    private func freeSources() {
        for surface in Set(sources.map(\.surface) + bitmaps) { cairo.freeSurface(surface) }
    }

    // MARK: - Sources

    /// A word of alpha, red, green and blue, from straight red, green, blue and alpha.
    private static func premultiplied(_ bytes: [UInt8], at index: Int) -> UInt32 {
        let alpha = UInt32(bytes[index + 3])
        func channel(_ offset: Int) -> UInt32 { (UInt32(bytes[index + offset]) * alpha + 127) / 255 }
        return alpha << 24 | channel(0) << 16 | channel(1) << 8 | channel(2)
    }

    /// - Parameter fill: is passed all words of the picture, which are 0, rows without padding.
    private static func picture(
        _ size: ImageSize, hasAlpha: Bool, _ cairo: CairoLibrary, fill: (UnsafeMutableBufferPointer<UInt32>) -> Void
    ) throws(HelperRefusal) -> CairoLibrary.Object {
        guard let surface = cairo.newPicture(hasAlpha ? 0 : 1, Int32(size.width), Int32(size.height)) else {
            throw .outOfMemory
        }
        guard cairo.surfaceStatus(surface) == 0, let pixels = cairo.pixels(surface),
            Int(cairo.rowLength(surface)) == size.width * 4
        else {
            cairo.freeSurface(surface)
            throw .outOfMemory
        }
        cairo.flush(surface)
        let count = size.width * size.height
        fill(UnsafeMutableBufferPointer(start: pixels.assumingMemoryBound(to: UInt32.self), count: count))
        cairo.markDirty(surface)
        return surface
    }

    /// Stores a JPEG's bytes in place of a picture's pixels.
    private static func attach(
        _ bytes: [UInt8], to surface: CairoLibrary.Object, _ cairo: CairoLibrary
    ) throws(HelperRefusal) {
        let copy = UnsafeMutablePointer<UInt8>.allocate(capacity: bytes.count)
        copy.initialize(from: bytes, count: bytes.count)
        let status = cairo.attach(
            surface, "image/jpeg", copy, UInt(bytes.count), { $0?.deallocate() }, UnsafeMutableRawPointer(copy))
        if status != 0 { throw .outOfMemory }
    }

    /// Records a document, enlarged: positions in a recording are rounded to a 256th, and filters are drawn as pixels.
    private static func record(
        _ size: (width: Double, height: Double), magnification: Double, _ library: RSVGLibrary, _ cairo: CairoLibrary,
        _ draw: (RSVGLibrary.Object) -> String?
    ) throws(HelperRefusal) -> Source {
        var scale = 1.0
        while scale < 16, scale < 4 * magnification, 2 * scale * max(size.width, size.height) < 16384 {
            scale *= 2
        }
        while true {
            let (width, height) = (size.width * scale, size.height * scale)
            // librsvg draws text as text only where it sees a surface of PDF. So this records a group of a PDF that is
            // never written.
            guard let unwritten = cairo.newPDF(nil, nil, width, height) else { throw .outOfMemory }
            defer { cairo.freeSurface(unwritten) }
            guard let context = cairo.newContext(unwritten) else { throw .outOfMemory }
            defer { cairo.freeContext(context) }
            cairo.pushGroup(context)
            cairo.scale(context, scale, scale)
            let warnings = fontState.warnings
            var reason = draw(context)
            let status = cairo.status(context)
            if reason == nil, status != 0 { reason = String(cString: cairo.statusText(status)) }
            guard let pattern = cairo.popPattern(context) else { throw .outOfMemory }
            defer { cairo.freePattern(pattern) }
            if reason != nil || fontState.warnings != warnings && scale > 1 {
                // Fonts fail where their size times scale² is large.
                guard scale > 1 else { throw HelperRefusal(.undrawable, reason ?? "") }
                library.forgetFonts()
                scale /= 2
                continue
            }
            var group: CairoLibrary.Object?
            guard cairo.patternSurface(pattern, &group) == 0, let surface = group.flatMap(cairo.keepSurface) else {
                throw .outOfMemory
            }
            return Source(surface, width: width, height: height, isSmooth: true)
        }
    }

    // MARK: - Operations

    private func paint() throws(HelperRefusal) {
        cairo.scale(
            context, file.width / Double(file.size.width), file.height / Double(file.size.height))
        cairo.setCap(context, 1)
        cairo.setJoin(context, 1)
        for operation in file.operations { try carryOut(operation) }
    }

    private func carryOut(_ operation: DrawingOperation) throws(HelperRefusal) {
        switch operation {
        case .save: cairo.save(context)
        case .restore: cairo.restore(context)
        case .transform(let scale, let offset):
            cairo.translate(context, offset.dx, offset.dy)
            cairo.scale(context, scale, scale)
        case .clip(let path):
            add(path)
            cairo.clip(context)
        case .fill(let path, let color):
            set(color)
            add(path)
            cairo.fill(context)
        case .gradient(let path, let from, let to, let colors): fill(path, from, to, colors)
        case .stroke(let path, let width, let color):
            set(color)
            cairo.setWidth(context, width)
            add(path)
            cairo.stroke(context)
        case .image(let index, let rect): paint(sources[index], in: rect)
        case .bitmap(let index):
            let bitmap = file.bitmaps[index]
            paint(Source(bitmaps[index], bitmap.size, isSmooth: true), in: bitmap.rect)
        case .text(let run):
            cairo.save(context)
            try texts?.draw(Self.specimen(of: run), onto: context)
            cairo.restore(context)
        case .beginGroup: cairo.pushGroup(context)
        case .endGroup(let opacity, let path):
            cairo.popGroup(context)
            if let path {
                add(path)
                cairo.clip(context)
            }
            cairo.paintWithAlpha(context, opacity)
        }
    }

    private static func specimen(of run: TextRun) -> TextSpecimen {
        func paint(_ color: Color) -> TextSpecimen.Paint {
            .init(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
        }
        let style = run.style
        return TextSpecimen(
            text: run.text, family: style.family, size: style.size, weight: style.weight, color: paint(style.color),
            halo: style.halo.map { ($0.width, paint($0.color)) }, anchor: run.anchor, align: run.align)
    }

    private func set(_ color: Color) {
        cairo.setColor(
            context, Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255,
            Double(color.alpha) / 255)
    }

    private func add(_ path: VectorPath) {
        cairo.newPath(context)
        for element in path.elements {
            switch element {
            case .move(let point): cairo.move(context, point.x, point.y)
            case .line(let point): cairo.line(context, point.x, point.y)
            case .curve(let first, let second, let end):
                cairo.curve(context, first.x, first.y, second.x, second.y, end.x, end.y)
            case .close: cairo.closePath(context)
            }
        }
        // A dot.
        if path.elements.count == 1, case .move(let point) = path.elements[0] {
            cairo.line(context, point.x, point.y)
        }
    }

    private func fill(_ path: VectorPath, _ from: Point, _ to: Point, _ colors: [Color]) {
        guard let gradient = cairo.newGradient(from.x, from.y, to.x, to.y) else { return }
        for (index, color) in colors.enumerated() {
            cairo.addStop(
                gradient, Double(index) / Double(colors.count - 1), Double(color.red) / 255,
                Double(color.green) / 255, Double(color.blue) / 255, Double(color.alpha) / 255)
        }
        cairo.setPattern(context, gradient)
        cairo.freePattern(gradient)
        add(path)
        cairo.fill(context)
    }

    /// The transforms of a unit square that give it an orientation: xx, yx, xy, yy, x0, y0 (EXIF 2.32, tag Orientation).
    private static let turns: [[Double]] = [
        [1, 0, 0, 1, 0, 0], [-1, 0, 0, 1, 1, 0], [-1, 0, 0, -1, 1, 1], [1, 0, 0, -1, 0, 1],
        [0, 1, 1, 0, 0, 0], [0, 1, -1, 0, 1, 0], [0, -1, -1, 0, 1, 1], [0, -1, 1, 0, 0, 1],
    ]

    private func paint(_ source: Source, in rect: Rect) {
        cairo.save(context)
        cairo.translate(context, rect.x, rect.y)
        cairo.scale(context, rect.width, rect.height)
        if source.turn != 1 { cairo.transform(context, Self.turns[source.turn - 1]) }
        cairo.scale(context, 1 / source.width, 1 / source.height)
        cairo.setSurface(context, source.surface, 0, 0)
        // CAIRO_FILTER_GOOD and CAIRO_FILTER_NEAREST.
        if let pattern = cairo.source(context) { cairo.setFilter(pattern, source.isSmooth ? 1 : 3) }
        cairo.paint(context)
        cairo.restore(context)
    }
}

extension HelperRefusal {
    fileprivate static let outOfMemory = HelperRefusal(code: HelperProcess.outOfMemoryCode, text: "")
}
