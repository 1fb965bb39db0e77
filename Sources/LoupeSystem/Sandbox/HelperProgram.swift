import CSandbox
import Glibc

/// The program that runs as a helper process: `loupe-documents`.
enum HelperProgram {
    static let name = "loupe-documents"

    /// The path of the program, or a clause that says why there is none.
    static var path: Result<Path, HelperFailure> {
        if let named = getenv("LOUPE_DOCUMENTS").map({ Path(cString: $0) }), !named.isEmpty {
            guard isProgram(named) else {
                return .failure(
                    .notStarted(reason: "LOUPE_DOCUMENTS names \(named), which is no program; name loupe-documents"))
            }
            return .success(named)
        }
        // Where /proc is missing, the path by which the kernel started this program has to do.
        let started = csandbox_path_at_start().map { Path(cString: $0) } ?? ""
        for program in ["/proc/self/exe", started] {
            guard let folder = program.real?.folder else { continue }
            for place in [name, "../libexec/loupe-render/" + name] {
                let path = folder.appending(Path(place))
                if isProgram(path) { return .success(path) }
            }
        }
        return .failure(
            .notStarted(
                reason:
                    "the program loupe-documents, which draws it, is not beside this program; install Loupe again, or name it in the environment variable LOUPE_DOCUMENTS"
            ))
    }

    private static func isProgram(_ path: Path) -> Bool { path.withCString { access($0, X_OK) } == 0 }
}

/// The reason that a helper process gave no answer. The associated values are what a sentence needs.
package enum HelperFailure: Error, Equatable, Sendable {
    /// It can't be started; the reason is a clause.
    case notStarted(reason: String)
    /// A shared library that it needs is not installed, or too old.
    case noLibrary(String)
    /// It took longer than allowed, in seconds, and was ended.
    case timedOut(seconds: Double)
    /// It asked for more memory than allowed, in bytes.
    case outOfMemory(limit: Int)
    /// Files may not be as large as the memory that it shares, by `ulimit -f`.
    case overFileLimit
    /// It ended by itself; how, as a clause.
    case crashed(how: String)
    /// Its answer has not the form that was agreed on.
    case invalidAnswer
    /// It works, but does not do what it was asked for.
    case refused(HelperRefusal)

    /// Whether a program or a library is missing, and no document is at fault.
    package var isOfInstallation: Bool {
        switch self {
        case .notStarted, .noLibrary: true
        case .refused(let refusal): refusal.reason == .missingLibrary
        case .timedOut, .outOfMemory, .overFileLimit, .crashed, .invalidAnswer: false
        }
    }

    /// The limit on files as an error of writing one; nil for any other failure.
    package var fileError: FileError? {
        guard self == .overFileLimit else { return nil }
        return .unwritable(
            path: "the memory of a helper process", reason: "\(FileError.text(of: EFBIG)); see ulimit -f")
    }

    /// What happened, as a clause of a sentence.
    /// - Parameter task: what the process did, as "drawing page 2".
    package func clause(_ task: String) -> String {
        switch self {
        case .notStarted(let reason): reason
        case .noLibrary(let file):
            "it needs \(file), which is missing here; install librsvg 2.52, Pango 1.44, poppler 0.82 or newer and OpenEXR 3.1 (Debian: apt-get install librsvg2-2 libpangocairo-1.0-0 libpoppler-glib8 libopenexr-3-1-30)"
        case .timedOut(let seconds):
            "\(task) takes longer than \(seconds.short) s; allow more time with --svg-timeout"
        case .outOfMemory(let limit):
            "\(task) takes more than \(limit >> 20) MiB of memory; save it as a PNG, and use that"
        case .overFileLimit: "\(task) needs a larger ulimit -f"
        case .crashed(let how):
            "\(task) ended the helper process (\(how)); it may be broken: save it again by another program"
        case .invalidAnswer: "its helper process gave no valid answer; install Loupe again"
        case .refused(let refusal): refusal.text.isEmpty ? "it was refused" : refusal.line
        }
    }
}

extension Double {
    /// Without ".0".
    fileprivate var short: String { self == rounded() && abs(self) < 1e15 ? "\(Int(self))" : "\(self)" }
}
