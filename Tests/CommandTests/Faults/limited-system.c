// Stands in front of the system's library (LD_PRELOAD) and leaves a process without what others have:
//
//     LOUPE_THREADS=2       there can be two threads beside the first at a time, and no more
//     LOUPE_NO_PROC=1       there is no /proc
//
// It also ends a process by SIGABRT that changes its environment while it has threads: another thread may read it.
//
// RLIMIT_NPROC and mount namespaces would do the same, but not for every user.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define REAL(name) ((typeof(&name))dlsym(RTLD_NEXT, #name))

static atomic_int running;

struct work {
    void *(*start)(void *);
    void *argument;
};

static void *run(void *pointer) {
    struct work work = *(struct work *)pointer;
    free(pointer);
    void *result = work.start(work.argument);
    atomic_fetch_sub(&running, 1);
    return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *), void *argument) {
    const char *most = getenv("LOUPE_THREADS");
    struct work *work = malloc(sizeof *work);
    *work = (struct work){start, argument};
    if (most && atomic_fetch_add(&running, 1) >= atoi(most)) {
        atomic_fetch_sub(&running, 1);
        free(work);
        return EAGAIN;
    }
    return REAL(pthread_create)(thread, attributes, run, work);
}

#define SETS(name, parameters, ...)                                                                                   \
    int name parameters {                                                                                             \
        if (atomic_load(&running)) abort();                                                                           \
        return REAL(name)(__VA_ARGS__);                                                                               \
    }
SETS(setenv, (const char *name, const char *value, int replaces), name, value, replaces)
SETS(unsetenv, (const char *name), name)
SETS(putenv, (char *entry), entry)

static int is_hidden(const char *path) {
    if (!path || strncmp(path, "/proc", 5) || (path[5] && path[5] != '/') || !getenv("LOUPE_NO_PROC")) return 0;
    errno = ENOENT;
    return 1;
}

static mode_t mode_of(int flags, va_list rest) {
    return flags & (O_CREAT | O_TMPFILE) ? va_arg(rest, mode_t) : 0;
}

#define OPENS(name)                                                                                                   \
    int name(const char *path, int flags, ...) {                                                                      \
        va_list rest;                                                                                                 \
        va_start(rest, flags);                                                                                        \
        mode_t mode = mode_of(flags, rest);                                                                           \
        va_end(rest);                                                                                                 \
        return is_hidden(path) ? -1 : REAL(name)(path, flags, mode);                                                  \
    }
OPENS(open)
OPENS(open64)

#define OPENS_AT(name)                                                                                                \
    int name(int folder, const char *path, int flags, ...) {                                                          \
        va_list rest;                                                                                                 \
        va_start(rest, flags);                                                                                        \
        mode_t mode = mode_of(flags, rest);                                                                           \
        va_end(rest);                                                                                                 \
        return is_hidden(path) ? -1 : REAL(name)(folder, path, flags, mode);                                          \
    }
OPENS_AT(openat)
OPENS_AT(openat64)

FILE *fopen(const char *path, const char *mode) { return is_hidden(path) ? NULL : REAL(fopen)(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return is_hidden(path) ? NULL : REAL(fopen64)(path, mode); }
DIR *opendir(const char *path) { return is_hidden(path) ? NULL : REAL(opendir)(path); }
int access(const char *path, int mode) { return is_hidden(path) ? -1 : REAL(access)(path, mode); }
int stat(const char *path, struct stat *status) { return is_hidden(path) ? -1 : REAL(stat)(path, status); }
int lstat(const char *path, struct stat *status) { return is_hidden(path) ? -1 : REAL(lstat)(path, status); }
char *realpath(const char *path, char *into) { return is_hidden(path) ? NULL : REAL(realpath)(path, into); }

ssize_t readlink(const char *path, char *into, size_t count) {
    return is_hidden(path) ? -1 : REAL(readlink)(path, into, count);
}

int linkat(int from, const char *path, int to, const char *name, int flags) {
    return is_hidden(path) || is_hidden(name) ? -1 : REAL(linkat)(from, path, to, name, flags);
}

int execve(const char *path, char *const arguments[], char *const variables[]) {
    return is_hidden(path) ? -1 : REAL(execve)(path, arguments, variables);
}
