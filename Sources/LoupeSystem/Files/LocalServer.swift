import Glibc

/// A server on 127.0.0.1 that answers one request on each connection, with bounds on times and connections.
package struct LocalServer: ~Copyable {
    private let listener: Int32
    /// Its port.
    package let port: Int

    /// The most connections at a time; browsers open some that they never use.
    private static let mostConnections = 16
    /// Seconds for a whole request to come, and for the next part of an answer to be taken.
    private static let patience = 15

    /// - Parameter port: nil for one that is free.
    /// - Throws: the system's reason where no server can be started.
    package init(port: Int? = nil) throws(FileError) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = in_port_t(port ?? 0).bigEndian
        // A port that was named is free as soon as its last server has ended.
        var isReused: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isReused, socklen_t(MemoryLayout<Int32>.size))
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard descriptor >= 0, isListening else { throw Self.failure }
        listener = descriptor
        self.port = Int(UInt16(bigEndian: address.sin_port))
    }

    deinit { close(listener) }

    private static var failure: FileError {
        .unreadable(path: "the server on 127.0.0.1", reason: FileError.text(of: errno))
    }

    private struct Connection {
        let descriptor: Int32
        var received: [UInt8] = []
        let deadline = ContinuousClock.now + .seconds(LocalServer.patience)
    }

    /// Answers requests.
    /// - Parameters:
    ///   - goesOn: asked after each answer, and about once a second. The server ends where it says no or throws.
    ///   - answer: what is sent for the bytes that a connection has brought; nil while more bytes have to come.
    /// - Throws: what `goesOn` throws, or `FileError`.
    package func serve(while goesOn: () throws -> Bool, answer: ([UInt8]) -> [UInt8]?) throws {
        var connections: [Connection] = []
        defer { for connection in connections { close(connection.descriptor) } }
        while try goesOn() {
            try wait(for: connections)
            accept(&connections)
            var over: [Int] = []
            for index in connections.indices {
                let count = connections[index].received.count
                let isOpen = Self.receive(&connections[index]) && ContinuousClock.now < connections[index].deadline
                let received = connections[index].received
                let answer = received.count > count ? answer(received) : nil
                if let answer { Self.send(answer, to: connections[index].descriptor) }
                if !isOpen || answer != nil { over.append(index) }
            }
            for index in over.reversed() { close(connections.remove(at: index).descriptor) }
        }
    }

    /// Waits for anything to happen, at most a second.
    private func wait(for connections: [Connection]) throws(FileError) {
        var polled = (connections.map(\.descriptor) + [listener]).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        if poll(&polled, nfds_t(polled.count), 1000) < 0, errno != EINTR { throw Self.failure }
    }

    /// Takes new connections. Where there are too many, the oldest goes.
    private func accept(_ connections: inout [Connection]) {
        while case let descriptor = Glibc.accept(listener, nil, nil), descriptor >= 0 {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            var patience = timeval(tv_sec: Self.patience, tv_usec: 0)
            setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
            if connections.count >= Self.mostConnections { close(connections.removeFirst().descriptor) }
            connections.append(Connection(descriptor: descriptor))
        }
    }

    /// Takes what has come, a bounded part of it in each turn, so that no connection keeps the server from the others; false where
    /// the connection is over.
    private static func receive(_ connection: inout Connection) -> Bool {
        var part = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(connection.descriptor, &part, part.count, Int32(MSG_DONTWAIT))
        let code = errno
        connection.received += part[..<max(0, count)]
        return count > 0 || count < 0 && (code == EAGAIN || code == EINTR)
    }

    /// Sends an answer, as far as its reader takes it, and ends the connection.
    private static func send(_ bytes: [UInt8], to descriptor: Int32) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count < 0, errno != EINTR { return }
            sent += max(0, count)
        }
        shutdown(descriptor, Int32(SHUT_WR))
    }
}
