// Reads pictures by OpenEXR's own library (OpenEXRCore), from memory.
#ifndef CEXR_H
#define CEXR_H

#include <stdbool.h>
#include <stddef.h>

typedef struct {
    const void *_Nullable bytes;
    size_t count;
    /// The size of the data window, in pixels, from the header.
    int width, height;
    /// Why it can't be read, with a closing zero.
    char reason[200];
} cexr_picture;

/// Reads the header of the first part, and the pixels where `pixels` is not null: red, green and blue of each, rows from the
/// top, `room` numbers in all. Y alone is grey; alpha and other channels are left out.
bool cexr_read(cexr_picture *_Nonnull picture, float *_Nullable pixels, size_t room);

#endif
