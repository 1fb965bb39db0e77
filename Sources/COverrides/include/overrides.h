// Linked into a program, this replaces functions of the libraries that the program links.
#ifndef OVERRIDES_H
#define OVERRIDES_H
#include <stdbool.h>

// Sets whether pictures of vectors may be padded. The default is true.
void overrides_set_pads(bool value);
#endif
