// C's mathematics alone, so that the pure modules need no other part of a system's library.
#include <math.h>
