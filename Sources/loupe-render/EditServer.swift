import Glibc
import LoupeCompose
import LoupeSystem

/// The server of `edit`: HTTP on 127.0.0.1 for one page and one scene, with bounds on sizes, times and connections. Who may
/// ask for what, `SaveService` decides.
struct EditServer: ~Copyable {
    private let listener: Int32
    private let port: Int
    private let token: String

    /// The most connections at a time; browsers open some that they never use.
    private static let mostConnections = 16
    /// Seconds for a whole request to come, and for the next part of an answer to be taken.
    private static let patience = 15.0

    /// A server on a port that is free.
    /// - Throws: `Failure`, 70.
    init() throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard descriptor >= 0, isListening else {
            throw Failure(.defect, "no server can be started on 127.0.0.1: \(String(cString: strerror(errno)))")
        }
        listener = descriptor
        port = Int(UInt16(bigEndian: address.sin_port))
        token = Self.secret()
    }

    deinit { close(listener) }

    /// The address of the page.
    var address: String { SaveService(token: token, client: "", port: port).address }

    /// 128 random bits from the kernel, as 32 digits.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in
            let digits = String(generator.next(), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    private struct Connection {
        let descriptor: Int32
        var received: [UInt8] = []
        /// What is sent; empty while the request is still coming.
        var answer: [UInt8] = []
        var sent = 0
        var deadline: Double
        /// Whether the scene is saved when the answer is sent.
        var endsAll = false
        var isOver = false
    }

    /// Answers until a scene is saved.
    /// - Parameter save: writes a scene; what it throws is told to the page, and another try is awaited.
    /// - Throws: `Failure` after a signal.
    func serve(page: [UInt8], save: ([UInt8]) throws -> Void) throws {
        var service = SaveService(token: token, client: Self.secret(), port: port)
        var connections: [Connection] = []
        defer { for connection in connections { close(connection.descriptor) } }
        while true {
            try Interruption.check("nothing was saved")
            try wait(for: connections)
            try Interruption.check("nothing was saved")
            accept(&connections)
            for index in connections.indices {
                advance(&connections[index]) { progress in Self.answer(to: progress, &service, page, save) }
            }
            let isSaved = connections.contains { $0.endsAll && $0.isOver }
            for connection in connections where connection.isOver { close(connection.descriptor) }
            connections.removeAll(where: \.isOver)
            if isSaved { return }
        }
    }

    /// What is answered to what a connection has brought; nil while more has to come.
    private static func answer(
        to progress: SaveRequest.Progress, _ service: inout SaveService, _ page: [UInt8],
        _ save: ([UInt8]) throws -> Void
    ) -> (SaveAnswer, endsAll: Bool)? {
        switch progress {
        case .incomplete: return nil
        case .refused(let answer): return (answer, false)
        case .head(let request):
            guard case .answer(let answer) = service.decide(request) else { return nil }
            return (answer, false)
        case .complete(let request):
            switch service.decide(request) {
            case .page(let fields):
                return (
                    SaveAnswer(status: 200, type: "text/html; charset=utf-8", body: page, fields: fields), false
                )
            case .answer(let answer): return (answer, false)
            case .save(let scene):
                do {
                    try save(scene)
                    return (SaveAnswer(200, "The scene is saved."), true)
                } catch {
                    let failure = Failure(error)
                    StandardError.write("loupe-render: warning: \(failure.sentence.forTerminal)\n")
                    return (SaveAnswer(failure.code == .badInput ? 422 : 500, failure.sentence), false)
                }
            }
        }
    }

    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Waits for anything to happen, at most until the next deadline.
    private func wait(for connections: [Connection]) throws {
        var polled = connections.map {
            pollfd(fd: $0.descriptor, events: Int16($0.answer.isEmpty ? POLLIN : POLLOUT), revents: 0)
        }
        polled.append(pollfd(fd: listener, events: Int16(POLLIN), revents: 0))
        let next = connections.map(\.deadline).min().map { max(0, $0 - Self.now) }
        // A signal that comes just before the call is noticed a second later.
        let milliseconds = Int32(min(next ?? 1, 1) * 1000) + 1
        if poll(&polled, nfds_t(polled.count), milliseconds) < 0, errno != EINTR {
            throw Failure(.defect, "the server on 127.0.0.1 failed: \(String(cString: strerror(errno)))")
        }
    }

    /// Takes new connections. Where there are too many, those go that have waited longest without a request.
    private func accept(_ connections: inout [Connection]) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
            if connections.count >= Self.mostConnections {
                guard let oldest = connections.firstIndex(where: { $0.answer.isEmpty }) else {
                    close(descriptor)
                    continue
                }
                close(connections.remove(at: oldest).descriptor)
            }
            connections.append(Connection(descriptor: descriptor, deadline: Self.now + Self.patience))
        }
    }

    /// Reads and writes as much of a connection as is possible without waiting.
    private func advance(
        _ connection: inout Connection, _ answer: (SaveRequest.Progress) -> (SaveAnswer, endsAll: Bool)?
    ) {
        if connection.answer.isEmpty { receive(&connection, answer) }
        if !connection.answer.isEmpty { send(&connection) }
        if Self.now > connection.deadline { connection.isOver = true }
    }

    private func receive(
        _ connection: inout Connection, _ answer: (SaveRequest.Progress) -> (SaveAnswer, endsAll: Bool)?
    ) {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        while connection.answer.isEmpty {
            let count = recv(connection.descriptor, &part, part.count, 0)
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { connection.isOver = true }
                return
            }
            if count == 0 {
                connection.isOver = true
                return
            }
            connection.received += part[..<count]
            guard let (answer, endsAll) = answer(SaveRequest.read(connection.received)) else { continue }
            (connection.answer, connection.endsAll) = (answer.bytes, endsAll)
            connection.deadline = Self.now + Self.patience
        }
    }

    private func send(_ connection: inout Connection) {
        while connection.sent < connection.answer.count {
            let count = connection.answer.withUnsafeBytes { bytes in
                // SIGPIPE is ignored.
                Glibc.send(
                    connection.descriptor, bytes.baseAddress! + connection.sent, bytes.count - connection.sent, 0)
            }
            if count < 0 {
                if errno == EINTR { continue }
                if errno != EAGAIN { connection.isOver = true }
                return
            }
            connection.sent += count
            connection.deadline = Self.now + Self.patience
        }
        shutdown(connection.descriptor, Int32(SHUT_WR))
        connection.isOver = true
    }
}
