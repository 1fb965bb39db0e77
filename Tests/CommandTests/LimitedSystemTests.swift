import Glibc
import LoupeImaging
import TestSupport
import Testing

/// Processes that may make no threads, and systems without /proc or a home folder.
@Suite struct LimitedSystemTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try KindOfWork.prepare(place)
    }

    /// The output of a kind of work in a limited system, which has to be that of any other system.
    private func expectTheSame(_ work: KindOfWork, _ environment: [String: String], _ limit: String) {
        let usual = place.command.run(work.arguments)
        #expect(work.codes.contains(usual.code), "\(usual.errors)")
        let bytes = place.bytes(work.output)
        if !work.output.isEmpty { place.folder.remove(work.output) }
        let outcome = place.command.run(work.arguments, environment: environment, seconds: 60)
        #expect(outcome.code == usual.code, "\(limit): \(outcome.errors)")
        #expect(outcome.errors == usual.errors, "\(limit)")
        #expect(place.bytes(work.output) == bytes, "\(limit)")
    }

    @Test(arguments: KindOfWork.all) func everyKindOfWorkNeedsNoThread(work: KindOfWork) {
        for count in Sample.of(Array(0...4), every: 3) {
            expectTheSame(work, LimitedSystem.threads(count), "\(count) threads")
        }
    }

    @Test(arguments: KindOfWork.all) func everyKindOfWorkNeedsNoProc(work: KindOfWork) {
        expectTheSame(work, LimitedSystem.withoutProc, "no /proc")
    }

    @Test func aHomeFolderIsNeitherReadNorNeeded() throws {
        _ = place.folder.put([], "home/empty")
        chmod(place.folder.file("home"), 0o500)
        let home = place.folder.file("home")
        place.expectSuccess(
            place.command.run(
                "page.png", "-o", "out.png", "--at", "9,9",
                environment: ["HOME": home, "XDG_CACHE_HOME": home + "/cache"]))
        #expect(place.folder.names(in: "home") == ["empty"])
        chmod(home, 0o700)
        place.expectSuccess(
            place.command.run(
                "page.png", "-o", "out.png", "--at", "9,9", environment: ["HOME": home, "XDG_CACHE_HOME": home]))
        #expect(place.folder.names(in: "home") == ["empty"], "no shader cache is made")
    }
}
