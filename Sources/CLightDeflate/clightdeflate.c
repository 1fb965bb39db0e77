#include <zlib.h>

#include "clightdeflate.h"

// Cairo packs what it writes at zlib's level 6, and can't be told otherwise. A PDF is packed once more at the end, so the first
// time may be quick: level 1 takes a tenth of the time. A program's function comes before a library's of the same name.
__attribute__((visibility("default"))) int deflateInit_(z_streamp stream, int level, const char *version, int size) {
    (void)level;
    return deflateInit2_(stream, Z_BEST_SPEED, Z_DEFLATED, MAX_WBITS, 8, Z_DEFAULT_STRATEGY, version, size);
}
