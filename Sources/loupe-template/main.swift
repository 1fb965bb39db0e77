// Fills in the templates of HTML pages: lines of JSON in (`Page.lines`), the page's text out. `loupe-render` starts it
// where a page is asked for; the template library needs Foundation, whose start-up every other command would pay for.

import Glibc
import LoupeTemplate

/// Says why on standard error, where `loupe-render` reads it.
func fail(_ code: Int32, _ sentence: String) -> Never {
    let bytes = Array(sentence.utf8)
    _ = Glibc.write(STDERR_FILENO, bytes, bytes.count)
    exit(code)
}

func put(_ text: String) {
    let bytes = Array(text.utf8)
    var start = 0
    while start < bytes.count {
        let count = bytes[start...].withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count < 0 && errno != EINTR { fail(73, String(cString: strerror(errno))) }
        start += max(0, count)
    }
}

guard CommandLine.arguments.count == 1, isatty(STDIN_FILENO) == 0 else {
    fail(64, "loupe-template: error: this is a part of loupe-render, which starts it where it is needed\n")
}
signal(SIGPIPE, SIG_IGN)
var writer = PageWriter()
do {
    while let line = readLine() { put(try writer.text(of: line)) }
} catch {
    fail(70, "\(error)")
}
