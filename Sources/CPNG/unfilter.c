// The row filters of PNGs (PNG specification, section 9). This is C for its vectors and for functions that are compiled once for
// each kind of pixel. A pixel is four samples of 8 or 16 bits: eight bytes at most, each in a lane of 16 bits.
#include "cpng.h"

#include <string.h>

typedef int16_t lanes __attribute__((vector_size(16)));
typedef uint8_t bytes __attribute__((vector_size(8)));

#define INLINE static inline __attribute__((always_inline))

// The bytes of a stored pixel as those of four samples, the first in the lowest byte; up to eight bytes may be read.
INLINE uint64_t widened(const uint8_t *from, int channels, int depth) {
    if (depth == 8) {
        uint32_t word;
        if (channels == 1) return from[0] * 0x010101u;
        if (channels == 2) return from[0] * 0x010101u | (uint32_t)from[1] << 24;
        memcpy(&word, from, 4);
        return word;
    }
    uint64_t word;
    memcpy(&word, from, 8);
    if (channels == 1) return (word & 0xffff) * 0x000100010001;
    if (channels == 2) return (word & 0xffff) * 0x000100010001 | (word & 0xffff0000) << 32;
    return word;
}

INLINE lanes lanes_of(uint64_t word) {
    bytes part;
    memcpy(&part, &word, 8);
    return __builtin_convertvector(part, lanes);
}

INLINE lanes loaded(const uint8_t *from, int depth) {
    uint64_t word = 0;
    memcpy(&word, from, depth / 2);
    return lanes_of(word);
}

// Without alpha, a pixel is opaque.
INLINE void store(uint8_t *into, lanes pixel, int channels, int depth) {
    bytes part = __builtin_convertvector(pixel, bytes);
    uint64_t word;
    memcpy(&word, &part, 8);
    if (channels % 2 == 1) word |= depth == 8 ? 0xff000000 : 0xffff000000000000;
    memcpy(into, &word, depth / 2);
}

INLINE lanes either(lanes mask, lanes one, lanes other) { return (mask & one) | (~mask & other); }

// Adds to the difference the nearest of left, up and up-left to left + up - up-left. With t = 3 up-left - left - up that is the lesser of
// left and up where t is at least the greater, the greater where t is at most the lesser, and up-left in between: the same choice,
// ties included, without distances.
INLINE lanes paeth(lanes left, lanes up, lanes up_left, lanes difference) {
    lanes t = up_left * 3 - left - up, is_less = up < left;
    lanes lesser = either(is_less, up, left), greater = either(is_less, left, up);
    lanes nearest = either(t <= lesser, greater, either(greater <= t, lesser, up_left));
    return (nearest + difference) & 0xff;
}

// Computes each pixel of a row from its difference, the pixel to its left and the one above.
#define EACH(value)                                                                  \
    for (size_t x = 0; x < width; x++) {                                             \
        lanes difference = lanes_of(widened(row + x * size, channels, depth));       \
        lanes up = loaded(above + x * depth / 2, depth);                             \
        left = (value) & 0xff;                                                       \
        up_left = up;                                                                \
        store(pixels + x * depth / 2, left, channels, depth);                        \
    }

INLINE bool unfilter_row(
    int filter, const uint8_t *row, const uint8_t *above, uint8_t *pixels, size_t width, int channels, int depth) {
    size_t size = channels * depth / 8;
    lanes left = {0}, up_left = {0};
    switch (filter) {
    case 0: EACH(difference) return true;
    case 1: EACH(difference + left) return true;
    case 2: EACH(difference + up) return true;
    case 3: EACH(difference + ((left + up) >> 1)) return true;
    case 4: EACH(paeth(left, up, up_left, difference)) return true;
    default: return false;
    }
}

// Two rows of Paeth's filter, the second one pixel behind the first: each pixel depends on the one to its left, and that latency is
// hidden so.
INLINE void unfilter_two(
    const uint8_t *row, const uint8_t *next, const uint8_t *above, uint8_t *pixels, size_t width, int channels, int depth) {
    size_t size = channels * depth / 8, step = depth / 2;
    uint8_t *below = pixels + width * step;
    lanes left = {0}, up_left = {0}, next_left = {0}, next_up_left = {0};
    for (size_t x = 0; x < width; x++) {
        lanes up = loaded(above + x * step, depth);
        lanes pixel = paeth(left, up, up_left, lanes_of(widened(row + x * size, channels, depth)));
        store(pixels + x * step, pixel, channels, depth);
        if (x > 0) {
            next_left = paeth(next_left, left, next_up_left, lanes_of(widened(next + (x - 1) * size, channels, depth)));
            store(below + (x - 1) * step, next_left, channels, depth);
            next_up_left = left;
        }
        up_left = up;
        left = pixel;
    }
    next_left = paeth(next_left, left, next_up_left, lanes_of(widened(next + (width - 1) * size, channels, depth)));
    store(below + (width - 1) * step, next_left, channels, depth);
}

INLINE bool unfilter(
    const uint8_t *rows, size_t count, const uint8_t *above, uint8_t *pixels, size_t width, int channels, int depth) {
    size_t stride = width * channels * depth / 8 + 1, out = width * depth / 2;
    for (size_t y = 0; y < count; y++, rows += stride, pixels += out) {
        if (rows[0] == 4 && y + 1 < count && rows[stride] == 4) {
            unfilter_two(rows + 1, rows + stride + 1, above, pixels, width, channels, depth);
            y++, rows += stride, pixels += out;
        } else if (!unfilter_row(rows[0], rows + 1, above, pixels, width, channels, depth)) {
            return false;
        }
        above = pixels;
    }
    return true;
}

bool cpng_unfilter(
    const void *rows, size_t count, const void *above, void *pixels, size_t width, int channels, int depth) {
    switch (channels * 100 + depth) {
    case 108: return unfilter(rows, count, above, pixels, width, 1, 8);
    case 208: return unfilter(rows, count, above, pixels, width, 2, 8);
    case 308: return unfilter(rows, count, above, pixels, width, 3, 8);
    case 408: return unfilter(rows, count, above, pixels, width, 4, 8);
    case 116: return unfilter(rows, count, above, pixels, width, 1, 16);
    case 216: return unfilter(rows, count, above, pixels, width, 2, 16);
    case 316: return unfilter(rows, count, above, pixels, width, 3, 16);
    case 416: return unfilter(rows, count, above, pixels, width, 4, 16);
    default: return false;
    }
}
