import CSandbox
import Glibc
import LoupeSystem

/// The helper process of loupe-render, which reads and draws documents that are not trusted.
///
/// Descriptor 0 is a socket to the process that asks, 3 the memory that both share, and 2 a pipe, in which libraries say
/// why they end the process. There are no others.
@main
enum Helper {
    /// Answers requests until the other process closes its end of the socket, and ends this one.
    static func main() {
        var status = stat()
        guard fstat(0, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else {
            let sentence = "loupe-documents: error: loupe-render starts this itself, to draw SVGs, PDFs and text\n"
            _ = Array(sentence.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            exit(64)
        }
        csandbox_close_from(HelperProcess.memoryDescriptor + 1)
        csandbox_use_one_heap()
        // Where a file may not grow, writing it fails, and libraries do without.
        signal(SIGXFSZ, SIG_IGN)
        Fonts.catchWarnings()
        // Before the process loses its rights: fontconfig may bring its caches up to date.
        let paths = Fonts.readablePaths
        csandbox_limit(64)
        let size = addressSpace
        let folders = paths.map { UnsafePointer(strdup($0)!) }
        let locks = csandbox_lock(folders, folders.count)
        endWithParent()
        send(0, HelperGreeting(addressSpace: size, Sandbox(limitsFiles: locks.files, limitsCalls: locks.calls)).bytes)
        var service = DocumentService()
        while let (count, request) = receive() {
            do throws(HelperRefusal) {
                let memory = try map(count)
                defer { if let memory { munmap(memory, count) } }
                send(0, try service.answer(request, memory: .init(start: memory, count: count)))
            } catch {
                send(error.reason.rawValue, Array(error.text.utf8.prefix(longestText)))
            }
        }
        _exit(0)
    }

    /// The most bytes of a refusal's text.
    private static let longestText = 4096

    /// Ends this process when the other one has ended, also while it draws.
    ///
    /// A thread waits for that. `PR_SET_PDEATHSIG` would end this process with the thread that started it.
    private static func endWithParent() {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, 1 << 16)
        var thread = pthread_t()
        pthread_create(
            &thread, &attributes,
            { _ in
                var hangUp = pollfd(fd: 0, events: 0, revents: 0)
                while poll(&hangUp, 1, -1) <= 0 {}
                _exit(0)
            }, nil)
    }

    /// What this process has taken so far, in bytes; 0 where /proc is not there.
    private static var addressSpace: Int {
        let file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return 0 }
        defer { close(file) }
        var text = [UInt8](repeating: 0, count: 32)
        let count = Glibc.read(file, &text, text.count)
        let pages = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: " ") }
        return (Int(String(decoding: pages, as: UTF8.self)) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The next request and the size of the memory for its answer; nil at the end.
    private static func receive() -> (memory: Int, request: [UInt8])? {
        var head = [UInt8](repeating: 0, count: 16)
        guard read(into: &head) else { return nil }
        var reader = MessageReader(head)
        let (length, memory) = (Int(reader.number(UInt64.self)), Int(reader.number(UInt64.self)))
        var request = [UInt8](repeating: 0, count: length)
        guard read(into: &request) else { return nil }
        return (memory, request)
    }

    /// Fills some bytes from the socket; false at its end and after an error.
    private static func read(into bytes: inout [UInt8]) -> Bool {
        bytes.withUnsafeMutableBytes { buffer in
            var filled = 0
            while filled < buffer.count {
                let count = Glibc.read(0, buffer.baseAddress! + filled, buffer.count - filled)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                filled += count
            }
            return true
        }
    }

    private static func send(_ code: UInt8, _ body: [UInt8]) {
        var message = MessageWriter()
        message.write(UInt32(body.count))
        message.write(code)
        message.write(rest: body)
        guard message.bytes.withUnsafeBytes({ Descriptor.write($0, to: 0) }) == 0 else { _exit(0) }
    }

    private static func map(_ count: Int) throws(HelperRefusal) -> UnsafeMutableRawPointer? {
        guard count > 0 else { return nil }
        let map = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, HelperProcess.memoryDescriptor, 0)
        guard let map, map != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw HelperRefusal(.outOfMemory)
        }
        return map
    }
}
