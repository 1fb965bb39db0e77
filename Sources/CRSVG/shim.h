#include <librsvg/rsvg.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
