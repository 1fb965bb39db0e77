// Stands in front of the driver's libraries (LD_PRELOAD) and lets one call fail, as a test asks for:
//
//     LOUPE_FAULT=compile:2       the third shader does not compile, and no later one
//     LOUPE_FAULT=lost:0-0        the first look at the device finds it reset, the next do not
//
// The name is one of those below; after it stands how many such calls go well before, and after a hyphen the last that fails.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EGL_EGL_PROTOTYPES 0
#define GL_GLES_PROTOTYPES 0
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GLES3/gl32.h>

#define REAL(type, name) ((type)dlsym(RTLD_NEXT, #name))

// Whether this call of the fault's kind is one that fails.
static int fails(const char *name) {
    static long calls = 0;
    const char *fault = getenv("LOUPE_FAULT");
    size_t length = strlen(name);
    if (!fault || strncmp(fault, name, length) || fault[length] != ':') return 0;
    char *end = NULL;
    long first = strtol(fault + length + 1, &end, 10);
    long last = *end == '-' ? strtol(end + 1, NULL, 10) : 1L << 30;
    long call = calls++;
    return call >= first && call <= last;
}

// What glGetError and eglGetError say next.
static GLenum pending = 0;
static EGLint pending_egl = EGL_SUCCESS;

GLenum glGetError(void) {
    GLenum code = pending;
    pending = 0;
    GLenum real = REAL(GLenum(*)(void), glGetError)();
    return code ? code : real;
}

EGLint eglGetError(void) {
    EGLint code = pending_egl;
    pending_egl = EGL_SUCCESS;
    EGLint real = REAL(EGLint(*)(void), eglGetError)();
    return code != EGL_SUCCESS ? code : real;
}

EGLBoolean eglInitialize(EGLDisplay display, EGLint *major, EGLint *minor) {
    if (fails("initialize")) {
        pending_egl = EGL_NOT_INITIALIZED;
        return EGL_FALSE;
    }
    return REAL(PFNEGLINITIALIZEPROC, eglInitialize)(display, major, minor);
}

EGLContext eglCreateContext(EGLDisplay display, EGLConfig config, EGLContext shared, const EGLint *attributes) {
    if (fails("context")) {
        pending_egl = EGL_BAD_ALLOC;
        return EGL_NO_CONTEXT;
    }
    return REAL(PFNEGLCREATECONTEXTPROC, eglCreateContext)(display, config, shared, attributes);
}

EGLBoolean eglMakeCurrent(EGLDisplay display, EGLSurface draw, EGLSurface read, EGLContext context) {
    if (context != EGL_NO_CONTEXT && fails("current")) {
        pending_egl = EGL_CONTEXT_LOST;
        return EGL_FALSE;
    }
    // Each context has an error of its own.
    pending = 0;
    return REAL(PFNEGLMAKECURRENTPROC, eglMakeCurrent)(display, draw, read, context);
}

static void give(const char *text, GLsizei size, GLsizei *length, GLchar *log) {
    if (size > 0) snprintf(log, (size_t)size, "%s", text);
    if (length) *length = (GLsizei)strlen(text);
}

static int compile_failed = 0, link_failed = 0;

void glCompileShader(GLuint shader) {
    compile_failed = fails("compile");
    REAL(PFNGLCOMPILESHADERPROC, glCompileShader)(shader);
}

void glGetShaderiv(GLuint shader, GLenum name, GLint *value) {
    REAL(PFNGLGETSHADERIVPROC, glGetShaderiv)(shader, name, value);
    if (name == GL_COMPILE_STATUS && compile_failed) *value = 0;
}

void glGetShaderInfoLog(GLuint shader, GLsizei size, GLsizei *length, GLchar *log) {
    if (compile_failed) return give("0:7: a made-up mistake\n0:9: another\n", size, length, log);
    REAL(PFNGLGETSHADERINFOLOGPROC, glGetShaderInfoLog)(shader, size, length, log);
}

void glLinkProgram(GLuint program) {
    link_failed = fails("link");
    REAL(PFNGLLINKPROGRAMPROC, glLinkProgram)(program);
}

void glGetProgramiv(GLuint program, GLenum name, GLint *value) {
    REAL(PFNGLGETPROGRAMIVPROC, glGetProgramiv)(program, name, value);
    if (name == GL_LINK_STATUS && link_failed) *value = 0;
}

void glGetProgramInfoLog(GLuint program, GLsizei size, GLsizei *length, GLchar *log) {
    if (link_failed) return give("", size, length, log);
    REAL(PFNGLGETPROGRAMINFOLOGPROC, glGetProgramInfoLog)(program, size, length, log);
}

GLenum glCheckFramebufferStatus(GLenum target) {
    if (fails("framebuffer")) return GL_FRAMEBUFFER_UNSUPPORTED;
    return REAL(PFNGLCHECKFRAMEBUFFERSTATUSPROC, glCheckFramebufferStatus)(target);
}

void glTexStorage2D(GLenum target, GLsizei levels, GLenum format, GLsizei width, GLsizei height) {
    if (fails("texture")) {
        pending = GL_OUT_OF_MEMORY;
        return;
    }
    REAL(PFNGLTEXSTORAGE2DPROC, glTexStorage2D)(target, levels, format, width, height);
}

void glTexSubImage2D(
    GLenum target, GLint level, GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type,
    const void *pixels
) {
    if (fails("upload")) {
        pending = GL_OUT_OF_MEMORY;
        return;
    }
    REAL(PFNGLTEXSUBIMAGE2DPROC, glTexSubImage2D)(target, level, x, y, width, height, format, type, pixels);
}

void glReadPixels(GLint x, GLint y, GLsizei width, GLsizei height, GLenum format, GLenum type, void *pixels) {
    if (fails("read")) {
        pending = GL_INVALID_OPERATION;
        return;
    }
    if (fails("read-lost")) {
        pending = GL_CONTEXT_LOST;
        return;
    }
    REAL(PFNGLREADPIXELSPROC, glReadPixels)(x, y, width, height, format, type, pixels);
}

// A device that was reset says so, and nothing that it drew counts.
static GLenum reset_status(void) { return fails("lost") ? GL_GUILTY_CONTEXT_RESET : GL_NO_ERROR; }

__eglMustCastToProperFunctionPointerType eglGetProcAddress(const char *name) {
    if (!strncmp(name, "glGetGraphicsResetStatus", 24)) return (__eglMustCastToProperFunctionPointerType)reset_status;
    return REAL(PFNEGLGETPROCADDRESSPROC, eglGetProcAddress)(name);
}

// A device that the command can lose, so that it keeps what it would have to load again.
const GLubyte *glGetString(GLenum name) {
    if (name == GL_RENDERER && getenv("LOUPE_FAULT")) return (const GLubyte *)"zink on a made-up GPU";
    return REAL(PFNGLGETSTRINGPROC, glGetString)(name);
}
