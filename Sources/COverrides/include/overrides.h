// Linked into a program, this replaces functions of the libraries that the program links.
#ifndef OVERRIDES_H
#define OVERRIDES_H
#include <stdbool.h>

struct overrides_size {
    int width, height;
};

struct overrides_seen {
    // Whether something became pixels that was none.
    bool has_pixels_in_place;
    // The sizes of pictures whose pixels are squares.
    int count;
    struct overrides_size *squares;
};

// The size of the first picture since the last call that cairo can't hold, as a side has more than 32,767 pixels; 0 for none.
// Libraries leave such a picture out and say nothing.
struct overrides_size overrides_lost_picture(void);

// What libjpeg said of the first picture since the last call of which a part is missing; empty for none. Poppler does not say it.
const char *overrides_damaged_jpeg(void);

// What is drawn from now on becomes an SVG, in which what can't be vectors has so many pixels a unit of the surface, and pixels
// that are squares have at least so many units a side; `pixels` is 0 where it becomes another file.
void overrides_write_svg(double pixels, double square);
// What was drawn since then.
struct overrides_seen overrides_seen(void);
#endif
