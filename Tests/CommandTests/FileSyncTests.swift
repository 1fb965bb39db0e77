import Glibc
import LoupeBase
import TestSupport
import Testing

import func Glibc.log

/// Written files are on the disk before they replace others, as the calls of the command show.
@Suite struct FileSyncTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try KindOfWork.prepare(place)
    }

    /// The calls of a run, in order.
    private func calls(
        _ arguments: [String], _ environment: [String: String] = [:], fails number: Int = 0, _ error: Int32 = 0
    ) -> (outcome: Command.Outcome, calls: [String]) {
        place.folder.remove("log")
        let shim = SyncLog.environment(place.folder.file("log"), fails: number, error)
        let outcome = place.command.run(
            arguments,
            environment: ["LOUPE_NO_SYNC": "0"].merging(shim, uniquingKeysWith: +)
                .merging(environment) { $0 + ":" + $1 }, seconds: 60)
        let text = String(decoding: place.bytes("log") ?? [], as: UTF8.self)
        place.folder.remove("log")
        return (outcome, text.split(separator: "\n").map(String.init))
    }

    /// A run that needs no device.
    private static let inspect = ["inspect", "page.png", "--at", "9,9", "--json", "out"]

    @Test func aFileIsSyncedBeforeItGetsItsNameAndItsFolderAfterwards() {
        let (first, new) = calls(Self.inspect)
        place.expectSuccess(first)
        #expect(new == ["file", "link", "folder"])
        let (second, replacing) = calls(Self.inspect)
        place.expectSuccess(second)
        #expect(replacing == ["file", "link", "rename", "folder"])
        let (third, named) = calls(Self.inspect, LimitedSystem.withoutProc)
        place.expectSuccess(third)
        #expect(named == ["file", "rename", "folder"])
        #expect(!place.folder.names.contains { $0.hasPrefix(".loupe-") })
    }

    private static let writing = KindOfWork.all.filter { !$0.output.isEmpty }

    @Test(arguments: Sample.of(writing, every: 5, from: 4))
    func everyKindOfOutputIsSyncedUnlessThatIsTurnedOff(work: KindOfWork) {
        let (outcome, synced) = calls(work.arguments)
        #expect(work.codes.contains(outcome.code), "\(outcome.errors)")
        #expect(synced.contains("file") && synced.last == "folder", "\(synced)")
        let bytes = place.bytes(work.output)
        for (flags, environment) in [(["--no-sync"], [:]), ([], ["LOUPE_NO_SYNC": "1"])] {
            var variables = SyncLog.environment(place.folder.file("log"))
            variables.merge(environment) { $1 }
            if environment.isEmpty { variables["LOUPE_NO_SYNC"] = "0" }
            place.folder.remove(work.output)
            let outcome = place.command.run(work.arguments + flags, environment: variables)
            #expect(work.codes.contains(outcome.code), "\(outcome.errors)")
            let log = String(decoding: place.bytes("log") ?? [], as: UTF8.self)
            #expect(!log.contains("file") && !log.contains("folder"), "\(flags): \(log)")
            #expect(place.bytes(work.output) == bytes)
            place.folder.remove("log")
        }
    }

    /// Each sync of a run fails in turn: that of the file, which then stays as it was, and that of its folder.
    @Test(arguments: [true, false], [true, false])
    func aFailedSyncIsNamed(isReplacing: Bool, hasNames: Bool) {
        let environment = hasNames ? LimitedSystem.withoutProc : [:]
        for number in 1...3 {
            if isReplacing { _ = place.folder.put([1, 2, 3], "out") } else { place.folder.remove("out") }
            let (outcome, _) = calls(Self.inspect, environment, fails: number, EIO)
            if number == 3 {
                place.expectSuccess(outcome)
                continue
            }
            #expect(outcome.code == 73, "\(outcome.errors)")
            #expect(outcome.errors == "loupe-render: error: out: can't be written: Input/output error\n")
            let old: [UInt8]? = isReplacing ? [1, 2, 3] : nil
            #expect((place.bytes("out") == old) == (number == 1), "sync \(number)")
            #expect(!place.folder.names.contains { $0.hasPrefix(".loupe-") })
        }
    }

    @Test(arguments: [EINVAL, ENOTSUP, EROFS])
    func whatCannotBeSyncedIsWritten(error: Int32) {
        for number in 1...2 { place.expectSuccess(calls(Self.inspect, fails: number, error).outcome) }
        place.expectSuccess(calls(["inspect", "page.png", "--at", "9,9", "--json", "/dev/null"]).outcome)
    }

    @Test func foldersOfManyFilesAreSyncedOnce() {
        for (arguments, files) in [
            (["replay", "session.json", "-o", "frames/%d.png", "--quiet"], 4),
            (["batch", "jobs.jsonl", "--quiet"], 2),
        ] {
            mkdir(place.folder.file("frames"), 0o755)
            for _ in 0..<2 {
                let (outcome, calls) = calls(arguments)
                place.expectSuccess(outcome)
                #expect(calls.count { $0 == "file" } == files, "\(calls)")
                #expect(calls.count { $0 == "folder" } == 1 && calls.last == "folder", "\(calls)")
            }
            // The last one is the folder's.
            let (outcome, _) = calls(arguments, fails: files + 1, EIO)
            #expect(outcome.code == 73)
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains("Input/output error"))
        }
    }
}
