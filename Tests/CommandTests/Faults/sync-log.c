// Logs how the command brings files to the disk, and lets one of its syncs fail (LD_PRELOAD).
//
//     LOUPE_SYNC_LOG=/tmp/log     a line for each call: file, folder or other for what is synced; link, rename
//     LOUPE_SYNC_FAILS=2          the second sync fails, with the error LOUPE_SYNC_ERROR
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void say(const char *line) {
    const char *path = getenv("LOUPE_SYNC_LOG");
    if (!path) return;
    int file = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND, 0666);
    syscall(SYS_write, file, line, strlen(line));
    syscall(SYS_close, file);
}

int fsync(int file) {
    static _Atomic int count;
    struct stat status;
    mode_t kind = fstat(file, &status) == 0 ? status.st_mode & S_IFMT : 0;
    say(kind == S_IFREG ? "file\n" : kind == S_IFDIR ? "folder\n" : "other\n");
    const char *number = getenv("LOUPE_SYNC_FAILS");
    if (number && atomic_fetch_add(&count, 1) + 1 == atoi(number)) {
        errno = atoi(getenv("LOUPE_SYNC_ERROR"));
        return -1;
    }
    return syscall(SYS_fsync, file);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
    int result = syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
    if (result == 0) say("link\n");
    return result;
}

int rename(const char *from, const char *to) {
    int result = syscall(SYS_rename, from, to);
    if (result == 0) say("rename\n");
    return result;
}
