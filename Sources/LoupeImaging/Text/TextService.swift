import LoupeGeometry
import LoupeSandbox

/// Shapes and draws text: what the helper process does, and on request this process itself.
package struct TextService: HelperService {
    private let library: PangoLibrary

    /// Loads Pango, and what fontconfig knows of the fonts.
    package init() throws(HelperRefusal) {
        try self.init(inThisProcess: ())
        library.dropWarnings()
    }

    /// Leaves the process as it is.
    package init(inThisProcess: Void) throws(HelperRefusal) {
        guard let library = PangoLibrary.shared else { throw HelperRefusal(ofText: .noLibrary, "") }
        self.library = library
    }

    package var readablePaths: [String] { FontFolders.system + FontFolders.paths(library.handle) }

    package mutating func answer(
        _ bytes: [UInt8], memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> [UInt8] {
        guard let request = TextRequest(bytes) else { throw HelperRefusal(ofText: .invalidRequest, "") }
        return try answer(request, memory: memory)
    }

    /// Measures a text, or draws it into memory that is 0 as premultiplied words of alpha, red, green and blue.
    func answer(
        _ request: TextRequest, memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> [UInt8] {
        let (width, height) = (max(1, request.width), max(1, request.height))
        let isMeasuring = request.width == 0
        guard isMeasuring || memory.count == width * height * 4 else {
            throw HelperRefusal(ofText: .invalidRequest, "")
        }
        var pixel: UInt32 = 0
        return try withUnsafeMutableBytes(of: &pixel) { pixel throws(HelperRefusal) in
            let surface = library.newSurface(
                isMeasuring ? pixel.baseAddress : memory.baseAddress, 0, Int32(width), Int32(height), Int32(width) * 4)
            defer { library.freeSurface(surface) }
            let context = library.newContext(surface)
            defer { library.freeContext(context) }
            let layout = TextLayout(request, on: context, library)
            let measures = try layout.measures()
            if !isMeasuring { layout.draw(request, measures, on: context) }
            let status = library.status(context)
            if status != 0 {
                // CAIRO_STATUS_NO_MEMORY
                throw status == 1
                    ? HelperRefusal(code: HelperProcess.outOfMemoryCode, text: "")
                    : HelperRefusal(ofText: .undrawable, String(cString: library.statusText(status)))
            }
            library.flush(surface)
            return measures.bytes
        }
    }
}

extension TextService {
    /// Draws a text onto a context of cairo, whose pixels are the specimen's. In a PDF it stays text.
    package func draw(_ specimen: TextSpecimen, onto context: RSVGLibrary.Object) throws(HelperRefusal) {
        var request = specimen.request
        let layout = TextLayout(request, on: context, library)
        let measures = try layout.measures()
        request.x = specimen.anchor.x - specimen.align.dx * measures.width
        request.y = specimen.anchor.y - specimen.align.dy * measures.height
        layout.draw(request, measures, on: context, asText: true)
    }
}

/// A text with its font, as Pango has laid it out.
private final class TextLayout {
    private let library: PangoLibrary
    private let pango: PangoLibrary.Object
    private let font: PangoLibrary.Object
    private let layout: PangoLibrary.Object

    init(_ request: TextRequest, on context: PangoLibrary.Object, _ library: PangoLibrary) {
        self.library = library
        pango = library.newPangoContext(context)
        let options = library.newOptions()
        // Grey levels and no hints, so that letters have the same shape at every place and size.
        library.setOptionsAntialias(options, 2)
        library.setHintStyle(options, 1)
        library.setHintMetrics(options, 1)
        library.setOptions(pango, options)
        library.freeOptions(options)
        library.setRoundsPositions(pango, 0)
        library.setLanguage(pango, library.language("en"))
        font = library.newDescription()
        library.setFamily(font, request.family)
        library.setWeight(font, Int32(request.weight))
        library.setSize(font, request.size * Self.unit)
        layout = library.newLayout(pango)
        library.setFont(layout, font)
        library.setAlignment(layout, Int32(request.alignment))
        request.text.withCString { library.setText(layout, $0, Int32(request.text.utf8.count)) }
    }

    deinit {
        library.unref(layout)
        library.freeDescription(font)
        library.unref(pango)
    }

    /// Pango's units for each pixel.
    private static let unit = 1024.0

    func measures() throws(HelperRefusal) -> TextMeasures {
        guard let loaded = library.loadFont(pango, font) else {
            throw HelperRefusal(ofText: .undrawable, "there is no font; install one, such as fonts-dejavu-core")
        }
        let description = library.describe(loaded)
        let family = library.family(description).map { String(cString: $0) } ?? ""
        library.freeDescription(description)
        library.unref(loaded)

        let (ink, logical) = extents(layout)
        var (first, last): (Double?, Double) = (nil, 0)
        let iterator = library.newIterator(layout)
        repeat {
            last = Double(library.baseline(iterator)) / Self.unit
            first = first ?? last
        } while library.nextLine(iterator) != 0
        library.freeIterator(iterator)
        let capital = library.newLayout(pango)
        library.setFont(capital, font)
        library.setText(capital, "H", 1)
        let height = extents(capital).ink.height
        library.unref(capital)
        let top = (first ?? 0) - height
        return TextMeasures(
            width: logical.width, height: last - top, left: logical.x, top: top,
            ink: Rect(x: ink.x - logical.x, y: ink.y - top, width: ink.width, height: ink.height),
            missing: Int(library.unknownGlyphs(layout)), family: family)
    }

    private func extents(_ layout: PangoLibrary.Object) -> (ink: Rect, logical: Rect) {
        var (ink, logical) = ([Int32](repeating: 0, count: 4), [Int32](repeating: 0, count: 4))
        library.extents(layout, &ink, &logical)
        func rect(_ numbers: [Int32]) -> Rect {
            let sides = numbers.map { Double($0) / Self.unit }
            return Rect(x: sides[0], y: sides[1], width: sides[2], height: sides[3])
        }
        return (rect(ink), rect(logical))
    }

    /// - Parameter asText: whether it is drawn as letters of a font, also where outlines would lie more exactly.
    func draw(
        _ request: TextRequest, _ measures: TextMeasures, on context: PangoLibrary.Object, asText: Bool = false
    ) {
        let (x, y) = (request.x - measures.left, request.y - measures.top)
        // As exact as cairo is: CAIRO_ANTIALIAS_BEST.
        library.setAntialias(context, 6)
        library.setTolerance(context, 0.02)
        if request.haloWidth > 0 {
            library.moveTo(context, x, y)
            library.addPath(context, layout)
            setSource(request.haloColor, on: context)
            library.setLineWidth(context, 2 * request.haloWidth)
            // CAIRO_LINE_JOIN_ROUND
            library.setLineJoin(context, 1)
            library.stroke(context)
        }
        library.newPath(context)
        library.moveTo(context, x, y)
        setSource(request.color, on: context)
        // Glyphs of a bitmap have no outline to fill. Outlines are drawn where they lie, and not at the nearest quarter of
        // a pixel, as cairo does with glyphs.
        if asText || hasColors {
            library.show(context, layout)
        } else {
            library.addPath(context, layout)
            library.fill(context)
        }
    }

    private func setSource(_ color: UInt32, on context: PangoLibrary.Object) {
        func channel(_ shift: UInt32) -> Double { Double(color >> shift & 255) / 255 }
        library.setSource(context, channel(24), channel(16), channel(8), channel(0))
    }

    /// Whether a font of the text has colours of its own, as those of emoji have.
    private var hasColors: Bool {
        guard let pattern = library.pattern, let flag = library.flag else { return false }
        let iterator = library.newIterator(layout)
        defer { library.freeIterator(iterator) }
        repeat {
            // A PangoGlyphItem begins with its PangoItem, whose analysis holds the font after three numbers and two
            // pointers.
            guard let run = library.run(iterator) else { continue }
            let item = run.load(as: PangoLibrary.Object.self)
            guard let font = item.load(fromByteOffset: 32, as: PangoLibrary.Object?.self),
                let found = pattern(font)
            else { continue }
            var isColored: Int32 = 0
            if flag(found, "color", 0, &isColored) == 0, isColored != 0 { return true }
        } while library.nextRun(iterator) != 0
        return false
    }
}

/// A request to ``TextService``: to measure a text, or to draw it, too.
struct TextRequest: Equatable {
    var text: String
    var family: String
    /// In pixels.
    var size: Double
    var weight: Int
    /// How lines are aligned that are shorter than the longest: 0 left, 1 in the middle, 2 right.
    var alignment: Int
    /// Red, green, blue and alpha, from the highest byte.
    var color: UInt32
    /// In pixels; 0 for none.
    var haloWidth: Double
    var haloColor: UInt32
    /// Where the box's upper left corner lies in the block, in pixels.
    var x = 0.0, y = 0.0
    /// The block, in pixels; 0 to measure only.
    var width = 0, height = 0
}

extension TextRequest {
    /// Nil for what ``bytes`` never gives.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        let lengths = (0..<4).compactMap { _ in reader.double() }
        let numbers = (0..<6).compactMap { _ in reader.number(UInt32.self) }
        guard lengths.count == 4, lengths.allSatisfy({ abs($0) <= 1e7 }), numbers.count == 6,
            numbers[1] <= 2, max(numbers[4], numbers[5]) <= 1 << 15, let length = reader.number(UInt32.self)
        else { return nil }
        let rest = reader.takeRest()
        guard length <= rest.count, lengths[0] > 0, lengths[1] >= 0, !rest.contains(0) else { return nil }
        self.init(
            text: String(decoding: rest.dropFirst(Int(length)), as: UTF8.self),
            family: String(decoding: rest.prefix(Int(length)), as: UTF8.self), size: lengths[0],
            weight: Int(numbers[0]), alignment: Int(numbers[1]), color: numbers[2], haloWidth: lengths[1],
            haloColor: numbers[3], x: lengths[2], y: lengths[3], width: Int(numbers[4]), height: Int(numbers[5]))
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        for length in [size, haloWidth, x, y] { writer.write(length) }
        for number in [UInt32(weight), UInt32(alignment), color, haloColor, UInt32(width), UInt32(height)] {
            writer.write(number)
        }
        writer.write(UInt32(family.utf8.count))
        writer.write(rest: family.utf8)
        writer.write(rest: text.utf8)
        return writer.bytes
    }
}

/// How large a text is, in pixels.
struct TextMeasures: Equatable {
    /// The size of the box.
    var width, height: Double
    /// Where the box's upper left corner lies in Pango's layout.
    var left, top: Double
    /// What the letters cover, without a halo, from the box's upper left corner.
    var ink: Rect
    /// How many characters no font has.
    var missing: Int
    /// The family of the font that was taken.
    var family: String

    init(width: Double, height: Double, left: Double, top: Double, ink: Rect, missing: Int, family: String) {
        (self.width, self.height, self.left, self.top) = (width, height, left, top)
        (self.ink, self.missing, self.family) = (ink, missing, family)
    }

    /// Nil for what ``bytes`` never gives.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        let lengths = (0..<8).compactMap { _ in reader.double() }
        guard lengths.count == 8, lengths.allSatisfy({ abs($0) <= 1e7 }), let missing = reader.number(UInt32.self)
        else { return nil }
        self.init(
            width: lengths[0], height: lengths[1], left: lengths[2], top: lengths[3],
            ink: Rect(x: lengths[4], y: lengths[5], width: max(0, lengths[6]), height: max(0, lengths[7])),
            missing: Int(missing), family: String(decoding: reader.takeRest().prefix(200), as: UTF8.self))
    }

    var bytes: [UInt8] {
        var writer = MessageWriter()
        for length in [width, height, left, top, ink.x, ink.y, ink.width, ink.height] { writer.write(length) }
        writer.write(UInt32(missing))
        writer.write(rest: family.utf8)
        return writer.bytes
    }
}

/// Why ``TextService`` refuses a request. The text beside it is the library's reason.
enum TextRefusal: UInt8 {
    case noLibrary = 1
    case undrawable, invalidRequest
}

extension HelperRefusal {
    init(ofText refusal: TextRefusal, _ text: String) { self.init(code: refusal.rawValue, text: text) }
}
