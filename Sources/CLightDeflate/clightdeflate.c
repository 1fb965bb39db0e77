#include <zlib.h>

#include "clightdeflate.h"

// Cairo packs what it writes at zlib's level 6, which takes 0.45 s of a PDF of 20,000 markers, and can't be told otherwise.
// LoupePipeline's PDFStreams packs it once more, so the first time may be quick: level 1 takes 0.08 s. A program's function
// comes before a library's of the same name, where the linker exports it.
__attribute__((visibility("default"))) int deflateInit_(z_streamp stream, int level, const char *version, int size) {
    (void)level;
    return deflateInit2_(stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, 8, Z_DEFAULT_STRATEGY, version, size);
}
