#include <isa-l/igzip_lib.h>

// The macro is more arithmetic than Swift imports.
enum { cisal_level3_buffer_size = ISAL_DEF_LVL3_DEFAULT };
