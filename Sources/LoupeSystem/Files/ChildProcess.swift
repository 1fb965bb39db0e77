import Glibc

/// A program that runs beside this one and reads bytes from it, started without a shell.
///
/// Its standard input is a pipe. Its standard output and error go to a temporary file, whose last line explains a
/// failure. ``Spawn`` says what else it gets.
package final class ChildProcess {
    /// Why a program can't be started.
    package enum Failure: Error {
        /// No folder of PATH has it.
        case missing
        /// A value of `errno`.
        case system(Int32)
    }

    /// The end of a program: an exit code or a signal.
    package enum Ending: Equatable {
        case exit(code: Int32)
        case signal(Int32)
    }

    private let process: pid_t
    /// The end of the pipe to write to; -1 once it is closed.
    private var input: Int32
    /// A file without a name.
    private let messages: UnsafeMutablePointer<FILE>
    private var ending: Ending?

    /// Starts a program that is found on PATH.
    /// - Parameters:
    ///   - arguments: Without the program's name.
    ///   - file: A descriptor that the program has as number 3.
    package init(_ name: String, arguments: [String], file: Int32) throws(Failure) {
        guard let path = Self.path(of: name) else { throw .missing }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw .system(errno) }
        guard let messages = tmpfile() else {
            let code = errno
            for end in ends { close(end) }
            throw .system(code)
        }
        // Not for other programs that are started.
        for number in ends + [fileno(messages)] { _ = fcntl(number, F_SETFD, FD_CLOEXEC) }
        self.messages = messages
        input = ends[1]
        // A pipe of 1 MiB needs 16 times fewer switches between the processes than one of 64 KiB.
        _ = fcntl(input, 1031, 1 << 20)
        defer { close(ends[0]) }
        let code: Int32
        (process, code) = Spawn.start(
            Path(path), [name] + arguments,
            descriptors: [0: ends[0], 1: fileno(messages), 2: fileno(messages), 3: file])
        guard code == 0 else {
            ending = .exit(code: 127)
            throw .system(code)
        }
    }

    deinit {
        end()
        fclose(messages)
    }

    /// The path of a program on PATH; folders with relative names are left out.
    package static func path(of name: String) -> String? {
        let folders = getenv("PATH").map { String(cString: $0) } ?? ""
        return folders.split(separator: ":").lazy.filter { $0.hasPrefix("/") }.map { "\($0)/\(name)" }.first { path in
            var status = stat()
            return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, X_OK) == 0
        }
    }

    /// Writes all of `bytes` to the program's standard input.
    /// - Returns: False where the program no longer reads.
    package func write(_ bytes: [UInt8]) -> Bool {
        bytes.withUnsafeBytes { Descriptor.write($0, to: input) } == 0
    }

    /// Closes the program's standard input and waits for its end.
    package func finish() -> Ending {
        if let ending { return ending }
        closeInput()
        let ending = wait()
        self.ending = ending
        return ending
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    private func wait() -> Ending {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status & 0x7f == 0 ? .exit(code: (status >> 8) & 0xff) : .signal(status & 0x7f)
    }

    /// Ends the program at once, if it still runs.
    private func end() {
        guard ending == nil else { return closeInput() }
        kill(process, SIGKILL)
        closeInput()
        ending = wait()
    }

    /// The last line that the program wrote about itself, of its last 4 KiB; empty if it wrote nothing.
    package var lastMessage: String {
        let size = Int(lseek(fileno(messages), 0, SEEK_END))
        guard size > 0 else { return "" }
        let start = max(0, size - 4096)
        var bytes = [UInt8](repeating: 0, count: size - start)
        let count = pread(fileno(messages), &bytes, bytes.count, off_t(start))
        let lines = bytes.prefix(max(0, count)).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
