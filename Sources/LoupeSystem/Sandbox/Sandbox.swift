import Synchronization

/// The restrictions of helper processes by the kernel, beside their limits on memory and time.
package struct Sandbox: Sendable {
    /// Which files they can read, by Landlock.
    package let limitsFiles: Bool
    /// Which system calls they can make, by seccomp.
    package let limitsCalls: Bool

    package init(limitsFiles: Bool, limitsCalls: Bool) {
        (self.limitsFiles, self.limitsCalls) = (limitsFiles, limitsCalls)
    }

    /// What is missing and what follows, as a clause; nil where nothing is.
    package var problem: String? {
        switch (limitsFiles, limitsCalls) {
        case (true, true): nil
        case (false, true):
            "the kernel refuses Landlock, so a document that breaks into a library can read this user's files"
        case (true, false):
            "the kernel refuses seccomp, so a document that breaks into a library can use the network and start programs"
        case (false, false):
            "the kernel refuses Landlock and seccomp, so a document that breaks into a library can do all that this user can"
        }
    }

    /// Whether documents are refused where a part is missing.
    package static var isRequired: Bool { required.load(ordering: .relaxed) }
    private static let required = Atomic(false)
    private static let hasWarned = Atomic(false)

    /// Lets documents be refused from now on where a part is missing.
    package static func require() { required.store(true, ordering: .relaxed) }

    /// Says once in a process what is missing.
    /// - Throws: where that is not enough.
    func check() throws(HelperFailure) {
        guard let problem else { return }
        if Self.isRequired {
            throw .notStarted(reason: "\(problem), and --require-sandbox is given; draw it where the kernel has both")
        }
        guard !Self.hasWarned.exchange(true, ordering: .relaxed) else { return }
        StandardError.warn("\(problem); draw what you trust, or refuse SVG, PDF, EXR and text by --require-sandbox")
    }

    /// That of helper processes on this machine; one is started to find out.
    package static func ofThisMachine() throws(HelperFailure) -> Sandbox { try HelperProcess().greet().sandbox }
}
