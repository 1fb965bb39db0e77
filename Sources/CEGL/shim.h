// Types and constants only. The functions are loaded when a device is opened; nothing is linked.
#define EGL_EGL_PROTOTYPES 0
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
