// Types and constants only. The functions are loaded when a device is opened; nothing is linked.
#define EGL_EGL_PROTOTYPES 0
#define EGL_NO_X11 1
#include <EGL/egl.h>
#include <EGL/eglext.h>
// GBM, through which EGL draws on a render node. Its header names no types for its functions.
#include <gbm.h>
typedef __typeof__(&gbm_create_device) PFNGBMCREATEDEVICEPROC;
typedef __typeof__(&gbm_device_destroy) PFNGBMDEVICEDESTROYPROC;
