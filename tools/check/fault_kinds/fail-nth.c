// Makes one call of the command fail, the n-th of its kind (LD_PRELOAD).
//
//     FAIL_CALL=write FAIL_AT=3 FAIL_ERRNO=28     the third write fails, with that errno
//     FAIL_CALL=write FAIL_AT=3 FAIL_ALWAYS=1     it and all later ones fail
//     FAIL_COUNT=/tmp/count                       each process adds a line to that file at its end: how many there were
//
// Only calls from what is loaded at the start count, so not those of a driver. The kinds are the names in `kinds`.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind {
    MEMORY, OPEN, READ, WRITE, RENAME, LINK, FSYNC, MMAP, FTRUNCATE, MKDIR, FCHMOD, FSTAT, STAT, CLOSE, PIPE, PROCESS, THREAD,
    KINDS
};
static const char *const kinds[KINDS] = {
    "memory", "open", "read", "write", "rename", "link", "fsync", "mmap", "ftruncate", "mkdir", "fchmod", "fstat", "stat",
    "close", "pipe", "process", "thread",
};

static int chosen = -1, code = EIO, always;
static long at = -1;
static _Atomic long count;
static const char *report;

// The code that was loaded at the start.
static struct { uintptr_t start, end; } ranges[256];
static int range_count;
static int ready;

static int note(struct dl_phdr_info *object, size_t size, void *unused) {
    for (int index = 0; index < object->dlpi_phnum && range_count < 256; index++) {
        const ElfW(Phdr) *part = &object->dlpi_phdr[index];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        ranges[range_count].start = object->dlpi_addr + part->p_vaddr;
        ranges[range_count++].end = object->dlpi_addr + part->p_vaddr + part->p_memsz;
    }
    return 0;
}

__attribute__((constructor)) static void prepare(void) {
    const char *name = getenv("FAIL_CALL"), *number = getenv("FAIL_AT"), *error = getenv("FAIL_ERRNO");
    dl_iterate_phdr(note, NULL);
    for (int kind = 0; name && kind < KINDS; kind++)
        if (strcmp(name, kinds[kind]) == 0) chosen = kind;
    if (number) at = atol(number);
    if (error) code = atoi(error);
    always = getenv("FAIL_ALWAYS") != NULL;
    report = getenv("FAIL_COUNT");
}

// Calls are counted from `main` on: what the loader and the language's runtime do before it is theirs.
static int (*real_main)(int, char **, char **);
static int counted_main(int count, char **arguments, char **environment) {
    ready = 1;
    return real_main(count, arguments, environment);
}

int __libc_start_main(
    int (*body)(int, char **, char **), int number, char **arguments, void (*begin)(void), void (*end)(void),
    void (*unload)(void), void *stack) {
    real_main = body;
    return ((__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main"))(
        counted_main, number, arguments, begin, end, unload, stack);
}

static void tell(void) {
    if (!ready || !report) return;
    char text[32];
    int length = snprintf(text, sizeof text, "%ld\n", atomic_load(&count));
    int file = syscall(SYS_openat, AT_FDCWD, report, O_WRONLY | O_CREAT | O_APPEND, 0666);
    syscall(SYS_write, file, text, length);
    syscall(SYS_close, file);
}

__attribute__((destructor)) static void finish(void) { tell(); }

_Noreturn void _exit(int status) {
    tell();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

// Whether this call fails.
static int fails(enum kind kind, void *caller) {
    if (!ready || (int)kind != chosen) return 0;
    int own = 0;
    for (int index = 0; index < range_count && !own; index++)
        own = (uintptr_t)caller >= ranges[index].start && (uintptr_t)caller < ranges[index].end;
    if (!own) return 0;
    long number = atomic_fetch_add(&count, 1) + 1;
    if (number != at && !(always && number > at)) return 0;
    if (at < 0) return 0;
    errno = kind == MEMORY ? ENOMEM : code;
    return 1;
}

#define FAILS(kind) fails(kind, __builtin_return_address(0))
#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

// dlsym may allocate, so memory is taken from the library's own names.
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

void *malloc(size_t size) { return FAILS(MEMORY) ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return FAILS(MEMORY) ? NULL : __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return FAILS(MEMORY) ? NULL : __libc_realloc(old, size); }
void *memalign(size_t to, size_t size) { return FAILS(MEMORY) ? NULL : __libc_memalign(to, size); }
void *aligned_alloc(size_t to, size_t size) { return FAILS(MEMORY) ? NULL : __libc_memalign(to, size); }
int posix_memalign(void **result, size_t to, size_t size) {
    if (FAILS(MEMORY)) return ENOMEM;
    void *memory = __libc_memalign(to, size);
    if (!memory) return ENOMEM;
    *result = memory;
    return 0;
}

#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    return FAILS(OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
    MODE(flags)
    return FAILS(OPEN) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags | O_LARGEFILE, mode);
}
int openat(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return FAILS(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags, mode);
}
int openat64(int folder, const char *path, int flags, ...) {
    MODE(flags)
    return FAILS(OPEN) ? -1 : (int)syscall(SYS_openat, folder, path, flags | O_LARGEFILE, mode);
}
FILE *fopen(const char *path, const char *mode) { return FAILS(OPEN) ? NULL : REAL(fopen)(path, mode); }
FILE *fopen64(const char *path, const char *mode) { return FAILS(OPEN) ? NULL : REAL(fopen64)(path, mode); }

ssize_t read(int file, void *bytes, size_t size) { return FAILS(READ) ? -1 : syscall(SYS_read, file, bytes, size); }
ssize_t pread(int file, void *bytes, size_t size, off_t start) {
    return FAILS(READ) ? -1 : syscall(SYS_pread64, file, bytes, size, start);
}
ssize_t pread64(int file, void *bytes, size_t size, off_t start) {
    return FAILS(READ) ? -1 : syscall(SYS_pread64, file, bytes, size, start);
}
ssize_t write(int file, const void *bytes, size_t size) {
    // The error's own sentence has to come through.
    return file != STDERR_FILENO && FAILS(WRITE) ? -1 : syscall(SYS_write, file, bytes, size);
}
ssize_t pwrite(int file, const void *bytes, size_t size, off_t start) {
    return FAILS(WRITE) ? -1 : syscall(SYS_pwrite64, file, bytes, size, start);
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off_t start) {
    return FAILS(WRITE) ? -1 : syscall(SYS_pwrite64, file, bytes, size, start);
}
ssize_t writev(int file, const struct iovec *parts, int number) {
    return FAILS(WRITE) ? -1 : syscall(SYS_writev, file, parts, number);
}
int rename(const char *from, const char *to) { return FAILS(RENAME) ? -1 : (int)syscall(SYS_rename, from, to); }
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
    return FAILS(RENAME) ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
    return FAILS(RENAME) ? -1 : (int)syscall(SYS_renameat2, from_folder, from, to_folder, to, flags);
}
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    return FAILS(LINK) ? -1 : (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}
int fsync(int file) { return FAILS(FSYNC) ? -1 : (int)syscall(SYS_fsync, file); }
int fdatasync(int file) { return FAILS(FSYNC) ? -1 : (int)syscall(SYS_fdatasync, file); }
void *mmap(void *place, size_t size, int access, int flags, int file, off_t start) {
    return FAILS(MMAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, place, size, access, flags, file, start);
}
void *mmap64(void *place, size_t size, int access, int flags, int file, off_t start) {
    return FAILS(MMAP) ? MAP_FAILED : (void *)syscall(SYS_mmap, place, size, access, flags, file, start);
}
int ftruncate(int file, off_t size) { return FAILS(FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int ftruncate64(int file, off_t size) { return FAILS(FTRUNCATE) ? -1 : (int)syscall(SYS_ftruncate, file, size); }
int mkdir(const char *path, mode_t mode) { return FAILS(MKDIR) ? -1 : (int)syscall(SYS_mkdir, path, mode); }
int fchmod(int file, mode_t mode) { return FAILS(FCHMOD) ? -1 : (int)syscall(SYS_fchmod, file, mode); }
int fstat(int file, struct stat *status) { return FAILS(FSTAT) ? -1 : REAL(fstat)(file, status); }
int fstat64(int file, struct stat64 *status) { return FAILS(FSTAT) ? -1 : REAL(fstat64)(file, status); }

int stat(const char *path, struct stat *status) { return FAILS(STAT) ? -1 : REAL(stat)(path, status); }
int lstat(const char *path, struct stat *status) { return FAILS(STAT) ? -1 : REAL(lstat)(path, status); }
int fstatat(int folder, const char *path, struct stat *status, int flags) {
    return FAILS(STAT) ? -1 : REAL(fstatat)(folder, path, status, flags);
}
DIR *opendir(const char *path) { return FAILS(OPEN) ? NULL : REAL(opendir)(path); }
DIR *fdopendir(int file) { return FAILS(OPEN) ? NULL : REAL(fdopendir)(file); }
// The descriptor is closed all the same, as Linux does it.
int close(int file) {
    int failed = FAILS(CLOSE), error = errno, result = (int)syscall(SYS_close, file);
    if (failed) errno = error;
    return failed ? -1 : result;
}
int socketpair(int family, int type, int protocol, int ends[2]) {
    return FAILS(PIPE) ? -1 : (int)syscall(SYS_socketpair, family, type, protocol, ends);
}
int pipe(int ends[2]) { return FAILS(PIPE) ? -1 : (int)syscall(SYS_pipe2, ends, 0); }
int pipe2(int ends[2], int flags) { return FAILS(PIPE) ? -1 : (int)syscall(SYS_pipe2, ends, flags); }
int memfd_create(const char *name, unsigned flags) { return FAILS(PIPE) ? -1 : (int)syscall(SYS_memfd_create, name, flags); }
int posix_spawn(
    pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const arguments[], char *const environment[]) {
    return FAILS(PROCESS) ? code : REAL(posix_spawn)(process, path, actions, attributes, arguments, environment);
}
typedef int thread_function(void *, const void *, void *(*)(void *), void *);
int pthread_create(void *thread, const void *attributes, void *(*body)(void *), void *argument) {
    if (FAILS(THREAD)) return EAGAIN;
    return ((thread_function *)dlsym(RTLD_NEXT, "pthread_create"))(thread, attributes, body, argument);
}
