// Without EGL_EGLEXT_PROTOTYPES: extension functions come from eglGetProcAddress and are never linked.
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
