import Glibc
import LoupeImaging
import Synchronization
import TestSupport
import Testing

/// Processes that may make no threads, and systems without /proc or a home folder.
@Suite struct LimitedSystemTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try KindOfWork.prepare(place)
    }

    /// A run without a limit, and its output.
    private struct Usual {
        let outcome: Command.Outcome
        let bytes: [UInt8]?
    }

    /// By the names of the kinds of work.
    private static let known = Mutex<[String: Usual]>([:])

    private func usual(_ work: KindOfWork) -> Usual {
        if let known = Self.known.withLock({ $0[work.name] }) { return known }
        let outcome = place.command.run(work.arguments)
        #expect(work.codes.contains(outcome.code), "\(outcome.errors)")
        let usual = Usual(outcome: outcome, bytes: place.bytes(work.output))
        Self.known.withLock { $0[work.name] = usual }
        if !work.output.isEmpty { place.folder.remove(work.output) }
        return usual
    }

    /// The output of a kind of work in a limited system, which has to be that of any other system.
    private func expectTheSame(_ work: KindOfWork, _ environment: [String: String], _ limit: String) {
        let usual = usual(work)
        let outcome = place.command.run(work.arguments, environment: environment, seconds: 60)
        #expect(outcome.code == usual.outcome.code, "\(limit): \(outcome.errors)")
        #expect(outcome.errors == usual.outcome.errors, "\(limit)")
        #expect(place.bytes(work.output) == usual.bytes, "\(limit)")
    }

    @Test(arguments: Sample.of(KindOfWork.all, every: 4)) func everyKindOfWorkNeedsNoThread(work: KindOfWork) {
        // Each kind of work tries another number of threads.
        for count in Sample.of(Array(0...4), every: 5, from: work.name.utf8.count) {
            expectTheSame(work, LimitedSystem.threads(count), "\(count) threads")
        }
    }

    /// `ulimit -s` in KiB.
    @Test(arguments: [32, 128]) func smallStacksAreEnlargedOrRefusedInASentence(size: Int) {
        func run(_ flags: String) -> Command.Outcome {
            let script = #"ulimit \#(flags) \#(size); exec "$0" "$@""#
            return place.command.run(
                program: "/bin/sh", ["-c", script, Command.path, "page.png", "-o", "out.png", "--at", "9,9"])
        }
        let enlarged = run("-S -s")
        place.expectSuccess(enlarged)
        let refused = run("-s")
        #expect(refused.code == 70 && refused.errors.contains("ulimit -s"), "\(refused.code) \(refused.errors)")
    }

    @Test(arguments: Sample.of(KindOfWork.all, every: 4, from: 2)) func everyKindOfWorkNeedsNoProc(work: KindOfWork) {
        expectTheSame(work, LimitedSystem.withoutProc, "no /proc")
    }

    /// Compiled shaders are kept in a folder of the user's own, and nowhere else; without one the picture is the same.
    @Test func shadersAreKeptWhereTheUserAloneCanWrite() throws {
        func draw(_ name: String, home: String, _ more: [String: String] = [:]) -> [UInt8]? {
            var environment = ["HOME": place.folder.file(home), "XDG_CACHE_HOME": ""]
            environment.merge(more) { $1 }
            place.run(["page.png", "-o", name, "--at", "9,9"], environment: environment)
            return TemporaryFolder.bytes(at: place.folder.file(name))
        }
        for home in ["home", "narrow"] { _ = place.folder.put([], "\(home)/empty") }
        let picture = draw("first.png", home: "home")
        #expect(picture != nil)
        #expect(place.folder.names(in: "home") == [".cache", "empty"])
        #expect(!place.folder.names(in: "home/.cache/loupe/shaders").isEmpty)
        #expect(draw("again.png", home: "home") == picture)

        // Mesa would give code of another width of vectors, which writes beyond its memory.
        #expect(draw("narrow.png", home: "narrow", ["LP_NATIVE_VECTOR_WIDTH": "128"]) != nil)
        #expect(place.folder.names(in: "narrow") == ["empty"])

        // Somebody else could put code there.
        _ = place.folder.put([], "open/.cache/loupe/shaders/empty")
        chmod(place.folder.file("open/.cache/loupe/shaders"), 0o777)
        #expect(draw("open.png", home: "open") == picture)
        #expect(place.folder.names(in: "open/.cache/loupe/shaders") == ["empty"])

        _ = place.folder.put([], "file/.cache")
        #expect(draw("file.png", home: "file") == picture)
        #expect(draw("none.png", home: "missing") == picture)
        #expect(!place.folder.names(in: ".").contains("missing"))

        _ = place.folder.put([], "named/empty")
        let named = ["MESA_SHADER_CACHE_DIR": place.folder.file("named"), "MESA_SHADER_CACHE_DISABLE": "true"]
        #expect(draw("named.png", home: "other", named) == picture)
        #expect(place.folder.names(in: "named") == ["empty"])
    }
}
