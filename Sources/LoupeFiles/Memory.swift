import Glibc

/// Whether there is room for a large array: one that finds none ends the program, so whoever makes it asks before.
///
/// The answer holds for now. Threads that ask at the same time may be promised the same room; only limits such as
/// `ulimit -v` are met anyway, as the kernel else promises more than it has.
public enum Memory {
    /// What has to be left beside, in bytes: for small things, and for the stacks of a thread a core and two more, which
    /// would be waited for in vain where they find none.
    public static let spare = (64 << 20) + (sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2) * (8 << 20)

    /// Whether `count` bytes of address space can be had, and ``spare`` beside.
    public static func hasRoom(for count: Int) -> Bool {
        count <= Int.max - spare && canMap(count + spare)
    }

    /// Whether next to nothing can be had any more. A signal handler may ask.
    public static var isExhausted: Bool { !canMap(64 << 20) }

    private static func canMap(_ count: Int) -> Bool {
        let map = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != UnsafeMutableRawPointer(bitPattern: -1) else { return false }
        munmap(map, count)
        return true
    }

    /// Whether there is room for so many bytes for each of a picture's pixels.
    public static func hasRoom(forPixels width: Int, _ height: Int, bytesPerPixel: Int) -> Bool {
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        return !isTooMany && !isTooMuch && hasRoom(for: bytes)
    }
}
