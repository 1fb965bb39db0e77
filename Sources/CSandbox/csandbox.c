#define _GNU_SOURCE
#include "csandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

int csandbox_shared_memory(void) {
    int file = memfd_create("loupe-pixels", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (file < 0) return -1;
    if (fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
        close(file);
        return -1;
    }
    return file;
}

int csandbox_pipe(int *ends) { return pipe2(ends, O_CLOEXEC); }

const char *csandbox_path_at_start(void) { return (const char *)getauxval(AT_EXECFN); }

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *place) {
    (void)status, (void)kind, (void)place;
    remove(path);
    return 0;
}

void csandbox_remove_folder(const char *path) { nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS); }

int csandbox_clear(int file, size_t count) {
    return fallocate(file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, (off_t)count) == 0 ? 0 : errno;
}

void csandbox_close_from(int first) {
#ifdef SYS_close_range
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
#endif
    long most = sysconf(_SC_OPEN_MAX);
    for (int number = first; number < most; number++) close(number);
}

void csandbox_use_one_heap(void) { mallopt(M_ARENA_MAX, 1); }

static void limit(int resource, rlim_t most) {
    struct rlimit old;
    if (getrlimit(resource, &old) != 0) return;
    if (old.rlim_max != RLIM_INFINITY && old.rlim_max < most) most = old.rlim_max;
    struct rlimit new = {most, most};
    setrlimit(resource, &new);
}

void csandbox_limit(unsigned files) {
    limit(RLIMIT_FSIZE, 0);
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, files);
}

static bool limit_process(pid_t process, int resource, rlim_t most) {
    struct rlimit limits;
    if (prlimit(process, resource, NULL, &limits) != 0) return false;
    limits.rlim_cur = limits.rlim_max != RLIM_INFINITY && limits.rlim_max < most ? limits.rlim_max : most;
    return prlimit(process, resource, &limits, NULL) == 0;
}

bool csandbox_limit_process(pid_t process, uint64_t address_space, uint64_t processor_seconds) {
    bool done = true;
    if (address_space != 0) done &= limit_process(process, RLIMIT_AS, address_space);
    if (processor_seconds != 0) done &= limit_process(process, RLIMIT_CPU, processor_seconds);
    return done;
}

uint64_t csandbox_processor_seconds(pid_t process) {
    clockid_t clock;
    struct timespec time;
    if (clock_getcpuclockid(process, &clock) != 0 || clock_gettime(clock, &time) != 0) return 0;
    return (uint64_t)time.tv_sec + 1;
}

// MARK: - Files, by Landlock

// As in linux/landlock.h, which older systems do not have.
enum { LANDLOCK_CREATE = 444, LANDLOCK_ADD = 445, LANDLOCK_RESTRICT = 446 };
enum { READ_FILE = 1 << 2, READ_DIR = 1 << 3, PATH_BENEATH = 1, VERSION = 1 };

struct ruleset {
    uint64_t files, network, scoped;
};

struct path_beneath {
    uint64_t allowed;
    int32_t folder;
} __attribute__((packed));

static bool lock_files(const char *const *folders, size_t count) {
    long version = syscall(LANDLOCK_CREATE, NULL, 0, VERSION);
    if (version < 1) return false;
    struct ruleset rules = {(1 << 13) - 1, 0, 0};
    if (version >= 2) rules.files |= 1 << 13;  // Moving files between folders.
    if (version >= 3) rules.files |= 1 << 14;  // Truncating.
    if (version >= 5) rules.files |= 1 << 15;  // ioctl of devices.
    if (version >= 4) rules.network = 3;       // TCP: bind and connect.
    if (version >= 6) rules.scoped = 3;        // Abstract sockets and signals.
    size_t size = version >= 6 ? 24 : version >= 4 ? 16 : 8;
    int set = (int)syscall(LANDLOCK_CREATE, &rules, size, 0);
    if (set < 0) return false;
    for (size_t index = 0; index < count; index++) {
        int folder = open(folders[index], O_PATH | O_CLOEXEC);
        struct stat status;
        if (folder >= 0 && fstat(folder, &status) == 0) {
            struct path_beneath rule = {S_ISDIR(status.st_mode) ? READ_FILE | READ_DIR : READ_FILE, folder};
            syscall(LANDLOCK_ADD, set, PATH_BENEATH, &rule, 0);
        }
        if (folder >= 0) close(folder);
    }
    bool done = syscall(LANDLOCK_RESTRICT, set, 0) == 0;
    close(set);
    return done;
}

// MARK: - System calls, by seccomp

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && defined(__AARCH64EL__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

// Without conditions. They reach only what the process already has, the clock, its memory and its threads.
static const int always[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_pread64, SYS_preadv, SYS_close, SYS_lseek, SYS_fstat, SYS_statx,
    SYS_newfstatat, SYS_readlinkat, SYS_faccessat, SYS_getdents64, SYS_fstatfs, SYS_statfs, SYS_getcwd, SYS_fadvise64,
    SYS_munmap, SYS_mremap, SYS_madvise, SYS_brk, SYS_mincore, SYS_membarrier,
    SYS_futex, SYS_set_robust_list, SYS_get_robust_list, SYS_set_tid_address, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min, SYS_getcpu,
    SYS_clock_gettime, SYS_clock_getres, SYS_clock_nanosleep, SYS_nanosleep, SYS_gettimeofday,
    SYS_getpid, SYS_gettid, SYS_getppid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_getrusage, SYS_uname,
    SYS_sysinfo, SYS_getrandom, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_exit,
    SYS_exit_group, SYS_ppoll, SYS_eventfd2, SYS_pipe2, SYS_restart_syscall,
#ifdef SYS_faccessat2
    SYS_faccessat2,
#endif
#ifdef SYS_rseq
    SYS_rseq,
#endif
#ifdef __x86_64__
    SYS_poll, SYS_stat, SYS_lstat, SYS_access, SYS_readlink, SYS_time, SYS_arch_prctl, SYS_getrlimit,
#endif
};

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
// The halves of an argument on a little-endian processor.
#define LOW(n) LOAD(args[n])
#define HIGH(n) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[n]) + 4)
#define SKIP_UNLESS(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (count))
#define SKIP_IF(value, count) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (count), 0)
#define SKIP_IF_ANY(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), (count), 0)
#define SKIP_UNLESS_ANY(bits, count) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 0, (count))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))

/// Whether O_TMPFILE's own bit, without O_DIRECTORY, is set.
#define TMPFILE_BIT (O_TMPFILE & ~O_DIRECTORY)

static bool lock_calls(void) {
    struct sock_filter code[400];
    unsigned short count = 0;
#define EMIT(...)                                                            \
    do {                                                                     \
        const struct sock_filter part[] = {__VA_ARGS__};                     \
        for (size_t i = 0; i < sizeof part / sizeof *part; i++) code[count++] = part[i]; \
    } while (0)
    EMIT(LOAD(arch), SKIP_IF(ARCHITECTURE, 1), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS), LOAD(nr));
#ifdef __x86_64__
    // The numbers of x32.
    EMIT(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1), REFUSE(EPERM));
#endif
    for (size_t index = 0; index < sizeof always / sizeof *always; index++) {
        EMIT(SKIP_UNLESS(always[index], 1), ALLOW);
    }
    // Files are opened for reading only.
    const unsigned writing = O_WRONLY | O_RDWR | O_CREAT | O_TRUNC | TMPFILE_BIT;
    EMIT(SKIP_UNLESS(SYS_openat, 4), LOW(2), SKIP_IF_ANY(writing, 1), ALLOW, REFUSE(EACCES));
#ifdef __x86_64__
    EMIT(SKIP_UNLESS(SYS_open, 4), LOW(1), SKIP_IF_ANY(writing, 1), ALLOW, REFUSE(EACCES));
#endif
    // No memory is both written and run, and none is made runnable later.
    EMIT(SKIP_UNLESS(SYS_mmap, 5), LOW(2), SKIP_UNLESS_ANY(PROT_EXEC, 1), SKIP_IF_ANY(PROT_WRITE, 1), ALLOW, REFUSE(EACCES));
    EMIT(SKIP_UNLESS(SYS_mprotect, 4), LOW(2), SKIP_IF_ANY(PROT_EXEC, 1), ALLOW, REFUSE(EACCES));
    // Threads of this process, no other processes. clone3 passes its flags in memory, where no filter sees them; glibc
    // takes clone where it is missing.
    EMIT(SKIP_UNLESS(SYS_clone, 4), LOW(0), SKIP_UNLESS_ANY(CLONE_THREAD, 1), ALLOW, REFUSE(EPERM));
#ifdef SYS_clone3
    EMIT(SKIP_UNLESS(SYS_clone3, 1), REFUSE(ENOSYS));
#endif
    // abort() and pthread_kill() signal this process only.
    EMIT(SKIP_UNLESS(SYS_tgkill, 4), LOW(0), SKIP_UNLESS((unsigned)getpid(), 1), ALLOW, REFUSE(EPERM));
    // Limits are read, never set.
    EMIT(SKIP_UNLESS(SYS_prlimit64, 6), LOW(2), SKIP_UNLESS(0, 3), HIGH(2), SKIP_UNLESS(0, 1), ALLOW, REFUSE(EPERM));
    // Names of threads and of memory.
    EMIT(SKIP_UNLESS(SYS_prctl, 5), LOW(0), SKIP_IF(PR_SET_NAME, 1), SKIP_UNLESS(0x53564d41, 1), ALLOW, REFUSE(EPERM));
    // Duplicates and flags of descriptors, but no signals from them.
    EMIT(SKIP_UNLESS(SYS_fcntl, 8), LOW(1), SKIP_IF(F_DUPFD_CLOEXEC, 4), SKIP_IF(F_GETFD, 3), SKIP_IF(F_SETFD, 2),
         SKIP_IF(F_GETFL, 1), SKIP_UNLESS(F_GET_SEALS, 1), ALLOW, REFUSE(EPERM));
    EMIT(REFUSE(EPERM));
    struct sock_fprog program = {count, code};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0 ||
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

#else

static bool lock_calls(void) { return false; }

#endif

csandbox_lock_result csandbox_lock(const char *const *folders, size_t count) {
    csandbox_lock_result result = {false, false};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return result;
    prctl(PR_SET_DUMPABLE, 0);
    result.files = lock_files(folders, count);
    result.calls = lock_calls();
    return result;
}
