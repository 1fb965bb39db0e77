import CLinux
import Glibc
import Synchronization

/// Checks for memory. A failed allocation traps, so check first, before each large array.
///
/// Two things bound what this process takes: the system, by limits such as `ulimit -v`, and ``limit``, since Linux promises
/// more memory than it has. The answer is only valid at that moment: threads that ask at the same time may both be
/// promised the same memory.
package enum Memory {
    /// How much must stay free, in bytes: for small allocations, and for the stacks of one thread for each core and two
    /// more.
    package static let spare = (64 << 20) + (sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2) * (8 << 20)

    // MARK: - The limit

    /// The most bytes that this process may use: those of ``setLimit(_:)``, or half of what was free when this was first
    /// asked for.
    package static var limit: Int {
        let chosen = chosenLimit.load(ordering: .relaxed)
        return chosen > 0 ? chosen : standardLimit
    }

    /// Sets the limit, in bytes, 1 or more.
    package static func setLimit(_ bytes: Int) { chosenLimit.store(bytes, ordering: .relaxed) }

    private static let chosenLimit = Atomic<Int>(0)
    private static let standardLimit = max(1, FreeMemory().bytes / 2)

    /// The code of the program, its libraries and a driver, in bytes: they are not on the heap.
    private static let program = 112 << 20

    /// How many more bytes may be used under the limit. The heap is asked, so drivers and libraries count too.
    package static var left: Int {
        let heap = mallinfo2()
        return max(0, limit - program - Int(heap.uordblks + heap.hblkhd))
    }

    /// Gives back to the system what was freed, where keeping it could exceed the limit with `count` more bytes.
    private static func tidy(before count: Int) {
        if count + Int(mallinfo2().fordblks) > left { tidy() }
    }

    /// Gives back to the system what was freed: it is kept for later arrays otherwise, which saves time but not memory.
    package static func tidy() { malloc_trim(0) }

    /// Where the limit comes from, as the end of a sentence about missing memory.
    package static var advice: String {
        "at most \(limit >> 20 > 0 ? "\(limit >> 20) MiB" : "\(limit) bytes") may be used; raise that with --max-memory"
    }

    // MARK: - Checks

    /// Whether `count` bytes may be used: they are left under the limit, and as much address space is free, and ``spare``
    /// beside it.
    package static func hasRoom(for count: Int) -> Bool {
        guard hasAddressSpace(for: count) else { return false }
        if count < unchecked { return true }
        guard count <= left else { return false }
        tidy(before: count)
        return true
    }

    /// So few bytes are not compared with the limit.
    private static let unchecked = 1 << 20

    /// Whether there is memory for an image of `width` × `height` pixels with `bytesPerPixel` bytes each.
    package static func hasRoom(forPixels width: Int, _ height: Int, bytesPerPixel: Int) -> Bool {
        let (pixels, isTooMany) = width.multipliedReportingOverflow(by: height)
        let (bytes, isTooMuch) = pixels.multipliedReportingOverflow(by: bytesPerPixel)
        return !isTooMany && !isTooMuch && hasRoom(for: bytes)
    }

    /// Whether `count` bytes of address space are free, and ``spare`` beside them, whatever the limit is.
    package static func hasAddressSpace(for count: Int) -> Bool {
        count <= Int.max - spare && canMap(count + spare)
    }

    /// Whether less than 64 MiB are free. Safe in a signal handler.
    package static var isExhausted: Bool { !canMap(64 << 20) }

    /// Call this before a library in C++ is loaded that may throw for lack of memory, as the compiler in a driver does.
    ///
    /// glibc loads its unwinder when the first exception passes one of its functions. Where that is `std::bad_alloc`, there
    /// is no memory to load it with, and glibc ends the process with a sentence about a library that is missing.
    package static func prepareForExceptions() {
        typealias Backtrace = @convention(c) (UnsafeMutablePointer<UnsafeMutableRawPointer?>, Int32) -> Int32
        guard let backtrace = dlsym(nil, "backtrace") else { return }
        var caller: UnsafeMutableRawPointer?
        _ = unsafeBitCast(backtrace, to: Backtrace.self)(&caller, 1)
    }

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

/// The amount of memory that is free for this process: what the kernel can hand out, what the control groups of the
/// process leave (cgroups, versions 1 and 2), and what its own limits allow (`ulimit -v`, `ulimit -d`).
struct FreeMemory {
    /// The least of all that is known, in bytes.
    let bytes: Int

    /// - Parameter root: the folder that holds `proc` and `sys`, without a slash at the end.
    init(root: String = "") {
        let known = [Self.available(root), Self.leftInGroups(root), Self.leftOfLimits]
        bytes = known.compactMap(\.self).min() ?? 0
    }

    /// What Linux can hand out without swapping.
    private static func available(_ root: String) -> Int? {
        if let kilobytes = number(after: "MemAvailable:", in: text("\(root)/proc/meminfo")) { return kilobytes << 10 }
        // Without /proc; cached files are not counted then.
        let pages = sysconf(Int32(_SC_AVPHYS_PAGES))
        return pages > 0 ? pages * sysconf(Int32(_SC_PAGESIZE)) : nil
    }

    private static var leftOfLimits: Int? {
        [RLIMIT_AS, RLIMIT_DATA].compactMap { resource -> Int? in
            var limit = rlimit()
            guard getrlimit(__rlimit_resource_t(UInt32(resource.rawValue)), &limit) == 0, limit.rlim_cur != ~0 else {
                return nil
            }
            return Int(clamping: limit.rlim_cur)
        }.min()
    }

    /// The least that the groups of this process and those above them leave.
    private static func leftInGroups(_ root: String) -> Int? {
        let memberships = text("\(root)/proc/self/cgroup") ?? "0::/"
        return memberships.split(separator: "\n").flatMap { line -> [Int] in
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { return [] }
            let isSecond = parts[0] == "0" && parts[1].isEmpty
            guard isSecond || parts[1].split(separator: ",").contains("memory") else { return [] }
            let mounts = isSecond ? ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"] : ["/sys/fs/cgroup/memory"]
            // In a container the group's own folder may be the mounted one.
            return mounts.flatMap { mount in
                groups(from: String(parts[2])).compactMap { left(in: root + mount + $0, isSecond: isSecond) }
            }
        }.min()
    }

    /// The group's path and those of all groups above it, up to the empty path.
    private static func groups(from path: String) -> [String] {
        let names = path.split(separator: "/")
        return (0...names.count).reversed().map { names[..<$0].map { "/" + $0 }.joined() }
    }

    /// What one group leaves; nil where it sets no limit. Cached files can be given up.
    private static func left(in group: String, isSecond: Bool) -> Int? {
        let limit = text(group + (isSecond ? "/memory.max" : "/memory.limit_in_bytes")).flatMap(whole)
        let used = text(group + (isSecond ? "/memory.current" : "/memory.usage_in_bytes")).flatMap(whole)
        guard let limit, let used else { return nil }
        let statistics = text(group + "/memory.stat")
        let prefix = isSecond ? "" : "total_"
        let cached = ["inactive_file", "active_file"].compactMap { number(after: prefix + $0, in: statistics) }
        return max(0, limit - max(0, used - cached.reduce(0, +)))
    }

    /// The whole number that is all of a text; nil for `max` and anything else.
    private static func whole(_ text: String) -> Int? {
        text.split(whereSeparator: \.isWhitespace).first.flatMap { Int($0) }
    }

    /// The number that follows a word at the start of a line.
    private static func number(after word: String, in text: String?) -> Int? {
        for line in text?.split(separator: "\n") ?? [] {
            let words: [Substring] = line.split(separator: " ")
            if words.count > 1, words[0] == word { return Int(words[1]) }
        }
        return nil
    }

    /// The start of a small file; nil where there is none.
    private static func text(_ path: String) -> String? {
        guard let file = Descriptor(opening: Path(path), O_RDONLY) else { return nil }
        var buffer = [UInt8](repeating: 0, count: 1 << 14)
        let count = Glibc.read(file.number, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
