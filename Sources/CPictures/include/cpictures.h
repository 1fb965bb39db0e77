// Reads pictures by libtiff, giflib and libheif, and writes TIFFs, in memory.
#ifndef CPICTURES_H
#define CPICTURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const void *_Nullable bytes;
    size_t count;
    /// Which picture of a TIFF, from 1.
    int page;
    /// Pictures of a TIFF, frames of a GIF, HEIC or AVIF.
    int page_count;
    /// In pixels, as stored.
    int width, height;
    /// Bits of a channel: 8, or 16.
    int depth;
    /// The EXIF orientation, 1 to 8.
    int orientation;
    /// Pixels on a metre of paper; 0 where nothing says it.
    double density_x, density_y;
    /// How large a pixel is in the world, in metres; 0 where nothing says it.
    double pixel_size;
    /// Primaries and curve of the colours, as ITU-T H.273 numbers them; 0 where nothing says it.
    int primaries, curve;
    /// Whether the library made red, green and blue of CMYK or L*a*b*, without a profile.
    bool is_converted;
    /// The colour profile, a copy.
    size_t profile_count;
    void *_Nullable profile;
    /// Why it can't be read, with a closing zero.
    char reason[200];
    /// Whether it can't because a library is not installed.
    bool is_library_missing;
} cpicture;

/// Reads the header of a picture, and its pixels where `pixels` is not null: straight red, green, blue and alpha, of 8 bits or
/// of 16 in the machine's order, `room` bytes in all. `profile` is to be freed.
bool cpicture_read_tiff(cpicture *_Nonnull picture, void *_Nullable pixels, size_t room);

/// Reads the first frame of a GIF as `cpicture_read_tiff` reads a picture, onto its transparent canvas. Loads giflib.
bool cpicture_read_gif(cpicture *_Nonnull picture, void *_Nullable pixels, size_t room);

/// Reads the primary picture of a HEIC or AVIF as `cpicture_read_tiff` does, turned and cropped as it says. Loads libheif.
bool cpicture_read_heif(cpicture *_Nonnull picture, void *_Nullable pixels, size_t room);

/// Packs pixels by LZW: `channels` of `depth` bits, 3 or 4, the last one alpha, which is straight. The result is to be freed;
/// null where there is no memory.
void *_Nullable cpicture_write_tiff(
    const cpicture *_Nonnull picture, const void *_Nonnull pixels, int channels, const char *_Nullable description,
    size_t *_Nonnull count);

#endif
