import Glibc

/// Checks for memory. A failed allocation traps, so check first, before each large array.
///
/// The answer is only valid at that moment: threads that ask at the same time may both be promised the same memory. It
/// covers limits such as `ulimit -v`. Linux itself promises more memory than it has.
public enum Memory {
    /// How much must stay free, in bytes: for small allocations, and for the stacks of one thread for each core and two
    /// more. Dispatch waits for ever for threads that can't be made.
    public static let spare = (64 << 20) + (sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2) * (8 << 20)

    /// Whether `count` bytes of address space are free, and ``spare`` beside them.
    public static func hasRoom(for count: Int) -> Bool {
        count <= Int.max - spare && canMap(count + spare)
    }

    /// Whether there is memory for an image of `width` × `height` pixels with `bytesPerPixel` bytes each.
    public static func hasRoom(forPixels width: Int, _ height: Int, bytesPerPixel: Int) -> Bool {
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        return !isTooMany && !isTooMuch && hasRoom(for: bytes)
    }

    /// Whether less than 64 MiB are free. Safe in a signal handler.
    public static var isExhausted: Bool { !canMap(64 << 20) }

    private static func canMap(_ count: Int) -> Bool {
        let map = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != UnsafeMutableRawPointer(bitPattern: -1) else {
            // The answer is no error: a crash later has another cause.
            errno = 0
            return false
        }
        munmap(map, count)
        return true
    }
}
