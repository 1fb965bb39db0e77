#define _GNU_SOURCE
#include <cairo.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>

#include <jpeglib.h>

#include <jerror.h>

#include "overrides.h"

// A program's function comes before a library's of the same name, where the linker exports it.

// Cairo packs what it writes at zlib's level 6, which takes 0.45 s of a PDF of 20,000 markers, and can't be told otherwise.
// LoupePipeline's PDFStreams packs it once more, so the first time may be quick: level 1 takes 0.08 s.
__attribute__((visibility("default"))) int deflateInit_(z_streamp stream, int level, const char *version, int size) {
    (void)level;
    return deflateInit2_(stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, 8, Z_DEFAULT_STRATEGY, version, size);
}

static bool writes_svg = false;
static double density = 1, least_square = 0;
enum { most_squares = 64 };
static struct overrides_size squares[most_squares];
static struct overrides_seen seen;

void overrides_write_svg(double pixels, double square) {
    writes_svg = pixels > 0;
    density = pixels;
    least_square = square;
    seen = (struct overrides_seen){.squares = squares};
}

struct overrides_seen overrides_seen(void) { return seen; }

// Whether what is drawn now stays vectors. Below a filter, and in masks, libraries draw pixels of their own.
static bool draws_vectors(cairo_t *context) {
    return cairo_surface_get_type(cairo_get_group_target(context)) != CAIRO_SURFACE_TYPE_IMAGE;
}

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

// A pattern of a surface whose origin lies at a point.
static cairo_pattern_t *pattern_at(cairo_surface_t *surface, double x, double y) {
    cairo_pattern_t *pattern = cairo_pattern_create_for_surface(surface);
    cairo_matrix_t place;
    cairo_matrix_init_translate(&place, -x, -y);
    cairo_pattern_set_matrix(pattern, &place);
    return pattern;
}

// Notes the size of a picture whose pixels are shown as squares, which cairo does not write.
static void note_squares(cairo_t *context, cairo_pattern_t *source) {
    cairo_surface_t *picture;
    cairo_matrix_t pixel, transform;
    cairo_pattern_get_surface(source, &picture);
    cairo_pattern_get_matrix(source, &pixel);
    cairo_filter_t filter = cairo_pattern_get_filter(source);
    if (filter != CAIRO_FILTER_NEAREST && filter != CAIRO_FILTER_FAST) return;
    if (cairo_surface_get_type(picture) != CAIRO_SURFACE_TYPE_IMAGE || cairo_matrix_invert(&pixel) != CAIRO_STATUS_SUCCESS) return;
    cairo_get_matrix(context, &transform);
    cairo_matrix_multiply(&pixel, &pixel, &transform);
    double area = fabs(pixel.xx * pixel.yy - pixel.xy * pixel.yx);
    if (seen.count == most_squares || area < least_square * least_square) return;
    squares[seen.count].width = cairo_image_surface_get_width(picture);
    squares[seen.count].height = cairo_image_surface_get_height(picture);
    seen.count += 1;
}

// Under this key a pattern has the transform of the time when it became a source: what a mask shows of it lies by that.
static const cairo_user_data_key_t transform_key;
// Under this key a pattern that was padded has something.
static const cairo_user_data_key_t padding_key;

// Pixman goes from a repeated gradient's last colour to its first one little by little, where these have no stops at the ends.
static void give_ends(cairo_pattern_t *source) {
    double offset, red, green, blue, alpha;
    int count = 0;
    if (cairo_pattern_get_extend(source) != CAIRO_EXTEND_REPEAT) return;
    if (cairo_pattern_get_color_stop_count(source, &count) != CAIRO_STATUS_SUCCESS || count == 0) return;
    cairo_pattern_get_color_stop_rgba(source, 0, &offset, &red, &green, &blue, &alpha);
    if (offset > 0) cairo_pattern_add_color_stop_rgba(source, 0, red, green, blue, alpha), count += 1;
    cairo_pattern_get_color_stop_rgba(source, count - 1, &offset, &red, &green, &blue, &alpha);
    if (offset < 1) cairo_pattern_add_color_stop_rgba(source, 1, red, green, blue, alpha);
}

// librsvg pads pictures: pixels at their edges continue beyond them, where it clips them. An SVG can't say that. Cairo 1.18
// writes other pixels in their place, sixteen times as many a side and more, composed by filters that Firefox does not draw.
// What is drawn as pixels is padded as ever: without it, edges fade.
__attribute__((visibility("default"))) void cairo_set_source(cairo_t *context, cairo_pattern_t *source) {
    void (*next)(cairo_t *, cairo_pattern_t *) = dlsym(RTLD_NEXT, "cairo_set_source");
    bool is_vectors = draws_vectors(context);
    give_ends(source);
    if (is_vectors && writes_svg) {
        cairo_pattern_type_t type = cairo_pattern_get_type(source);
        bool is_padded = type == CAIRO_PATTERN_TYPE_SURFACE && cairo_pattern_get_extend(source) == CAIRO_EXTEND_PAD;
        if (is_padded) cairo_pattern_set_extend(source, CAIRO_EXTEND_NONE);
        // What a mask shows of it is drawn as pixels, and padded.
        if (is_padded) cairo_pattern_set_user_data(source, &padding_key, source, NULL);
        if (type == CAIRO_PATTERN_TYPE_SURFACE) note_squares(context, source);
        if (type == CAIRO_PATTERN_TYPE_MESH) seen.has_pixels_in_place = true;
        cairo_matrix_t *transform = malloc(sizeof *transform);
        cairo_get_matrix(context, transform);
        cairo_pattern_set_user_data(source, &transform_key, transform, free);
    }
    cairo_pattern_t *other = is_vectors && !writes_svg ? repeated(context, source) : NULL;
    next(context, other ? other : source);
    cairo_pattern_destroy(other);
}

// Cairo draws what SVG 1.1 can't blend as pixels.
__attribute__((visibility("default"))) void cairo_set_operator(cairo_t *context, cairo_operator_t value) {
    void (*next)(cairo_t *, cairo_operator_t) = dlsym(RTLD_NEXT, "cairo_set_operator");
    if (writes_svg && value > CAIRO_OPERATOR_ADD && draws_vectors(context)) seen.has_pixels_in_place = true;
    next(context, value);
}

// A rectangle in the units of a surface.
struct box {
    double left, top, right, bottom;
};

static const struct box nowhere = {INFINITY, INFINITY, -INFINITY, -INFINITY};

static void extend(struct box *box, double x, double y) {
    box->left = fmin(box->left, x), box->top = fmin(box->top, y);
    box->right = fmax(box->right, x), box->bottom = fmax(box->bottom, y);
}

// The largest picture of what can't be vectors.
static const double most_pixels = 1 << 26;

// Draws something by its source as a picture, and that where the clip shows it.
static void draw_pixels(cairo_t *context, struct box box, void (*draw)(cairo_t *, const void *), const void *what) {
    double left, top, right, bottom;
    cairo_save(context);
    cairo_identity_matrix(context);
    cairo_clip_extents(context, &left, &top, &right, &bottom);
    cairo_restore(context);
    left = fmax(left, box.left), top = fmax(top, box.top);
    right = fmin(right, box.right), bottom = fmin(bottom, box.bottom);
    if (!(right > left) || !(bottom > top)) return;
    double scale = fmin(density, sqrt(most_pixels / ((right - left) * (bottom - top))));
    // Cairo's longest side.
    scale = fmin(scale, 32766 / fmax(right - left, bottom - top));
    double columns = ceil((right - left) * scale), rows = ceil((bottom - top) * scale);
    cairo_matrix_t place, now, then, here;
    cairo_matrix_init_scale(&place, columns / (right - left), rows / (bottom - top));
    cairo_matrix_translate(&place, -left, -top);
    cairo_pattern_t *source = cairo_get_source(context);
    cairo_get_matrix(context, &now);
    const cairo_matrix_t *known = cairo_pattern_get_user_data(source, &transform_key);
    then = known ? *known : now;
    cairo_surface_t *picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows);
    cairo_t *drawing = cairo_create(picture);
    cairo_matrix_multiply(&here, &then, &place);
    cairo_set_matrix(drawing, &here);
    bool is_padded = cairo_pattern_get_user_data(source, &padding_key) != NULL;
    if (is_padded) cairo_pattern_set_extend(source, CAIRO_EXTEND_PAD);
    cairo_set_source(drawing, source);
    cairo_matrix_multiply(&here, &now, &place);
    cairo_set_matrix(drawing, &here);
    draw(drawing, what);
    if (is_padded) cairo_pattern_set_extend(source, CAIRO_EXTEND_NONE);
    cairo_destroy(drawing);
    cairo_matrix_invert(&place);
    cairo_save(context);
    cairo_set_matrix(context, &place);
    cairo_set_source_surface(context, picture, 0, 0);
    cairo_paint(context);
    cairo_restore(context);
    cairo_surface_destroy(picture);
}

static void draw_mask(cairo_t *context, const void *mask) {
    void (*next)(cairo_t *, cairo_pattern_t *) = dlsym(RTLD_NEXT, "cairo_mask");
    next(context, (cairo_pattern_t *)mask);
}

// Whether a glyph is being measured, and whether it has a mask: then it consists of pixels.
static bool measures_glyph = false, has_mask = false;

// Cairo 1.16 writes masks into SVGs without their transforms. So what a mask shows is drawn as a picture.
__attribute__((visibility("default"))) void cairo_mask(cairo_t *context, cairo_pattern_t *mask) {
    cairo_surface_t *shape = NULL, *shown = NULL;
    cairo_matrix_t places;
    has_mask = true;
    cairo_pattern_get_surface(mask, &shape);
    cairo_pattern_get_matrix(mask, &places);
    if (!writes_svg || measures_glyph || !draws_vectors(context) || !shape ||
        cairo_matrix_invert(&places) != CAIRO_STATUS_SUCCESS) {
        draw_mask(context, mask);
        return;
    }
    struct box box = nowhere;
    bool is_picture = cairo_surface_get_type(shape) == CAIRO_SURFACE_TYPE_IMAGE;
    if (!is_picture) box = (struct box){-INFINITY, -INFINITY, INFINITY, INFINITY};
    for (int corner = 0; is_picture && corner < 4; corner += 1) {
        double x = corner & 1 ? cairo_image_surface_get_width(shape) : 0;
        double y = corner & 2 ? cairo_image_surface_get_height(shape) : 0;
        cairo_matrix_transform_point(&places, &x, &y);
        cairo_user_to_device(context, &x, &y);
        extend(&box, x, y);
    }
    // Pictures and stencils are pixels anyway.
    cairo_pattern_get_surface(cairo_get_source(context), &shown);
    if (shown && cairo_surface_get_type(shown) != CAIRO_SURFACE_TYPE_IMAGE) seen.has_pixels_in_place = true;
    draw_pixels(context, box, draw_mask, mask);
}

struct text {
    cairo_scaled_font_t *font;
    const cairo_glyph_t *glyphs;
    int count;
};

static void draw_text(cairo_t *context, const void *what) {
    const struct text *text = what;
    void (*next)(cairo_t *, const cairo_glyph_t *, int) = dlsym(RTLD_NEXT, "cairo_show_glyphs");
    cairo_matrix_t matrix;
    cairo_scaled_font_get_font_matrix(text->font, &matrix);
    cairo_set_font_face(context, cairo_scaled_font_get_font_face(text->font));
    cairo_set_font_matrix(context, &matrix);
    next(context, text->glyphs, text->count);
}

// Glyphs that consist of pixels, as old TeX has them, would be a rectangle for each of the surface's units.
__attribute__((visibility("default"))) void cairo_show_glyphs(cairo_t *context, const cairo_glyph_t *glyphs, int count) {
    void (*next)(cairo_t *, const cairo_glyph_t *, int) = dlsym(RTLD_NEXT, "cairo_show_glyphs");
    cairo_scaled_font_t *font = cairo_get_scaled_font(context);
    struct text text = {font, glyphs, count};
    struct box box = nowhere;
    // Cairo draws each glyph once and keeps it, so what was measured before is known by the font.
    static const cairo_user_data_key_t of_pixels;
    cairo_font_face_t *face = cairo_scaled_font_get_font_face(font);
    if (!writes_svg || !draws_vectors(context) || cairo_font_face_get_type(face) != CAIRO_FONT_TYPE_USER) {
        next(context, glyphs, count);
        return;
    }
    has_mask = cairo_font_face_get_user_data(face, &of_pixels) != NULL;
    for (int index = 0; index < count; index += 1) {
        cairo_text_extents_t extents;
        measures_glyph = true;
        cairo_glyph_extents(context, &glyphs[index], 1, &extents);
        measures_glyph = false;
        for (int corner = 0; corner < 4; corner += 1) {
            double x = glyphs[index].x + extents.x_bearing + (corner & 1 ? extents.width : 0);
            double y = glyphs[index].y + extents.y_bearing + (corner & 2 ? extents.height : 0);
            cairo_user_to_device(context, &x, &y);
            extend(&box, x, y);
        }
    }
    if (has_mask) {
        cairo_font_face_set_user_data(face, &of_pixels, face, NULL);
        draw_pixels(context, box, draw_text, &text);
    } else {
        next(context, glyphs, count);
    }
}

__attribute__((visibility("default"))) void cairo_set_source_surface(cairo_t *context, cairo_surface_t *surface, double x, double y) {
    cairo_pattern_t *source = pattern_at(surface, x, y);
    cairo_set_source(context, source);
    cairo_pattern_destroy(source);
}

__attribute__((visibility("default"))) void cairo_pop_group_to_source(cairo_t *context) {
    cairo_pattern_t *source = cairo_pop_group(context);
    cairo_set_source(context, source);
    cairo_pattern_destroy(source);
}

__attribute__((visibility("default"))) void cairo_mask_surface(cairo_t *context, cairo_surface_t *surface, double x, double y) {
    cairo_pattern_t *mask = pattern_at(surface, x, y);
    cairo_mask(context, mask);
    cairo_pattern_destroy(mask);
}

static struct overrides_size lost = {0, 0};

struct overrides_size overrides_lost_picture(void) {
    struct overrides_size result = lost;
    lost = (struct overrides_size){0, 0};
    return result;
}

__attribute__((visibility("default"))) cairo_surface_t *cairo_image_surface_create(cairo_format_t format, int width, int height) {
    cairo_surface_t *(*next)(cairo_format_t, int, int) = dlsym(RTLD_NEXT, "cairo_image_surface_create");
    if ((width > 32767 || height > 32767) && lost.width == 0) lost = (struct overrides_size){width, height};
    return next(format, width, height);
}

static bool skips_link = false;

// A PDF keeps links to pages of the web and addresses of mail, and none that runs or opens something.
__attribute__((visibility("default"))) void cairo_tag_begin(cairo_t *context, const char *name, const char *attributes) {
    void (*next)(cairo_t *, const char *, const char *) = dlsym(RTLD_NEXT, "cairo_tag_begin");
    static const char *const allowed[] = {"uri='http:", "uri='https:", "uri='mailto:"};
    bool is_link = name && attributes && !strcmp(name, CAIRO_TAG_LINK) && strstr(attributes, "uri=");
    skips_link = is_link && strchr(attributes, ':');
    for (size_t index = 0; index < sizeof allowed / sizeof *allowed; index += 1) {
        if (is_link && !strncasecmp(attributes, allowed[index], strlen(allowed[index]))) skips_link = false;
    }
    if (!skips_link) next(context, name, attributes);
}

__attribute__((visibility("default"))) void cairo_tag_end(cairo_t *context, const char *name) {
    void (*next)(cairo_t *, const char *) = dlsym(RTLD_NEXT, "cairo_tag_end");
    bool is_skipped = skips_link && name && !strcmp(name, CAIRO_TAG_LINK);
    skips_link = false;
    if (!is_skipped) next(context, name);
}

static char damage[JMSG_LENGTH_MAX];

// What libjpeg says where a part of a picture is missing; other warnings are about bytes that do no harm.
static void keep_damage(j_common_ptr decoder) {
    int code = decoder->err->msg_code;
    bool is_damage = code == JWRN_HIT_MARKER || code == JWRN_JPEG_EOF || code == JWRN_HUFF_BAD_CODE || code == JWRN_MUST_RESYNC;
    if (is_damage && damage[0] == 0) decoder->err->format_message(decoder, damage);
}

const char *overrides_damaged_jpeg(void) {
    static char result[JMSG_LENGTH_MAX];
    snprintf(result, sizeof result, "%s", damage);
    damage[0] = 0;
    return result;
}

__attribute__((visibility("default"))) struct jpeg_error_mgr *jpeg_std_error(struct jpeg_error_mgr *errors) {
    struct jpeg_error_mgr *(*next)(struct jpeg_error_mgr *) = dlsym(RTLD_NEXT, "jpeg_std_error");
    next(errors);
    errors->output_message = keep_damage;
    return errors;
}
