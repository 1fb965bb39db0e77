#define _GNU_SOURCE
#include <cairo.h>
#include <dlfcn.h>
#include <stdatomic.h>
#include <zlib.h>

#include "overrides.h"

// A program's function comes before a library's of the same name, where the linker exports it.

// Cairo packs what it writes at zlib's level 6, which takes 0.45 s of a PDF of 20,000 markers, and can't be told otherwise.
// LoupePipeline's PDFStreams packs it once more, so the first time may be quick: level 1 takes 0.08 s.
__attribute__((visibility("default"))) int deflateInit_(z_streamp stream, int level, const char *version, int size) {
    (void)level;
    return deflateInit2_(stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, 8, Z_DEFAULT_STRATEGY, version, size);
}

static atomic_bool pads = true;

void overrides_set_pads(bool value) { pads = value; }

// librsvg pads pictures: pixels at their edges continue beyond them, where it clips them. An SVG can't say that. Cairo 1.18
// writes other pixels in their place, sixteen times as many a side and more, composed by filters that Firefox does not draw.
__attribute__((visibility("default"))) void cairo_pattern_set_extend(cairo_pattern_t *pattern, cairo_extend_t extend) {
    void (*next)(cairo_pattern_t *, cairo_extend_t) = dlsym(RTLD_NEXT, "cairo_pattern_set_extend");
    int is_picture = cairo_pattern_get_type(pattern) == CAIRO_PATTERN_TYPE_SURFACE;
    next(pattern, extend == CAIRO_EXTEND_PAD && is_picture && !pads ? CAIRO_EXTEND_NONE : extend);
}
