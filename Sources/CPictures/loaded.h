// What the readers share.
#include "cpictures.h"

#include <dlfcn.h>
#include <stdio.h>

// A library, loaded when the first picture needs it: no start waits for it, and other documents are drawn without it. Null where it
// is missing; the picture says so.
static inline void *loaded(cpicture *picture, const char *file, const char *package) {
    void *library = dlopen(file, RTLD_NOW);
    picture->is_library_missing = !library;
    if (!library) {
        snprintf(picture->reason, sizeof picture->reason, "it needs %s, which is missing here; install it (Debian: apt-get install %s)",
                 file, package);
    }
    return library;
}

// A variable with the name of a library's function, which then calls that.
#define LOAD(library, name) __typeof__(name) *name = dlsym(library, #name)

// A sample that was multiplied by its alpha, as it was before.
static inline uint32_t straight(uint32_t value, uint32_t alpha, uint32_t most) {
    uint64_t full = alpha ? ((uint64_t)value * most + alpha / 2) / alpha : 0;
    return full > most ? most : (uint32_t)full;
}
