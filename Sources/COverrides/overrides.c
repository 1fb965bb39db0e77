#define _GNU_SOURCE
#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
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

// Cairo ends a repeated gradient in a PDF where the page's width in points ends, counted in the units of the drawing, and has one
// colour beyond. So this repeats its stops as far as anything is drawn.
static cairo_pattern_t *repeated(cairo_t *context, cairo_pattern_t *source) {
    bool is_linear = cairo_pattern_get_type(source) == CAIRO_PATTERN_TYPE_LINEAR;
    bool is_radial = cairo_pattern_get_type(source) == CAIRO_PATTERN_TYPE_RADIAL;
    bool is_reflected = cairo_pattern_get_extend(source) == CAIRO_EXTEND_REFLECT;
    if (!is_linear && !is_radial) return NULL;
    if (!is_reflected && cairo_pattern_get_extend(source) != CAIRO_EXTEND_REPEAT) return NULL;
    double x0, y0, x1, y1, r0 = 0, r1 = 0, left, top, right, bottom;
    int stops = 0;
    if (is_linear) cairo_pattern_get_linear_points(source, &x0, &y0, &x1, &y1);
    else cairo_pattern_get_radial_circles(source, &x0, &y0, &r0, &x1, &y1, &r1);
    cairo_pattern_get_color_stop_count(source, &stops);
    cairo_matrix_t matrix;
    cairo_pattern_get_matrix(source, &matrix);
    cairo_clip_extents(context, &left, &top, &right, &bottom);
    double dx = x1 - x0, dy = y1 - y0, length = hypot(dx, dy), least = 0, most = 1;
    // How many times the gradient goes on from its start, at the corners of all that is drawn.
    for (int corner = 0; corner < 4; corner += 1) {
        double x = corner & 1 ? right : left, y = corner & 2 ? bottom : top;
        cairo_matrix_transform_point(&matrix, &x, &y);
        double part = is_linear ? ((x - x0) * dx + (y - y0) * dy) / (length * length)
                                : (hypot(x - x0, y - y0) + fabs(r0)) / fmax(r1 - r0 - length, 1e-9);
        least = fmin(least, part);
        most = fmax(most, part);
    }
    if (is_radial) least = -r0 / (r1 - r0);
    // One more at each end of a line, whose stops may not reach its ends.
    least = floor(least) - is_linear;
    most = ceil(most) + is_linear;
    if (stops == 0 || !(length + r1 - r0 > 0) || (is_radial && r1 <= r0) || (most - least) * stops > 4000) return NULL;
    int first = (int)least, end = (int)most;
    // A circle has no radius below 0.
    double start = is_radial ? fmax(first, -r0 / (r1 - r0)) : first, before = -1, under[4];
    cairo_pattern_t *result =
        is_linear ? cairo_pattern_create_linear(x0 + first * dx, y0 + first * dy, x0 + end * dx, y0 + end * dy)
                  : cairo_pattern_create_radial(x0 + start * dx, y0 + start * dy, fmax(0, r0 + start * (r1 - r0)),
                                                x0 + end * dx, y0 + end * dy, r0 + end * (r1 - r0));
    for (int turn = first; turn < end; turn += 1) {
        for (int index = 0; index < stops; index += 1) {
            bool is_back = is_reflected && turn % 2 != 0;
            double offset, red, green, blue, alpha;
            cairo_pattern_get_color_stop_rgba(source, is_back ? stops - 1 - index : index, &offset, &red, &green, &blue, &alpha);
            double place = (turn + (is_back ? 1 - offset : offset) - start) / (end - start);
            double color[] = {red, green, blue, alpha};
            if (place >= 0) {
                // The colour at the start, between the stops on its two sides.
                for (int channel = 0; before < 0 && before > -1 && channel < 4; channel += 1) {
                    under[channel] += (color[channel] - under[channel]) * -before / (place - before);
                }
                if (before < 0 && before > -1) cairo_pattern_add_color_stop_rgba(result, 0, under[0], under[1], under[2], under[3]);
                cairo_pattern_add_color_stop_rgba(result, place, red, green, blue, alpha);
            }
            before = place;
            for (int channel = 0; channel < 4; channel += 1) under[channel] = color[channel];
        }
    }
    cairo_pattern_set_matrix(result, &matrix);
    cairo_pattern_set_extend(result, CAIRO_EXTEND_PAD);
    return result;
}

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
    cairo_pattern_t *other = pads && !has_pixels ? repeated(context, source) : NULL;
    next(context, other ? other : source);
    cairo_pattern_destroy(other);
}
