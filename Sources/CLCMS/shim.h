#include <lcms2.h>

// Swift does not import these macros, which are expressions.
enum { clcms_type_rgba_8 = TYPE_RGBA_8, clcms_type_rgba_16 = TYPE_RGBA_16 };
enum { clcms_type_graya_8 = TYPE_GRAYA_8, clcms_type_graya_16 = TYPE_GRAYA_16 };
