// Locks itself as a helper process does, tries what must not work, and prints each attempt with its result.
//
//     sandbox-probe FOLDER FILE-IN-FOLDER OTHER-FILE
#define _GNU_SOURCE
#include <csandbox.h>
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static void report(const char *name, long result) { printf("%s %s\n", name, result < 0 ? "refused" : "done"); }

static void *nothing(void *unused) { return unused; }

int main(int count, char **arguments) {
    if (count != 4) return 64;
    const char *folders[] = {arguments[1]};
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    csandbox_lock_result locks = csandbox_lock(folders, 1);
    printf("locks %d %d\n", locks.files, locks.calls);
    report("read-inside", open(arguments[2], O_RDONLY));
    report("read-outside", open(arguments[3], O_RDONLY));
    report("write-inside", open(arguments[2], O_WRONLY));
    report("create", open("new", O_WRONLY | O_CREAT, 0600));
    report("temporary", open(arguments[1], O_RDWR | O_TMPFILE, 0600));
    report("remove", unlink(arguments[2]));
    report("link", link(arguments[2], "other"));
    report("mode", chmod(arguments[2], 0777));
    report("socket", socket(AF_INET, SOCK_STREAM, 0));
    report("local-socket", socket(AF_UNIX, SOCK_STREAM, 0));
    report("fork", syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
    char *none[] = {arguments[0], NULL};
    report("run", execv("/proc/self/exe", none));
    report("signal", kill(getppid(), 0));
    report("trace", ptrace(PTRACE_TRACEME, 0, 0, 0));
    report("other-memory", syscall(SYS_process_vm_readv, getppid(), 0, 0, 0, 0, 0));
    report("runnable", mprotect(page, 4096, PROT_READ | PROT_EXEC));
    void *both = mmap(NULL, 4096, PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report("writable-runnable", both == MAP_FAILED ? -1 : 0);
    struct rlimit more = {1 << 20, 1 << 20};
    report("limit", setrlimit(RLIMIT_FSIZE, &more));
    pthread_t thread;
    report("thread", pthread_create(&thread, NULL, nothing, NULL) == 0 && pthread_join(thread, NULL) == 0 ? 0 : -1);
    void *memory = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    report("memory", memory == MAP_FAILED ? -1 : 0);
    return 0;
}
