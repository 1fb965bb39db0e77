#include <lcms2.h>

// Swift does not import these macros, which are expressions.
enum { clcms_type_rgba_8 = TYPE_RGBA_8, clcms_type_rgba_16 = TYPE_RGBA_16 };
// Ink from 0 to 255, and as Adobe writes it: 255 is none.
enum { clcms_type_cmyk_8 = TYPE_CMYK_8, clcms_type_inverse_cmyk_8 = TYPE_CMYK_8_REV };
enum { clcms_type_graya_8 = TYPE_GRAYA_8, clcms_type_graya_16 = TYPE_GRAYA_16 };
