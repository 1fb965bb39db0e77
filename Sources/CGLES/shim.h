// Types and constants only. The functions are loaded when a device is opened; nothing is linked.
#define GL_GLES_PROTOTYPES 0
#include <GLES3/gl32.h>
#include <GLES2/gl2ext.h>
