// Linked into a program, this replaces functions of the libraries that the program links.
#ifndef OVERRIDES_H
#define OVERRIDES_H
#include <stdbool.h>

// Whether pictures may be padded; they may at first.
void overrides_set_pads(bool value);
#endif
