import CPango
import CRSVG
import LoupeSystem

/// A text with its font, as Pango has laid it out.
final class TextLayout {
    private let request: TextRequest
    private let context, pango, font, layout: OpaquePointer
    /// The size of the box, and where its upper left corner lies in Pango's layout, in pixels.
    private var width = 0.0, height = 0.0, left = 0.0, top = 0.0

    /// Measures a text, and draws it into memory that is 0 as premultiplied words of alpha, red, green and blue.
    static func answer(
        _ request: TextRequest, memory: UnsafeMutableRawBufferPointer, _ answer: inout MessageWriter
    ) throws(HelperRefusal) {
        let isMeasuring = request.columns == 0
        guard isMeasuring || memory.count == request.columns * request.rows * 4 else {
            throw HelperRefusal(.invalidRequest)
        }
        let (columns, rows) = (Int32(request.columns), Int32(request.rows))
        let surface =
            isMeasuring
            ? cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 1, 1)
            : cairo_image_surface_create_for_data(
                memory.baseAddress, CAIRO_FORMAT_ARGB32, columns, rows, columns * 4)
        defer { cairo_surface_destroy(surface) }
        guard let context = cairo_create(surface) else { throw HelperRefusal(.outOfMemory) }
        defer { cairo_destroy(context) }
        let layout = TextLayout(request, on: context)
        try layout.measure(&answer)
        if !isMeasuring { layout.draw() }
        try check(cairo_status(context))
        cairo_surface_flush(surface)
    }

    /// Draws a text onto a context of cairo, whose pixels are the request's. In a PDF it stays text.
    static func draw(_ request: TextRequest, onto context: OpaquePointer) throws(HelperRefusal) {
        let layout = TextLayout(request, on: context)
        var unused = MessageWriter()
        try layout.measure(&unused)
        layout.draw(asText: true)
    }

    private init(_ request: TextRequest, on context: OpaquePointer) {
        (self.request, self.context) = (request, context)
        pango = pango_cairo_create_context(context)
        let options = cairo_font_options_create()
        // Grey levels and no hints, so that letters have the same shape at every place and size.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        pango_cairo_context_set_font_options(pango, options)
        cairo_font_options_destroy(options)
        pango_context_set_round_glyph_positions(pango, 0)
        pango_context_set_language(pango, pango_language_from_string("en"))
        font = pango_font_description_new()
        pango_font_description_set_family(font, request.family)
        pango_font_description_set_weight(font, PangoWeight(UInt32(request.weight)))
        pango_font_description_set_absolute_size(font, request.size * Self.unit)
        layout = pango_layout_new(pango)
        pango_layout_set_font_description(layout, font)
        let alignments = [PANGO_ALIGN_LEFT, PANGO_ALIGN_CENTER, PANGO_ALIGN_RIGHT]
        pango_layout_set_alignment(layout, alignments[request.alignment])
        pango_layout_set_text(layout, request.text, Int32(request.text.utf8.count))
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(layout))
        pango_font_description_free(font)
        g_object_unref(UnsafeMutableRawPointer(pango))
    }

    /// Pango's units for each pixel.
    private static let unit = Double(PANGO_SCALE)

    /// Writes the box's width and height, what the letters cover, without a halo, from the box's upper left corner, how many
    /// characters no font has, and the family of the font that was taken.
    private func measure(_ answer: inout MessageWriter) throws(HelperRefusal) {
        guard let loaded = pango_context_load_font(pango, font) else {
            throw HelperRefusal(.undrawable, "there is no font; install one, such as fonts-dejavu-core")
        }
        let description = pango_font_describe(loaded)
        let family = pango_font_description_get_family(description).map { String(cString: $0) } ?? ""
        pango_font_description_free(description)
        g_object_unref(loaded)

        let (ink, logical) = Self.extents(layout)
        var (first, last): (Double?, Double) = (nil, 0)
        let iterator = pango_layout_get_iter(layout)
        repeat {
            last = Double(pango_layout_iter_get_baseline(iterator)) / Self.unit
            first = first ?? last
        } while pango_layout_iter_next_line(iterator) != 0
        pango_layout_iter_free(iterator)
        let capital = pango_layout_new(pango)
        pango_layout_set_font_description(capital, font)
        pango_layout_set_text(capital, "H", 1)
        top = (first ?? 0) - Self.extents(capital).ink.height
        g_object_unref(UnsafeMutableRawPointer(capital))
        (width, height, left) = (logical.width, last - top, logical.x)
        answer.write(width, height, ink.x - left, ink.y - top, ink.width, ink.height)
        answer.write(UInt32(pango_layout_get_unknown_glyphs_count(layout)))
        answer.write(block: family.utf8.prefix(200))
    }

    private typealias Box = (x: Double, y: Double, width: Double, height: Double)

    private static func extents(_ layout: OpaquePointer?) -> (ink: Box, logical: Box) {
        var (ink, logical) = (PangoRectangle(), PangoRectangle())
        pango_layout_get_extents(layout, &ink, &logical)
        func box(_ rect: PangoRectangle) -> Box {
            (Double(rect.x) / unit, Double(rect.y) / unit, Double(rect.width) / unit, Double(rect.height) / unit)
        }
        return (box(ink), box(logical))
    }

    /// - Parameter asText: whether it is drawn as letters of a font, also where outlines would lie more exactly.
    private func draw(asText: Bool = false) {
        let x = request.x - request.alignX * width - left
        let y = request.y - request.alignY * height - top
        // As exact as cairo is.
        cairo_set_antialias(context, CAIRO_ANTIALIAS_BEST)
        cairo_set_tolerance(context, 0.02)
        if request.haloWidth > 0 {
            cairo_move_to(context, x, y)
            pango_cairo_layout_path(context, layout)
            setSource(request.haloColor)
            cairo_set_line_width(context, 2 * request.haloWidth)
            cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(context)
        }
        cairo_new_path(context)
        cairo_move_to(context, x, y)
        setSource(request.color)
        // Glyphs of a bitmap have no outline to fill. Outlines are drawn where they lie, and not at the nearest quarter of
        // a pixel, as cairo does with glyphs.
        if asText || hasColors {
            pango_cairo_show_layout(context, layout)
        } else {
            pango_cairo_layout_path(context, layout)
            cairo_fill(context)
        }
    }

    private func setSource(_ color: TextRequest.Paint) {
        let color = SIMD4<Double>(color) / 255
        cairo_set_source_rgba(context, color.x, color.y, color.z, color.w)
    }

    /// Whether a font of the text has colours of its own, as those of emoji have.
    private var hasColors: Bool {
        let iterator = pango_layout_get_iter(layout)
        defer { pango_layout_iter_free(iterator) }
        repeat {
            guard let font = pango_layout_iter_get_run_readonly(iterator)?.pointee.item.pointee.analysis.font else {
                continue
            }
            let pattern = font.withMemoryRebound(to: PangoFcFont.self, capacity: 1) { pango_fc_font_get_pattern($0) }
            var isColored: FcBool = 0
            if FcPatternGetBool(pattern, FC_COLOR, 0, &isColored) == FcResultMatch, isColored != 0 { return true }
        } while pango_layout_iter_next_run(iterator) != 0
        return false
    }
}
