import Glibc

/// A way to another program, each end closed once.
final class Pipe {
    private(set) var readEnd: Int32
    private(set) var writeEnd: Int32

    /// - Throws: `Failure` where there are too many open files.
    init() throws {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else {
            throw Failure(.defect, "no pipe can be made: \(String(cString: strerror(errno)))")
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
        // The other program has its own end alone; with this one's too it would wait for itself.
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    deinit {
        closeReadEnd()
        closeWriteEnd()
    }

    func closeReadEnd() { Self.close(&readEnd) }
    func closeWriteEnd() { Self.close(&writeEnd) }

    private static func close(_ end: inout Int32) {
        if end >= 0 { Glibc.close(end) }
        end = -1
    }

    /// Why nothing more can be written.
    struct Broken: Error {}

    /// Writes all of a text, waiting where the other end is slow.
    /// - Throws: `Broken` where the other end is closed.
    func write(_ text: String) throws(Broken) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { Glibc.write(writeEnd, $0.baseAddress, $0.count) }
            if count < 0 && errno != EINTR { throw Broken() }
            start += max(0, count)
        }
    }

    /// What comes until the other end is closed.
    func rest() -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(readEnd, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            if count <= 0 { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer[..<count]
        }
    }
}
