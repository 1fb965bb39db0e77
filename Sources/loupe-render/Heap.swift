import CMalloc
import Glibc
import LoupeFiles
import LoupeImaging

/// How this process gets its memory: in large pages from one heap that keeps what is freed.
///
/// A render takes about 90 MB in a few large arrays. Handed out by the kernel in pages of 4 KiB, anew for each, that was
/// a third of its time.
enum Heap {
    /// Address space taken at once; memory is used only as it is written to.
    private static let reserve = 160 << 20

    /// Ends the process where there is too little memory to start.
    ///
    /// Call it before any thread is started.
    static func prepare() {
        guard Memory.hasRoom(for: 0) else {
            let needed = Memory.spare >> 20
            Failure(.defect, "there is too little memory to start: \(needed) MiB are needed; see ulimit -v and -d")
                .exit()
        }
        mallopt(M_ARENA_MAX, 1)
        // The largest that glibc allows: smaller arrays come from the heap.
        mallopt(M_MMAP_THRESHOLD, 32 << 20)
        mallopt(M_TRIM_THRESHOLD, Int32.max)
        // Where memory is limited it is taken piece by piece.
        guard Memory.hasRoom(for: 4 * reserve) else { return }
        mallopt(M_TOP_PAD, Int32(reserve))
        // Asked for its size, the probe is not optimised away.
        guard let start = sbrk(0), let probe = malloc(1 << 20), malloc_usable_size(probe) > 0 else { return }
        let end: UnsafeMutableRawPointer = sbrk(0)
        free(probe)
        // A kernel without large pages says no; all works as well without.
        let page = 1 << 12
        let first = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: start) + UInt(page) - 1) & ~UInt(page - 1))
        if let first, first < end { madvise(first, end - first, MADV_HUGEPAGE) }
    }

    /// Gives back the pages between what is in use: arrays of changing sizes leave more and more of them.
    static func tidy() { malloc_trim(0) }
}
