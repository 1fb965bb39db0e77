import Glibc
import TestSupport
import Testing

@testable import LoupeSystem

/// Writing to pipes, as standard output often is.
struct DescriptorTests {
    private func pipe() -> (reader: Int32, writer: Int32) {
        var ends: [Int32] = [0, 0]
        precondition(Glibc.pipe(&ends) == 0)
        return (ends[0], ends[1])
    }

    @Test(arguments: [false, true])
    func allBytesArriveThroughASmallPipe(nonblocking: Bool) {
        let (reader, writer) = pipe()
        if nonblocking { _ = fcntl(writer, F_SETFL, O_NONBLOCK) }
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let sender = BackgroundThread {
            let code = bytes.withUnsafeBytes { Descriptor.write($0, to: writer) }
            #expect(code == 0)
            close(writer)
        }
        var arrived: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 5000)
        while case let count = Glibc.read(reader, &piece, piece.count), count > 0 { arrived += piece[..<count] }
        sender.join()
        close(reader)
        #expect(arrived == bytes)
    }

    @Test func aReaderThatHasGoneIsAnError() {
        signal(SIGPIPE, SIG_IGN)
        let (reader, writer) = pipe()
        close(reader)
        #expect([1, 2, 3].withUnsafeBytes { Descriptor.write($0, to: writer) } == EPIPE)
        close(writer)
    }
}
