import Glibc

/// The functions of Pango, cairo and fontconfig that are used, as their headers declare them.
///
/// The library is opened when the first text is drawn: linking it would load some twenty libraries at every start.
struct PangoLibrary: @unchecked Sendable {
    typealias Object = UnsafeMutableRawPointer
    typealias Text = UnsafePointer<CChar>
    typealias Integer = UnsafeMutablePointer<Int32>

    let newSurface: @convention(c) (Object?, Int32, Int32, Int32, Int32) -> Object
    let newContext: @convention(c) (Object) -> Object
    let status: @convention(c) (Object) -> Int32
    let statusText: @convention(c) (Int32) -> Text
    let flush: @convention(c) (Object) -> Void
    let freeContext: @convention(c) (Object) -> Void
    let freeSurface: @convention(c) (Object) -> Void
    let moveTo: @convention(c) (Object, Double, Double) -> Void
    let newPath: @convention(c) (Object) -> Void
    let setSource: @convention(c) (Object, Double, Double, Double, Double) -> Void
    let setLineWidth: @convention(c) (Object, Double) -> Void
    let setLineJoin: @convention(c) (Object, Int32) -> Void
    let setAntialias: @convention(c) (Object, Int32) -> Void
    let setTolerance: @convention(c) (Object, Double) -> Void
    let stroke: @convention(c) (Object) -> Void
    let fill: @convention(c) (Object) -> Void
    let newOptions: @convention(c) () -> Object
    let setOptionsAntialias: @convention(c) (Object, Int32) -> Void
    let setHintStyle: @convention(c) (Object, Int32) -> Void
    let setHintMetrics: @convention(c) (Object, Int32) -> Void
    let freeOptions: @convention(c) (Object) -> Void

    let newPangoContext: @convention(c) (Object) -> Object
    let setOptions: @convention(c) (Object, Object) -> Void
    let setRoundsPositions: @convention(c) (Object, Int32) -> Void
    let language: @convention(c) (Text) -> Object
    let setLanguage: @convention(c) (Object, Object) -> Void
    let newLayout: @convention(c) (Object) -> Object
    let setText: @convention(c) (Object, Text, Int32) -> Void
    let setFont: @convention(c) (Object, Object) -> Void
    let setAlignment: @convention(c) (Object, Int32) -> Void
    let extents: @convention(c) (Object, Integer?, Integer?) -> Void
    let unknownGlyphs: @convention(c) (Object) -> Int32
    let newIterator: @convention(c) (Object) -> Object
    let nextLine: @convention(c) (Object) -> Int32
    let nextRun: @convention(c) (Object) -> Int32
    let run: @convention(c) (Object) -> Object?
    let baseline: @convention(c) (Object) -> Int32
    let freeIterator: @convention(c) (Object) -> Void
    let newDescription: @convention(c) () -> Object
    let setFamily: @convention(c) (Object, Text) -> Void
    let setWeight: @convention(c) (Object, Int32) -> Void
    let setSize: @convention(c) (Object, Double) -> Void
    let family: @convention(c) (Object) -> Text?
    let freeDescription: @convention(c) (Object) -> Void
    let loadFont: @convention(c) (Object, Object) -> Object?
    let describe: @convention(c) (Object) -> Object
    let addPath: @convention(c) (Object, Object) -> Void
    let show: @convention(c) (Object, Object) -> Void
    let unref: @convention(c) (Object) -> Void

    /// Functions of libpangoft2 and fontconfig, for fonts of colours; nil in older versions.
    let pattern: Pattern?
    let flag: Flag?

    typealias Pattern = @convention(c) (Object) -> Object?
    typealias Flag = @convention(c) (Object, Text, Int32, Integer) -> Int32

    let handle: Object

    /// Nil where Pango is not installed, or is older than 1.44.
    static let shared = PangoLibrary()

    private init?() {
        guard let handle = dlopen("libpangocairo-1.0.so.0", RTLD_NOW | RTLD_LOCAL) else { return nil }
        // Finds also symbols of the libraries under it.
        let names = [
            "cairo_image_surface_create_for_data", "cairo_create", "cairo_status", "cairo_status_to_string",
            "cairo_surface_flush", "cairo_destroy", "cairo_surface_destroy", "cairo_move_to", "cairo_new_path",
            "cairo_set_source_rgba", "cairo_set_line_width", "cairo_set_line_join", "cairo_set_antialias",
            "cairo_set_tolerance", "cairo_stroke", "cairo_fill", "cairo_font_options_create",
            "cairo_font_options_set_antialias", "cairo_font_options_set_hint_style",
            "cairo_font_options_set_hint_metrics", "cairo_font_options_destroy", "pango_cairo_create_context",
            "pango_cairo_context_set_font_options", "pango_context_set_round_glyph_positions",
            "pango_language_from_string", "pango_context_set_language", "pango_layout_new", "pango_layout_set_text",
            "pango_layout_set_font_description", "pango_layout_set_alignment", "pango_layout_get_extents",
            "pango_layout_get_unknown_glyphs_count", "pango_layout_get_iter", "pango_layout_iter_next_line",
            "pango_layout_iter_next_run", "pango_layout_iter_get_run_readonly", "pango_layout_iter_get_baseline",
            "pango_layout_iter_free", "pango_font_description_new", "pango_font_description_set_family",
            "pango_font_description_set_weight", "pango_font_description_set_absolute_size",
            "pango_font_description_get_family", "pango_font_description_free", "pango_context_load_font",
            "pango_font_describe", "pango_cairo_layout_path", "pango_cairo_show_layout", "g_object_unref",
        ]
        let found = names.compactMap { dlsym(handle, $0) }
        guard found.count == names.count else { return nil }
        var rest = found[...]
        func next<Signature>() -> Signature { unsafeBitCast(rest.removeFirst(), to: Signature.self) }
        (newSurface, newContext, status, statusText) = (next(), next(), next(), next())
        (flush, freeContext, freeSurface, moveTo, newPath) = (next(), next(), next(), next(), next())
        (setSource, setLineWidth, setLineJoin, setAntialias) = (next(), next(), next(), next())
        (setTolerance, stroke, fill, newOptions) = (next(), next(), next(), next())
        (setOptionsAntialias, setHintStyle, setHintMetrics, freeOptions) = (next(), next(), next(), next())
        (newPangoContext, setOptions, setRoundsPositions) = (next(), next(), next())
        (language, setLanguage, newLayout, setText) = (next(), next(), next(), next())
        (setFont, setAlignment, extents, unknownGlyphs) = (next(), next(), next(), next())
        (newIterator, nextLine, nextRun, run, baseline) = (next(), next(), next(), next(), next())
        (freeIterator, newDescription, setFamily, setWeight) = (next(), next(), next(), next())
        (setSize, family, freeDescription, loadFont) = (next(), next(), next(), next())
        (describe, addPath, show, unref) = (next(), next(), next(), next())
        pattern = dlsym(handle, "pango_fc_font_get_pattern").map { unsafeBitCast($0, to: Pattern.self) }
        flag = dlsym(handle, "FcPatternGetBool").map { unsafeBitCast($0, to: Flag.self) }
        self.handle = handle
    }

    /// Takes GLib's messages off standard error, but for that of an error that ends the process.
    func dropWarnings() {
        typealias Writer = @convention(c) (UInt32, UnsafeRawPointer?, Int, Object?) -> Int32
        typealias SetWriter = @convention(c) (Writer, Object?, Object?) -> Void
        guard let setWriter = dlsym(handle, "g_log_set_writer_func") else { return }
        let write: Writer = { level, fields, count, data in
            guard level & 1 << 2 != 0, let writer = dlsym(nil, "g_log_writer_default") else { return 1 }
            return unsafeBitCast(writer, to: Writer.self)(level, fields, count, data)
        }
        unsafeBitCast(setWriter, to: SetWriter.self)(write, nil, nil)
    }
}
