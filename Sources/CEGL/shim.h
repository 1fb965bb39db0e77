// Types and constants alone: the functions are looked up when a device is asked for and are never linked.
#define EGL_EGL_PROTOTYPES 0
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
