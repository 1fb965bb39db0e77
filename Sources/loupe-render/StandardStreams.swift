import Glibc

/// Standard input, output and error.
enum StandardStreams {
    /// Call it before any file is opened.
    ///
    /// Who starts a program with one of them closed would have the first file that is opened in its place, and an error's
    /// sentence in a picture. What is put there instead refuses to be read or written; errors are let go.
    static func prepare() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            _ = open("/dev/null", number == STDOUT_FILENO ? O_RDONLY : O_WRONLY)
        }
    }
}
