// Types and constants alone: the functions are looked up when a device is asked for and are never linked.
#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
