#define _GNU_SOURCE
#include <cairo.h>
#include <dlfcn.h>
#include <zlib.h>

#include "overrides.h"

// A program's function comes before a library's of the same name, where the linker exports it.

// Cairo packs what it writes at zlib's level 6, which takes 0.45 s of a PDF of 20,000 markers, and can't be told otherwise.
// LoupePipeline's PDFStreams packs it once more, so the first time may be quick: level 1 takes 0.08 s.
__attribute__((visibility("default"))) int deflateInit_(z_streamp stream, int level, const char *version, int size) {
    (void)level;
    return deflateInit2_(stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, 8, Z_DEFAULT_STRATEGY, version, size);
}

static bool pads = true;

void overrides_set_pads(bool value) { pads = value; }

// librsvg pads pictures: pixels at their edges continue beyond them, where it clips them. An SVG can't say that. Cairo 1.18
// writes other pixels in their place, sixteen times as many a side and more, composed by filters that Firefox does not draw.
// What is drawn as pixels, below a filter, is padded as ever: without it, edges fade.
__attribute__((visibility("default"))) void cairo_set_source(cairo_t *context, cairo_pattern_t *source) {
    void (*next)(cairo_t *, cairo_pattern_t *) = dlsym(RTLD_NEXT, "cairo_set_source");
    bool is_picture = cairo_pattern_get_type(source) == CAIRO_PATTERN_TYPE_SURFACE;
    bool has_pixels = cairo_surface_get_type(cairo_get_group_target(context)) == CAIRO_SURFACE_TYPE_IMAGE;
    if (!pads && is_picture && !has_pixels && cairo_pattern_get_extend(source) == CAIRO_EXTEND_PAD) {
        cairo_pattern_set_extend(source, CAIRO_EXTEND_NONE);
    }
    next(context, source);
}
