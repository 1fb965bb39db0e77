// What a process prepares before it works: streams, stacks and memory.

import CLinux
import Glibc

/// Standard input, output and error.
package enum StandardStreams {
    /// Call it before any file is opened.
    ///
    /// If one of them is closed, the first file that is opened gets its number, and an error's sentence would be written
    /// into a picture. So a closed one is opened on /dev/null, in the direction that it is not used in.
    package static func prepare() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
        }
    }
}

/// The stacks of this process's threads.
package enum Stack {
    /// Of each thread, in bytes, as most systems have it.
    private static let usual = 8 << 20
    /// The least that documents of the greatest depth need, with room for libraries.
    private static let least = 1 << 20

    /// Gives all threads stacks of the usual size where `ulimit -s` asks for smaller ones.
    ///
    /// Call it before any thread is started. It needs little stack itself.
    /// - Returns: whether the first thread has the least, too.
    package static func prepare() -> Bool {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(UInt32(RLIMIT_STACK.rawValue)), &limit) == 0, limit.rlim_cur < usual else {
            return true
        }
        // The kernel asks for the limit as the first thread's stack grows. Others take theirs from the limit at the start.
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, usual)
        pthread_setattr_default_np(&attributes)
        limit.rlim_cur = min(rlim_t(usual), limit.rlim_max)
        setrlimit(__rlimit_resource_t(UInt32(RLIMIT_STACK.rawValue)), &limit)
        return limit.rlim_cur >= least
    }
}

/// The memory of this process: one heap in large pages, which keeps what is freed.
///
/// A render takes about 90 MB in a few large arrays. With fresh 4 KiB pages from the kernel for each array, that took
/// a third of its time.
package enum Heap {
    /// Address space taken at once; memory is used only as it is written to.
    private static let reserve = 160 << 20

    /// Takes memory before any thread is started.
    /// - Returns: whether there is enough to start.
    package static func prepare() -> Bool {
        guard Memory.hasAddressSpace(for: 0) else { return false }
        mallopt(M_ARENA_MAX, 1)
        // The largest that glibc allows: smaller arrays come from the heap.
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, Int32.max)
        // Where memory is limited it is taken piece by piece.
        guard Memory.hasAddressSpace(for: 4 * reserve) else { return true }
        mallopt(M_TOP_PAD, Int32(reserve))
        // Asked for its size, the probe is not optimised away.
        guard let start = sbrk(0), let probe = malloc(1 << 20), malloc_usable_size(probe) > 0 else { return true }
        let end: UnsafeMutableRawPointer = sbrk(0)
        free(probe)
        // A kernel without large pages says no; all works as well without.
        let page = 1 << 12
        let first = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: start) + UInt(page) - 1) & ~UInt(page - 1))
        if let first, first < end { madvise(first, end - first, MADV_HUGEPAGE) }
        return true
    }
}
