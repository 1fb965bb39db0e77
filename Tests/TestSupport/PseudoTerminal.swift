import Glibc
import Synchronization

extension Command {
    /// Whether this machine gives out terminals: `/dev/ptmx` and `/dev/pts` are there. Tests that need one are skipped, and
    /// say so, where it does not.
    public static let hasTerminals: Bool = {
        guard let terminal = Terminal() else { return false }
        let other = open(terminal.name, O_RDWR | O_NOCTTY)
        if other >= 0 { close(other) }
        return other >= 0
    }()

    /// Runs the command with a terminal as its standard output and standard error, and waits for its end.
    /// - Returns: The exit code, and all that a person would have seen, with the terminal's line ends.
    public func runOnTerminal(
        _ arguments: String..., environment: [String: String] = [:]
    ) -> (code: Int32, text: String) {
        guard Self.hasTerminals, let terminal = Terminal() else { return (-1, "there is no terminal") }
        var size = winsize(ws_row: 40, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0)
        _ = ioctl(terminal.number, UInt(TIOCSWINSZ), &size)
        // Open until the command has ended, so that the reader does not see an end before the beginning.
        let other = open(terminal.name, O_RDWR | O_NOCTTY)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        for stream in [STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, stream, terminal.name, O_WRONLY | O_NOCTTY, 0)
        }
        let seen = Seen()
        let reader = BackgroundThread { seen.read(from: terminal.number) }
        let variables = environment.map { "\($0.key)=\($0.value)" }
        let start = ["/usr/bin/env", "-u", "NO_COLOR", "--chdir=\(folder.path)", "TERM=xterm"] + variables
        let (code, _) = spawn((start + [Command.path] + arguments).map { Array($0.utf8) }, &actions)
        close(other)
        reader.join()
        return (code, seen.text)
    }
}

/// A new terminal's side that sees what is written to it.
private final class Terminal: Sendable {
    let number: Int32
    /// The path of the side that a program writes to.
    let name: String

    /// Nil where there is none.
    init?() {
        // As posix_openpt, unlockpt and ptsname do, which Swift's Glibc does not have.
        number = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        let (setLock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
        var (lock, index): (Int32, Int32) = (0, 0)
        let isOpen = number >= 0 && ioctl(number, setLock, &lock) == 0 && ioctl(number, getNumber, &index) == 0
        name = "/dev/pts/\(index)"
        if !isOpen { return nil }
    }

    deinit { if number >= 0 { close(number) } }
}

/// What has come out of a terminal.
private final class Seen: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

    /// Reads until nobody has the terminal open any more.
    func read(from terminal: Int32) {
        var part = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = Glibc.read(terminal, &part, part.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return }
            bytes.withLock { $0 += part[..<count] }
        }
    }
}
