#define EGL_EGLEXT_PROTOTYPES 1
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
