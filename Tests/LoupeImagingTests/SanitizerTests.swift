import CPNG
import Dispatch
import Glibc
import Testing

/// A build under sanitizers has them: each finds a deliberate bug, which does no harm without.
///
/// Only `tools/sanitize` runs these. It names the build's sanitizer in `LOUPE_SANITIZER`.
@Suite struct SanitizerTests {
    private static let sanitizer = getenv("LOUPE_SANITIZER").map { String(cString: $0) }

    #if compiler(>=6.2)
        @Test(.enabled(if: sanitizer == "address")) func readingPastAnArrayIsFound() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: 16)
                bytes.initialize(repeating: 1, count: 16)
                // An index that the compiler does not know.
                print(bytes[15 + min(1, Int(getpid()))])
            }
            let report = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(report.contains("heap-buffer-overflow"))
        }

        /// The shim only adds to the pointer, which is at no address that such a value may have.
        @Test(.enabled(if: sanitizer == "address")) func undefinedBehaviorInTheShimIsTrapped() async {
            await #expect(processExitsWith: .failure) {
                let misplaced = OpaquePointer(bitPattern: 0x1001 + Int(getpid()) * 16)!
                print(cpng_reader_message(misplaced))
            }
        }

        /// After each write its thread sleeps, which puts nothing in order but leaves the other write to another thread: of
        /// many short ones the first thread may have made all before a second one wakes.
        @Test(.enabled(if: sanitizer == "thread")) func twoThreadsThatWriteOneNumberAreFound() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                nonisolated(unsafe) let number = UnsafeMutablePointer<Int>.allocate(capacity: 1)
                number.initialize(to: 0)
                DispatchQueue.concurrentPerform(iterations: 2) { index in
                    number.pointee += index
                    sleep(1)
                }
                print(number.pointee)
            }
            let report = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(report.contains("WARNING: ThreadSanitizer"))
        }
    #endif
}
