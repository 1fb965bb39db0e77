import TestSupport
import Testing

@testable import LoupeSystem

/// What is free for a process, from made-up files of the kernel.
@Suite struct FreeMemoryTests {
    let root = TemporaryFolder()

    private func put(_ text: String, _ name: String) { _ = root.put(Array(text.utf8), name) }

    private var free: Int { FreeMemory(root: root.path).bytes }

    private func putMemory(_ kilobytes: Int) {
        put("MemTotal:       9999999 kB\nMemFree:   5 kB\nMemAvailable:   \(kilobytes) kB\n", "proc/meminfo")
    }

    @Test func itIsWhatTheKernelCanHandOut() {
        putMemory(3000)
        #expect(free == 3000 << 10)
    }

    @Test func withoutFilesOfTheKernelItIsStillKnown() { #expect(free > 0) }

    /// The least of a group and those above it, whichever that is.
    @Test(arguments: [["900", "max", "800"], ["max", "700", "max"], ["500", "800", "900"], ["max", "max", "max"]])
    func groupsOfTheSecondVersionAreHeeded(limits: [String]) {
        putMemory(1 << 20)
        put("0::/a/b\n", "proc/self/cgroup")
        for (group, limit) in zip(["", "/a", "/a/b"], limits) {
            put(limit == "max" ? "max\n" : "\((Int(limit) ?? 0) << 20)\n", "sys/fs/cgroup\(group)/memory.max")
            put("\(300 << 20)\n", "sys/fs/cgroup\(group)/memory.current")
            put(
                "anon 1\nfile 2\ninactive_file \(40 << 20)\nactive_file \(10 << 20)\n",
                "sys/fs/cgroup\(group)/memory.stat")
        }
        let least = limits.compactMap { Int($0) }.min()
        #expect(free == least.map { ($0 - 250) << 20 } ?? 1 << 30)
    }

    @Test(arguments: ["4:memory:/x", "2:cpu,memory:/x", "9:name=systemd:/\n4:memory:/gone/x"])
    func groupsOfTheFirstVersionAreHeeded(line: String) {
        putMemory(1 << 20)
        put(line + "\n0::/\n", "proc/self/cgroup")
        put("9223372036854771712\n", "sys/fs/cgroup/memory/memory.limit_in_bytes")
        put("\(600 << 20)\n", "sys/fs/cgroup/memory/memory.usage_in_bytes")
        let group = line.hasSuffix("gone/x") ? "" : "/x"
        put("\(200 << 20)\n", "sys/fs/cgroup/memory\(group)/memory.limit_in_bytes")
        put("\(150 << 20)\n", "sys/fs/cgroup/memory\(group)/memory.usage_in_bytes")
        put("cache 3\ntotal_inactive_file \(20 << 20)\n", "sys/fs/cgroup/memory\(group)/memory.stat")
        #expect(free == 70 << 20)
    }

    @Test func aGroupThatIsFullLeavesNothing() {
        putMemory(1 << 20)
        put("0::/\n", "proc/self/cgroup")
        put("\(100 << 20)\n", "sys/fs/cgroup/memory.max")
        put("\(130 << 20)\n", "sys/fs/cgroup/memory.current")
        #expect(free == 0)
    }
}

/// Work on several threads.
@Suite struct ThreadsTests {
    @Test func everyCallIsMadeOnce() {
        for count in [0, 1, 2, 3, 7, 100, 1000] {
            var calls = [Int](repeating: 0, count: count)
            calls.withUnsafeMutableBufferPointer { calls in
                nonisolated(unsafe) let calls = calls
                Threads.forEach(count) { calls[$0] += 1 }
            }
            #expect(calls.allSatisfy { $0 == 1 })
        }
    }

    @Test func callsMayNest() {
        var sums = [Int](repeating: 0, count: 20)
        sums.withUnsafeMutableBufferPointer { sums in
            nonisolated(unsafe) let sums = sums
            Threads.forEach(20) { outer in
                var inner = [Int](repeating: 0, count: 30)
                inner.withUnsafeMutableBufferPointer { inner in
                    nonisolated(unsafe) let inner = inner
                    Threads.forEach(30) { inner[$0] = $0 }
                }
                sums[outer] = inner.reduce(0, +)
            }
        }
        #expect(sums.allSatisfy { $0 == 435 })
    }
}
