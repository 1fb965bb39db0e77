import Glibc

/// Starts another program beside this one, without a shell.
package enum Spawn {
    /// Starts a program and returns its process, or -1 and the code of an error.
    ///
    /// It has the descriptors that are named and those without `FD_CLOEXEC`. It belongs to a process group of its own, so
    /// that Ctrl-C reaches it only through this program, and ignores and blocks no signal.
    /// - Parameters:
    ///   - arguments: with the program's name as the first one.
    ///   - descriptors: by the numbers that they have in the program, which are less than 10.
    ///   - variables: of the environment, which the program has in place of this one's of the same names.
    package static func start(
        _ program: Path, _ arguments: [String], descriptors: [Int32: Int32], variables: [String: String] = [:]
    ) -> (process: pid_t, code: Int32) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        // Duplicated beyond the numbers that are given out, as one of these may be the source of a later one.
        var sources: [Int32] = []
        defer { for source in sources { close(source) } }
        for (number, descriptor) in descriptors {
            let source = fcntl(descriptor, F_DUPFD_CLOEXEC, 10)
            if source < 0 { return (-1, errno) }
            sources.append(source)
            posix_spawn_file_actions_adddup2(&actions, source, number)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setpgroup(&attributes, 0)
        posix_spawnattr_setflags(
            &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP))
        var words: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // No memory for one of them.
        if words.firstIndex(of: nil) != arguments.count { return (-1, ENOMEM) }
        var process: pid_t = -1
        var environment = variables.isEmpty ? [] : entries(with: variables)
        defer { for entry in environment { free(entry) } }
        let code = program.withCString { path in
            variables.isEmpty
                ? posix_spawn(&process, path, &actions, &attributes, &words, environ)
                : posix_spawn(&process, path, &actions, &attributes, &words, &environment)
        }
        return code == 0 ? (process, 0) : (-1, code)
    }

    /// This program's environment with other variables, as C has it; each entry is to be freed.
    private static func entries(with variables: [String: String]) -> [UnsafeMutablePointer<CChar>?] {
        var entries: [UnsafeMutablePointer<CChar>?] = []
        var next = environ
        while let entry = next.pointee {
            let name = String(cString: entry).prefix { $0 != "=" }
            if variables[String(name)] == nil { entries.append(strdup(entry)) }
            next += 1
        }
        return entries + variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    }
}
