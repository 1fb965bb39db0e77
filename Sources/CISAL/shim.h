#include <isa-l/igzip_lib.h>

// Swift does not import the macro, which is an expression.
enum { cisal_level3_buffer_size = ISAL_DEF_LVL3_DEFAULT };
