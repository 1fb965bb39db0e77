// The functions of EGL that are called, under their own names.

import CEGL

let eglBindAPI: PFNEGLBINDAPIPROC = DriverLibrary.function("eglBindAPI")
let eglChooseConfig: PFNEGLCHOOSECONFIGPROC = DriverLibrary.function("eglChooseConfig")
let eglCreateContext: PFNEGLCREATECONTEXTPROC = DriverLibrary.function("eglCreateContext")
let eglCreatePbufferSurface: PFNEGLCREATEPBUFFERSURFACEPROC = DriverLibrary.function("eglCreatePbufferSurface")
let eglDestroyContext: PFNEGLDESTROYCONTEXTPROC = DriverLibrary.function("eglDestroyContext")
let eglDestroySurface: PFNEGLDESTROYSURFACEPROC = DriverLibrary.function("eglDestroySurface")
let eglGetCurrentContext: PFNEGLGETCURRENTCONTEXTPROC = DriverLibrary.function("eglGetCurrentContext")
let eglGetCurrentDisplay: PFNEGLGETCURRENTDISPLAYPROC = DriverLibrary.function("eglGetCurrentDisplay")
let eglGetCurrentSurface: PFNEGLGETCURRENTSURFACEPROC = DriverLibrary.function("eglGetCurrentSurface")
let eglGetDisplay: PFNEGLGETDISPLAYPROC = DriverLibrary.function("eglGetDisplay")
let eglGetError: PFNEGLGETERRORPROC = DriverLibrary.function("eglGetError")
let eglGetProcAddress: PFNEGLGETPROCADDRESSPROC = DriverLibrary.function("eglGetProcAddress")
let eglInitialize: PFNEGLINITIALIZEPROC = DriverLibrary.function("eglInitialize")
let eglMakeCurrent: PFNEGLMAKECURRENTPROC = DriverLibrary.function("eglMakeCurrent")
let eglQueryString: PFNEGLQUERYSTRINGPROC = DriverLibrary.function("eglQueryString")
let eglTerminate: PFNEGLTERMINATEPROC = DriverLibrary.function("eglTerminate")
