import Glibc

/// A program that answers lines with lines: its standard input and output are pipes to this one. It ends with this value.
package final class LineProcess {
    /// Why a program can't be started.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let process: pid_t
    private let input: Int32
    private let output: Int32
    private var buffer: [UInt8] = []
    private var status: Int32?
    /// After how many seconds without a line it was ended.
    private var silence: Int32?

    /// Starts a program.
    /// - Parameters:
    ///   - words: the program, by its path or found on PATH, and its arguments.
    ///   - variables: of the environment, which the program has in place of this one's of the same names.
    ///   - readsErrors: whether its standard error is read with its output; otherwise it is this program's.
    package init(_ words: [String], variables: [String: String] = [:], readsErrors: Bool = false) throws(Failure) {
        guard let name = words.first else { throw Failure(description: "there is no command") }
        guard let path = name.contains("/") ? name : ChildProcess.path(of: name) else {
            throw Failure(description: "there is no such program on PATH")
        }
        guard access(path, X_OK) == 0 else {
            throw Failure(description: "it can't be run: \(String(cString: strerror(errno)))")
        }
        var (down, up): ([Int32], [Int32]) = ([-1, -1], [-1, -1])
        guard pipe(&down) == 0, pipe(&up) == 0 else {
            throw Failure(description: "there is no pipe: \(String(cString: strerror(errno)))")
        }
        for number in down + up { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        let code: Int32
        (process, code) = Spawn.start(
            Path(path), words, descriptors: [0: down[0], 1: up[1], 2: readsErrors ? up[1] : STDERR_FILENO],
            variables: variables)
        close(down[0])
        close(up[1])
        (input, output) = (down[1], up[0])
        guard code == 0 else {
            status = 127 << 8
            throw Failure(description: "it can't be started: \(String(cString: strerror(code)))")
        }
    }

    deinit {
        close(input)
        close(output)
        if status == nil {
            kill(process, SIGKILL)
            wait()
        }
    }

    private func wait() {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        self.status = status
    }

    /// Writes a line.
    /// - Returns: false where the program no longer reads.
    package func write(_ line: String) -> Bool {
        Array((line + "\n").utf8).withUnsafeBytes { Descriptor.write($0, to: input) } == 0
    }

    /// The next line without its end; nil where the program has ended, or after `seconds` without one, which ends it.
    package func read(seconds: Int32 = 600) -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                let line = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeSubrange(...end)
                return line
            }
            var state = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let ready = poll(&state, 1, seconds * 1000)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else {
                kill(process, SIGKILL)
                silence = seconds
                return nil
            }
            var bytes = [UInt8](repeating: 0, count: 1 << 16)
            let count = Glibc.read(output, &bytes, bytes.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            buffer += bytes.prefix(count)
        }
    }

    /// How the program ended, in words, and waits for its end; or that it was ended after a silence.
    package var ending: String {
        if let silence { return "it said nothing for \(silence) seconds" }
        if status == nil {
            kill(process, SIGTERM)
            wait()
        }
        let status = status ?? 0
        return status & 0x7f == 0
            ? "it ended with code \((status >> 8) & 0xff)" : "it was ended by signal \(status & 0x7f)"
    }
}
