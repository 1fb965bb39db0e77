import Glibc
import LoupeFiles
import LoupeImaging

/// What signals do to the command.
enum Signals {
    /// A closed pipe and a file over the size limit make a write fail instead of ending the process. Ctrl-C, a lost
    /// terminal and a polite request to end it leave no temporary file behind. What was ignored before stays ignored, as
    /// `nohup` asks for.
    static func prepare() {
        signal(SIGPIPE, SIG_IGN)
        signal(SIGXFSZ, SIG_IGN)
        TemporaryFiles.prepare()
        LastResort.prepare()
        for number in [SIGINT, SIGTERM, SIGHUP] where !isIgnored(number) { signal(number, endTidily) }
    }

    static func isIgnored(_ number: Int32) -> Bool {
        var action = sigaction()
        sigaction(number, nil, &action)
        // Functions can't be compared.
        let handler = unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        return handler == unsafeBitCast(SIG_IGN, to: Int.self)
    }
}

/// Removes temporary files and lets the signal end the process, as if nobody had caught it.
func endTidily(_ number: Int32) {
    TemporaryFiles.removeAll()
    signal(number, SIG_DFL)
    raise(number)
}
