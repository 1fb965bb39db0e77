// Nothing to call: linked into a program, this makes the libraries of the program pack lightly.
#ifndef CLIGHTDEFLATE_H
#define CLIGHTDEFLATE_H
#endif
