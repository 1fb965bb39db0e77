import Glibc

/// A program that answers lines with lines: its standard input and output are pipes to this one. It ends with this value.
package final class LineProcess {
    private let program: ChildProcess
    private let output: Int32
    private var buffer: [UInt8] = []
    /// After how many seconds without a line it was ended.
    private var silence: Int32?

    /// Starts a program.
    /// - Parameters:
    ///   - words: the program, by its path or found on PATH, and its arguments.
    ///   - variables: of the environment, which the program has in place of this one's of the same names.
    ///   - readsErrors: whether its standard error is read with its output; otherwise it is this program's.
    package init(
        _ words: [String], variables: [String: String] = [:], readsErrors: Bool = false
    ) throws(ChildProcess.Failure) {
        let up: Int32
        (output, up) = try ChildProcess.pipe()
        defer { close(up) }
        do throws(ChildProcess.Failure) {
            program = try ChildProcess(
                words, descriptors: [1: up, 2: readsErrors ? up : STDERR_FILENO], variables: variables)
        } catch {
            close(output)
            throw error
        }
    }

    deinit { close(output) }

    /// Writes a line.
    /// - Returns: false where the program no longer reads.
    package func write(_ line: String) -> Bool { program.write(Array((line + "\n").utf8)) }

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
                silence = seconds
                program.end(by: SIGKILL)
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
        return switch program.end(by: SIGTERM) {
        case .exit(let code): "it ended with code \(code)"
        case .signal(let number): "it was ended by signal \(number)"
        }
    }
}
