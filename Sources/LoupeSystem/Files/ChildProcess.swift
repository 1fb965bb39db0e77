import CSandbox
import Glibc

/// A program that runs beside this one and reads from it, started without a shell. It ends with this value.
///
/// Its standard input is a pipe. ``Spawn`` says what else it gets.
package final class ChildProcess {
    /// The reason that a program can't be started.
    package enum Failure: Error, CustomStringConvertible {
        /// No folder of PATH has it.
        case missing
        /// A value of `errno`.
        case system(Int32)

        package var description: String {
            switch self {
            case .missing: "there is no such program on PATH"
            case .system(let code): "it can't be started: \(FileError.text(of: code))"
            }
        }
    }

    /// The end of a program: an exit code or a signal.
    package enum Ending: Equatable, CustomStringConvertible {
        case exit(code: Int32)
        case signal(Int32)

        package var description: String {
            switch self {
            case .exit(let code): "code \(code)"
            case .signal(let number): "signal \(number)"
            }
        }

        /// - Parameter status: as `waitpid` gives it.
        fileprivate init(_ status: Int32) {
            self = status & 0x7f == 0 ? .exit(code: (status >> 8) & 0xff) : .signal(status & 0x7f)
        }
    }

    private let process: pid_t
    /// The end of the pipe to write to; -1 once it is closed.
    private var input: Int32
    /// A file without a name that takes the program's standard output and error; nil where they go elsewhere.
    private let messages: UnsafeMutablePointer<FILE>?
    private var ending: Ending?

    /// Starts a program.
    /// - Parameters:
    ///   - words: the program, by its path or found on PATH, and its arguments.
    ///   - descriptors: by the numbers that they have in the program, beside its standard input.
    ///   - variables: of the environment, which the program has in place of this one's of the same names.
    ///   - keepsMessages: whether its standard output and error are kept for ``lastMessage``.
    package init(
        _ words: [String], descriptors: [Int32: Int32], variables: [String: String] = [:], keepsMessages: Bool = false
    ) throws(Failure) {
        guard let name = words.first, let path = name.contains("/") ? name : Self.path(of: name) else { throw .missing }
        let (down, up) = try Self.pipe()
        messages = keepsMessages ? tmpfile() : nil
        if keepsMessages, messages == nil {
            let code = errno
            close(down)
            close(up)
            throw .system(code)
        }
        // A pipe of 1 MiB needs 16 times fewer switches between the processes than one of 64 KiB.
        _ = fcntl(up, 1031, 1 << 20)
        input = up
        var descriptors = descriptors
        descriptors[0] = down
        if let messages {
            // Not for other programs that are started.
            _ = fcntl(fileno(messages), F_SETFD, FD_CLOEXEC)
            (descriptors[1], descriptors[2]) = (fileno(messages), fileno(messages))
        }
        let code: Int32
        (process, code) = Spawn.start(Path(path), words, descriptors: descriptors, variables: variables)
        close(down)
        guard code == 0 else {
            ending = .exit(code: 127)
            throw .system(code)
        }
    }

    deinit {
        end(by: SIGKILL)
        if let messages { fclose(messages) }
    }

    /// The ends of a pipe, to read from and to write to, which no program that is started has.
    static func pipe() throws(Failure) -> (reading: Int32, writing: Int32) {
        var ends: [Int32] = [-1, -1]
        guard csandbox_pipe(&ends) == 0 else { throw .system(errno) }
        return (ends[0], ends[1])
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
        closeInput()
        if let ending { return ending }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        let ending = Ending(status)
        self.ending = ending
        return ending
    }

    /// Closes the program's standard input and waits for its end; nil where that takes longer, and its group of processes is
    /// ended.
    package func finish(within seconds: Double) -> Ending? {
        closeInput()
        let clock = ContinuousClock()
        let end = clock.now + .seconds(seconds)
        while ending == nil {
            var status: Int32 = 0
            if waitpid(process, &status, WNOHANG) == process {
                ending = Ending(status)
            } else if clock.now < end {
                usleep(5000)
            } else {
                // The group is its own.
                kill(-process, SIGKILL)
                _ = finish()
                return nil
            }
        }
        return ending
    }

    /// Sends a signal to the program, if it still runs, and waits for its end.
    @discardableResult func end(by signal: Int32) -> Ending {
        if ending == nil { kill(process, signal) }
        return finish()
    }

    private func closeInput() {
        if input >= 0 { close(input) }
        input = -1
    }

    /// The last line that the program wrote about itself, of its last 4 KiB; empty if it wrote nothing, or that is not kept.
    package var lastMessage: String {
        guard let messages else { return "" }
        let size = Int(lseek(fileno(messages), 0, SEEK_END))
        guard size > 0 else { return "" }
        let start = max(0, size - 4096)
        var bytes = [UInt8](repeating: 0, count: size - start)
        let count = pread(fileno(messages), &bytes, bytes.count, off_t(start))
        let lines = bytes.prefix(max(0, count)).split { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return lines.last.map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}
