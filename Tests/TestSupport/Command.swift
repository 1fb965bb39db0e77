import Glibc

/// The built command, run in a process as a person runs it.
public struct Command: Sendable {
    /// The result of a run.
    public struct Outcome: Sendable {
        /// The exit code, or the negative number of the signal that ended the process.
        public let code: Int32
        /// Standard output.
        public let output: [UInt8]
        /// Standard error.
        public let errors: String

        /// The processor time of the command and of what it waited for, in seconds.
        public let processorSeconds: Double

        /// Standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }
    }

    /// The working directory of the command.
    let folder: TemporaryFolder

    /// A command that runs in a folder.
    public init(folder: TemporaryFolder) { self.folder = folder }

    /// The folder of the test runner.
    public static let runnerFolder: String = {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let runner = String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        return runner.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }()

    /// The value of `LOUPE_RENDER`, or loupe-render beside the test runner.
    public static let path = getenv("LOUPE_RENDER").map { String(cString: $0) } ?? runnerFolder + "/loupe-render"

    /// Runs the command and waits for its end. Its standard streams are files outside the working directory. Its outputs are
    /// not synced unless `environment` says so.
    ///
    /// - Parameters:
    ///   - program: Another program in place of the command.
    ///   - inputPath: A file, FIFO or device as standard input, in place of `input`.
    ///   - readerHasGone: Whether standard output is a pipe whose other end is closed.
    ///   - seconds: Ends the command after so many seconds; the code is then 137.
    public func run(
        program: String = Command.path, _ arguments: [String], input: [UInt8] = [], inputPath: String? = nil,
        environment: [String: String] = [:], readerHasGone: Bool = false, seconds: Int? = nil
    ) -> Outcome {
        run(
            program: program, bytes: arguments.map { Array($0.utf8) }, input: input, inputPath: inputPath,
            environment: environment, readerHasGone: readerHasGone, seconds: seconds)
    }

    /// Runs the command with arguments that need not be UTF-8.
    public func run(
        program: String = Command.path, bytes arguments: [[UInt8]], input: [UInt8] = [], inputPath: String? = nil,
        environment: [String: String] = [:], readerHasGone: Bool = false, seconds: Int? = nil
    ) -> Outcome {
        let streams = TemporaryFolder()
        _ = streams.put(input, "input")
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let write = O_WRONLY | O_CREAT
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, inputPath ?? streams.file("input"), O_RDONLY, 0)
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
        let variables = ["LOUPE_NO_SYNC": "1"].merging(environment) { $1 }.map { "\($0.key)=\($0.value)" }
        // The variables are for the command alone.
        let timer = seconds.map { ["/usr/bin/timeout", "-s", "KILL", "\($0)", "/usr/bin/env"] } ?? []
        let start = ["/usr/bin/env", "--chdir=\(folder.path)"] + timer + variables + [program]
        let (code, usage) = spawn(start.map { Array($0.utf8) } + arguments, &actions)
        return Outcome(
            code: code, output: TemporaryFolder.bytes(at: streams.file("output")) ?? [],
            errors: String(decoding: TemporaryFolder.bytes(at: streams.file("errors")) ?? [], as: UTF8.self),
            processorSeconds: usage.ru_utime.seconds + usage.ru_stime.seconds)
    }

    /// Runs the command and waits for its end.
    public func run(_ arguments: String..., input: [UInt8] = [], environment: [String: String] = [:]) -> Outcome {
        run(arguments, input: input, environment: environment)
    }

    /// Starts a program, waits for its end and returns `Outcome.code` and what it used.
    func spawn(_ arguments: [[UInt8]], _ actions: inout posix_spawn_file_actions_t) -> (Int32, rusage) {
        var argv: [UnsafeMutablePointer<CChar>?] =
            arguments.map { strdup($0.map(CChar.init(bitPattern:)) + [0]) } + [nil]
        defer { for pointer in argv { free(pointer) } }
        var process: pid_t = 0
        let failure = posix_spawn(&process, argv[0]!, &actions, nil, &argv, environ)
        precondition(failure == 0, "the command can't be run: \(String(cString: strerror(failure)))")
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
        return (status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f), usage)
    }
}

extension timeval {
    fileprivate var seconds: Double { Double(tv_sec) + Double(tv_usec) / 1e6 }
}

/// A separate thread, for example for the other end of a pipe. A task that blocks could wait for the thread that it needs.
public struct BackgroundThread {
    private final class Work {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    private var thread = pthread_t()

    /// Starts a thread that runs `body`.
    public init(_ body: @escaping @Sendable () -> Void) {
        let work = Unmanaged.passRetained(Work(body)).toOpaque()
        let code = pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, work)
        precondition(code == 0)
    }

    /// Waits for the end of the thread.
    public func join() {
        pthread_join(thread, nil)
    }
}
