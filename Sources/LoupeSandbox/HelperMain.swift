import CSandbox
import Glibc
import LoupeFiles

/// What a helper process does: answers requests about documents that are not trusted.
package protocol HelperService {
    /// Loads libraries, before the process loses its rights.
    /// - Throws: `HelperRefusal`, which every request is answered with.
    init() throws(HelperRefusal)

    /// The folders and files that stay readable, where the kernel can limit them. Asked for once, before the process loses its
    /// rights: fontconfig may bring its caches up to date.
    var readablePaths: [String] { get }

    /// Answers one request.
    /// - Parameter memory: shared with the process that asks, of the size that it asked for; all bytes are 0.
    /// - Throws: `HelperRefusal`: what is wrong with the document.
    mutating func answer(
        _ request: [UInt8], memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> [UInt8]
}

/// A service's answer that it can't do what it was asked for: a code of its own from 1 to 255, and a text.
package struct HelperRefusal: Error, Equatable {
    package let code: UInt8
    package let text: String

    package init(code: UInt8, text: String) { (self.code, self.text) = (code, text) }
}

/// The main function of a helper process.
///
/// Descriptor 0 is a socket to the process that asks, 3 the memory that both share, and 2 a pipe, in which libraries say
/// why they end the process. There are no others.
package enum HelperMain {
    /// Whether the program was started as a helper process, for which it must start and open nothing before ``run(_:)``.
    package static var isHelper: Bool {
        let arguments = ProcessArguments.all
        return arguments.count == 2 && strcmp(arguments[0], HelperProgram.argument) == 0
    }

    /// Answers requests until the other process closes its end of the socket, and ends this one.
    /// - Parameter services: by their names, of which the second argument is one.
    package static func run(_ services: [String: any HelperService.Type]) -> Never {
        var status = stat()
        guard let service = ProcessArguments.all.last.flatMap({ services[String(cString: $0)] }),
            fstat(0, &status) == 0,
            status.st_mode & S_IFMT == S_IFSOCK
        else {
            let sentence = "loupe-render: error: \(HelperProgram.argument): loupe-render starts this itself\n"
            _ = Array(sentence.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            exit(64)
        }
        serve(service)
    }

    private static func serve<Service: HelperService>(_: Service.Type) -> Never {
        csandbox_close_from(HelperProcess.memoryDescriptor + 1)
        csandbox_use_one_heap()
        // Where a file may not grow, writing it fails, and libraries do without.
        signal(SIGXFSZ, SIG_IGN)
        var service = Result { () throws(HelperRefusal) in try Service() }
        let paths = (try? service.get().readablePaths) ?? []
        csandbox_limit(64)
        let size = addressSpace
        let locks = lock(paths: paths)
        endWithParent()
        send(0, HelperGreeting(locksFiles: locks.files, locksCalls: locks.calls, addressSpace: size).bytes)
        while let (count, request) = receive() {
            do throws(HelperRefusal) {
                let memory = try map(count)
                defer { if let memory { munmap(memory, count) } }
                var working = try service.get()
                let answer = try working.answer(request, memory: .init(start: memory, count: count))
                service = .success(working)
                send(0, answer)
            } catch {
                send(error.code, Array(error.text.utf8.prefix(longestText)))
            }
        }
        _exit(0)
    }

    /// The most bytes of a refusal's text.
    private static let longestText = 4096

    private static func lock(paths: [String]) -> csandbox_lock_result {
        let copies = paths.map { UnsafePointer(strdup($0)!) }
        return csandbox_lock(copies, copies.count)
    }

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
        let count = read(file, &text, text.count)
        let pages = text.prefix(max(0, count)).prefix { $0 != UInt8(ascii: " ") }
        return (Int(String(decoding: pages, as: UTF8.self)) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
    }

    /// The next request and the size of the memory for its answer; nil at the end.
    private static func receive() -> (memory: Int, request: [UInt8])? {
        var head = [UInt8](repeating: 0, count: 16)
        guard Stream.read(0, into: &head) else { return nil }
        var reader = MessageReader(head)
        guard let length = reader.number(UInt64.self), let memory = reader.number(UInt64.self) else { return nil }
        var request = [UInt8](repeating: 0, count: Int(length))
        guard Stream.read(0, into: &request) else { return nil }
        return (Int(memory), request)
    }

    private static func send(_ code: UInt8, _ body: [UInt8]) {
        var message = MessageWriter()
        message.write(UInt32(body.count))
        message.write(code)
        message.write(rest: body)
        guard message.bytes.withUnsafeBytes({ Stream.write($0, to: 0) }) else { _exit(0) }
    }

    private static func map(_ count: Int) throws(HelperRefusal) -> UnsafeMutableRawPointer? {
        guard count > 0 else { return nil }
        let map = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_SHARED, HelperProcess.memoryDescriptor, 0)
        guard let map, map != UnsafeMutableRawPointer(bitPattern: -1) else {
            throw HelperRefusal(code: HelperProcess.outOfMemoryCode, text: "")
        }
        return map
    }
}

/// Whole messages through a socket whose other end waits.
private enum Stream {
    /// False at the end and after an error.
    static func read(_ number: Int32, into bytes: inout [UInt8]) -> Bool {
        bytes.withUnsafeMutableBytes { buffer in
            var filled = 0
            while filled < buffer.count {
                let count = Glibc.read(number, buffer.baseAddress! + filled, buffer.count - filled)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                filled += count
            }
            return true
        }
    }

    /// False after an error.
    static func write(_ bytes: UnsafeRawBufferPointer, to number: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(number, piece.baseAddress, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
