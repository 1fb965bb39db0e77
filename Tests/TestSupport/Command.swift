import Glibc

/// The built command, run as a person runs it.
public struct Command {
    /// What a run left.
    public struct Outcome {
        public let code: Int32
        public let output: [UInt8]
        public let errors: String

        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The working directory; relative paths among the arguments count from here.
    let folder: TemporaryFolder

    public init(folder: TemporaryFolder) { self.folder = folder }

    /// Of the test runner.
    public static let runnerFolder: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let runner = String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return runner.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }()

    /// `LOUPE_RENDER` names it, or it lies beside the test runner.
    private static let path = getenv("LOUPE_RENDER").map { String(cString: $0) } ?? runnerFolder + "/loupe-render"

    /// Runs it to its end, its streams being files outside the working directory.
    ///
    /// - Parameter readerHasGone: standard output is a pipe whose other end is closed.
    public func run(
        _ arguments: [String], input: [UInt8] = [], environment: [String: String] = [:], readerHasGone: Bool = false
    ) -> Outcome {
        let streams = TemporaryFolder()
        _ = streams.put(input, "input")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let write = O_WRONLY | O_CREAT
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, streams.file("input"), O_RDONLY, 0)
        var ends: [Int32] = [-1, -1]
        if readerHasGone {
            precondition(pipe(&ends) == 0)
            close(ends[0])
            posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO)
        } else {
            posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, streams.file("output"), write, 0o600)
        }
        defer { if readerHasGone { close(ends[1]) } }
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, streams.file("errors"), write, 0o600)
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let code = spawn(["/usr/bin/env", "--chdir=\(folder.path)"] + variables + [Self.path] + arguments, &actions)
        return Outcome(
            code: code, output: TemporaryFolder.bytes(at: streams.file("output")) ?? [],
            errors: String(decoding: TemporaryFolder.bytes(at: streams.file("errors")) ?? [], as: UTF8.self))
    }

    public func run(_ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]) -> Outcome {
        run(arguments, input: input, environment: environment)
    }

    /// The exit code, or the signal that ended it as a negative number.
    private func spawn(_ arguments: [String], _ actions: inout posix_spawn_file_actions_t) -> Int32 {
        var argv: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, arguments[0], &actions, nil, &argv, environ)
        precondition(failure == 0, "\(arguments[0]) can't be run: \(String(cString: strerror(failure)))")
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }
}
