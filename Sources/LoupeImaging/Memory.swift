import Glibc

/// Whether there is room for a large array: one that finds none ends the program, so whoever makes it asks before.
///
/// The answer holds for now. Threads that ask at the same time may be promised the same room; only limits such as
/// `ulimit -v` are met anyway, as the kernel else promises more than it has.
public enum Memory {
    /// For the small things beside.
    private static let slack = 8 << 20

    /// Whether `count` bytes of address space can be had.
    public static func hasRoom(for count: Int) -> Bool {
        guard count <= Int.max - slack else { return false }
        let map = mmap(nil, count + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        guard let map, map != UnsafeMutableRawPointer(bitPattern: -1) else { return false }
        munmap(map, count + slack)
        return true
    }

    /// Whether there is room for so many bytes for each of a picture's pixels.
    public static func hasRoom(forPixels width: Int, _ height: Int, bytesPerPixel: Int) -> Bool {
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        return !isTooMany && !isTooMuch && hasRoom(for: bytes)
    }
}
