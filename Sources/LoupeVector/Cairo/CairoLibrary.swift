import LoupeImaging

/// The functions of cairo that write PDF and SVG, as its headers declare them: of the cairo under librsvg.
struct CairoLibrary: @unchecked Sendable {
    typealias Object = UnsafeMutableRawPointer
    typealias Bytes = UnsafePointer<UInt8>
    /// Called with the closure, bytes and their number; returns a status.
    typealias Write = @convention(c) (Object?, Bytes?, UInt32) -> Int32

    /// Where it writes, the closure, width and height in points.
    typealias NewFile = @convention(c) (Write?, Object?, Double, Double) -> Object?
    typealias OfObject = @convention(c) (Object?) -> Void
    typealias StatusOf = @convention(c) (Object?) -> Int32
    typealias Numbers2 = @convention(c) (Object, Double, Double) -> Void
    typealias Numbers4 = @convention(c) (Object, Double, Double, Double, Double) -> Void
    typealias Numbers6 = @convention(c) (Object, Double, Double, Double, Double, Double, Double) -> Void
    typealias Number = @convention(c) (Object, Double) -> Void
    typealias Choice = @convention(c) (Object, Int32) -> Void

    let newPDF, newSVG: NewFile
    /// Versions from 1.4 on count from 0.
    let restrictVersion: Choice
    /// What (0 the title, 5 the creation date) and its text.
    let setMetadata: @convention(c) (Object, Int32, UnsafePointer<CChar>?) -> Void
    /// Format (0 with alpha, 1 without), width, height.
    let newPicture: @convention(c) (Int32, Int32, Int32) -> Object?
    let pixels: @convention(c) (Object) -> UnsafeMutableRawPointer?
    let rowLength: @convention(c) (Object) -> Int32
    /// Surface, media type, bytes and their number, how they are freed, what that is passed.
    let attach:
        @convention(c) (Object, UnsafePointer<CChar>, Bytes, UInt, (@convention(c) (Object?) -> Void)?, Object?) ->
            Int32
    let flush, markDirty, finish, freeSurface: OfObject
    let surfaceStatus, status: StatusOf
    let statusText: @convention(c) (Int32) -> UnsafePointer<CChar>

    let newContext: @convention(c) (Object?) -> Object?
    let freeContext, save, restore, newPath, closePath, clip, fill, stroke, paint, pushGroup, popGroup,
        showPage: OfObject
    let translate, scale, move, line: Numbers2
    /// Context and six numbers: xx, yx, xy, yy, x0, y0.
    let transform: @convention(c) (Object, UnsafePointer<Double>) -> Void
    let curve: Numbers6
    let setWidth, paintWithAlpha: Number
    let setCap, setJoin, setFilter: Choice
    let setColor: Numbers4
    /// Context, surface, x, y.
    let setSurface: @convention(c) (Object, Object, Double, Double) -> Void
    let source: @convention(c) (Object) -> Object?
    /// The group as a pattern, and a pattern's surface, which lives as long as the pattern.
    let popPattern: @convention(c) (Object) -> Object?
    let patternSurface: @convention(c) (Object, UnsafeMutablePointer<Object?>) -> Int32
    let keepSurface: @convention(c) (Object) -> Object?
    let newGradient: @convention(c) (Double, Double, Double, Double) -> Object?
    /// Pattern, offset, red, green, blue, alpha.
    let addStop: @convention(c) (Object, Double, Double, Double, Double, Double) -> Void
    let setPattern: @convention(c) (Object, Object) -> Void
    let freePattern: OfObject

    /// Nil where cairo was built without PDF or SVG.
    init?(_ library: RSVGLibrary) {
        var isComplete = true
        /// A function that is never called where any is missing.
        func function<Signature>(_ name: String) -> Signature {
            let symbol = library.symbol("cairo_" + name)
            if symbol == nil { isComplete = false }
            return unsafeBitCast(symbol ?? UnsafeMutableRawPointer(bitPattern: 1)!, to: Signature.self)
        }
        newPDF = function("pdf_surface_create_for_stream")
        newSVG = function("svg_surface_create_for_stream")
        restrictVersion = function("pdf_surface_restrict_to_version")
        setMetadata = function("pdf_surface_set_metadata")
        newPicture = function("image_surface_create")
        pixels = function("image_surface_get_data")
        rowLength = function("image_surface_get_stride")
        attach = function("surface_set_mime_data")
        flush = function("surface_flush")
        markDirty = function("surface_mark_dirty")
        finish = function("surface_finish")
        freeSurface = function("surface_destroy")
        surfaceStatus = function("surface_status")
        status = function("status")
        statusText = function("status_to_string")
        newContext = function("create")
        freeContext = function("destroy")
        save = function("save")
        restore = function("restore")
        newPath = function("new_path")
        closePath = function("close_path")
        clip = function("clip")
        fill = function("fill")
        stroke = function("stroke")
        paint = function("paint")
        pushGroup = function("push_group")
        popGroup = function("pop_group_to_source")
        showPage = function("show_page")
        translate = function("translate")
        scale = function("scale")
        transform = function("transform")
        move = function("move_to")
        line = function("line_to")
        curve = function("curve_to")
        setWidth = function("set_line_width")
        paintWithAlpha = function("paint_with_alpha")
        setCap = function("set_line_cap")
        setJoin = function("set_line_join")
        setFilter = function("pattern_set_filter")
        setColor = function("set_source_rgba")
        setSurface = function("set_source_surface")
        source = function("get_source")
        popPattern = function("pop_group")
        patternSurface = function("pattern_get_surface")
        keepSurface = function("surface_reference")
        newGradient = function("pattern_create_linear")
        addStop = function("pattern_add_color_stop_rgba")
        setPattern = function("set_source")
        freePattern = function("pattern_destroy")
        guard isComplete else { return nil }
    }
}
