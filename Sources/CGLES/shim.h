#include <GLES3/gl32.h>
#define GL_GLEXT_PROTOTYPES 1
#include <GLES2/gl2ext.h>
