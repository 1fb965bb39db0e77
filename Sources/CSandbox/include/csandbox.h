// The system calls of a helper process that Swift can't make: variadic functions, Landlock and seccomp.
#ifndef CSANDBOX_H
#define CSANDBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// What the kernel enforces after csandbox_lock.
typedef struct {
    /// Which files may be opened, by Landlock.
    bool files;
    /// Which system calls may be made, by seccomp.
    bool calls;
} csandbox_lock_result;

/// A memory file that can grow but not shrink, so that no process can take mapped memory from another; -1 with errno where
/// there are none. It is closed on exec.
int csandbox_shared_memory(void);

/// A pipe whose two ends are closed on exec: 0, or -1 with errno.
int csandbox_pipe(int *_Nonnull ends);

/// The path by which the kernel started the program, or null. It may be relative to the working folder of that moment.
const char *_Nullable csandbox_path_at_start(void);

/// Removes a folder with all that is in it. Links are not followed.
void csandbox_remove_folder(const char *_Nonnull path);

/// Frees the first `count` bytes of a memory file, which read as 0 then. Returns errno, or 0.
int csandbox_clear(int file, size_t count);

/// Closes every descriptor from `first` on.
void csandbox_close_from(int first);

/// Makes one heap serve all threads: each further one would take 64 MiB of the address space.
void csandbox_use_one_heap(void);

/// Limits the process for good: files it writes have no bytes, there is no core file, and at most `files` descriptors.
void csandbox_limit(unsigned files);

/// Limits the address space and the processor time of a process. 0 leaves one as it is. Never raises a hard limit.
/// Returns false where the kernel refuses.
bool csandbox_limit_process(pid_t process, uint64_t address_space, uint64_t processor_seconds);

/// The processor time that a process has used, in seconds; 0 where that is unknown.
uint64_t csandbox_processor_seconds(pid_t process);

/// Takes from the process, for good: new privileges; every file but those below the given `count` folders, which can be read;
/// the network; starting and signalling processes; writing files; and every other call that drawing does not need.
/// Call it while there is one thread: Landlock binds the calling thread and those that it starts.
csandbox_lock_result csandbox_lock(const char *_Nonnull const *_Nonnull folders, size_t count);

#endif
