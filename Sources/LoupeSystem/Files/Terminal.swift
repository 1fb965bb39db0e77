import Glibc
import LoupeBase

/// The known properties of the terminals that the standard streams lead to.
package enum Terminal {
    /// Whether a stream leads to a terminal.
    package static func isTerminal(_ stream: Int32) -> Bool { isatty(stream) == 1 }

    /// Whether the terminal knows no control sequences, such as Emacs' shell.
    package static var isDumb: Bool { variable("TERM") == "dumb" }

    /// A variable of the environment; empty where it is not set.
    package static func variable(_ name: String) -> String { getenv(name).map { String(cString: $0) } ?? "" }

    /// The width in columns; 80 where it is unknown.
    package static func columns(of stream: Int32) -> Int {
        var size = winsize()
        guard ioctl(stream, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }
}

/// Lines for a person beside what a command writes.
package enum StandardError {
    /// Writes a text; an error is ignored, as there is nowhere to report it.
    package static func write(_ text: String) {
        let bytes = Array(text.utf8)
        _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    }

    /// Says what a person should know.
    package static func note(_ sentence: String) { write("loupe-render: note: \(sentence.forTerminal)\n") }

    /// Says what looks wrong.
    package static func warn(_ sentence: String) { write("loupe-render: warning: \(sentence.forTerminal)\n") }
}
