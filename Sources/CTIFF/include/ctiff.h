// Reads and writes pictures by libtiff, in memory.
#ifndef CTIFF_H
#define CTIFF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const void *_Nullable bytes;
    size_t count;
    /// Which picture of the file, from 1.
    int page;
    int page_count;
    /// In pixels, as stored.
    int width, height;
    /// Bits of a channel: 8, or 16.
    int depth;
    /// The EXIF orientation, 1 to 8.
    int orientation;
    /// Pixels on a metre of paper; 0 where nothing says it.
    double density_x, density_y;
    /// The colour profile, a copy.
    size_t profile_count;
    void *_Nullable profile;
    /// Why it can't be read, with a closing zero.
    char reason[200];
} ctiff_picture;

/// Reads the header of a picture, and its pixels where `pixels` is not null: straight red, green, blue and alpha, of 8 bits or
/// of 16 in the machine's order, `room` bytes in all. `profile` is to be freed.
bool ctiff_read(ctiff_picture *_Nonnull picture, void *_Nullable pixels, size_t room);

/// Packs pixels by LZW: `channels` of `depth` bits, 3 or 4, the last one alpha, which is straight. The result is to be freed;
/// null where there is no memory.
void *_Nullable ctiff_write(
    const ctiff_picture *_Nonnull picture, const void *_Nonnull pixels, int channels, const char *_Nullable description,
    size_t *_Nonnull count);

#endif
