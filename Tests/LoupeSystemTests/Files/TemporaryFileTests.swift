import Glibc
import TestSupport
import Testing

@testable import LoupeSystem

/// Files that are not whole yet, on file systems with and without files that have no name.
@Suite struct TemporaryFileTests {
    private let folder = TemporaryFolder()
    private var target: String { folder.file("out") }
    private let ways = [true, false]

    private func write(_ text: String, mayBeNameless: Bool) throws {
        let file = try #require(TemporaryFile(for: Path(target), mayBeNameless: mayBeNameless))
        Glibc.write(file.descriptor, text, text.utf8.count)
        #expect(file.moveIntoPlace() == 0)
    }

    /// The name that a killed process leaves.
    private func leftover() throws -> String {
        let file = try #require(TemporaryFile(for: Path(target), mayBeNameless: false))
        defer { _ = file.moveIntoPlace() }
        return try #require(folder.names.first { $0.hasPrefix(".loupe-") })
    }

    @Test func fileIsSeenOnlyOnceItIsWhole() throws {
        for mayBeNameless in ways {
            folder.remove("out")
            let file = try #require(TemporaryFile(for: Path(target), mayBeNameless: mayBeNameless))
            #expect(!folder.names.contains("out"))
            #expect(folder.names.isEmpty == mayBeNameless, "this file system can't do without names")
            #expect(file.moveIntoPlace() == 0)
            #expect(folder.names == ["out"])
        }
    }

    @Test func oldFileIsReplaced() throws {
        for mayBeNameless in ways {
            _ = folder.put(Array("old".utf8), "out")
            try write("new", mayBeNameless: mayBeNameless)
            #expect(TemporaryFolder.bytes(at: target) == Array("new".utf8))
            #expect(folder.names == ["out"])
        }
    }

    @Test func fileThatIsGivenUpLeavesNothing() throws {
        for mayBeNameless in ways {
            do { _ = try #require(TemporaryFile(for: Path(target), mayBeNameless: mayBeNameless)) }
            #expect(folder.names.isEmpty)
        }
    }

    @Test func whatAKilledProcessLeftIsRemovedByTheNextThatWritesTheSame() throws {
        let name = try leftover()
        for mayBeNameless in ways {
            _ = folder.put(Array("half".utf8), name)
            _ = folder.put(Array("old".utf8), "out")
            try write("new", mayBeNameless: mayBeNameless)
            #expect(TemporaryFolder.bytes(at: target) == Array("new".utf8))
            #expect(folder.names == ["out"])
        }
    }

    @Test func whatAnotherProcessIsWritingIsLeftAlone() throws {
        let name = try leftover()
        let other = open(folder.put(Array("half".utf8), name), O_WRONLY)
        defer { close(other) }
        #expect(flock(other, LOCK_EX) == 0)
        for mayBeNameless in ways {
            _ = folder.put(Array("old".utf8), "out")
            try write("new", mayBeNameless: mayBeNameless)
            #expect(TemporaryFolder.bytes(at: target) == Array("new".utf8))
            #expect(folder.names == [name, "out"])
        }
    }

    @Test func noNameCanBeForeseen() throws {
        #expect(try Set((0..<20).map { _ in try leftover() }).count == 20)
    }

    @Test func manyWritersOfOneFileLeaveOneWholeFile() async throws {
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<64 {
                group.addTask { [folder] in
                    let text = String(repeating: "\(number % 10)", count: 10_000)
                    let file = TemporaryFile(for: Path(folder.file("out")), mayBeNameless: number % 3 == 0)
                    guard let file else { return }
                    Glibc.write(file.descriptor, text, text.utf8.count)
                    _ = file.moveIntoPlace()
                }
            }
        }
        let bytes = try #require(TemporaryFolder.bytes(at: target))
        #expect(bytes.count == 10_000 && Set(bytes).count == 1)
        #expect(folder.names == ["out"])
    }

    #if compiler(>=6.2)
        // In a process of its own, as other tests have files open.
        @Test func handlerOfASignalRemovesFilesThatHaveAName() async {
            await #expect(processExitsWith: .success) {
                let folder = TemporaryFolder()
                TemporaryFiles.prepare()
                let file = try #require(TemporaryFile(for: Path(folder.file("out")), mayBeNameless: false))
                #expect(folder.names.count == 1)
                TemporaryFiles.removeAll()
                #expect(folder.names.isEmpty)
                withExtendedLifetime(file) {}
            }
        }

        // In a process of its own, as the tests run with `LOUPE_NO_SYNC`: synced files get their names in another way.
        @Test func allOfThisHoldsForSyncedFiles() async {
            await #expect(processExitsWith: .success) {
                FileSync.isOn = true
                try TemporaryFileTests().fileIsSeenOnlyOnceItIsWhole()
                try TemporaryFileTests().oldFileIsReplaced()
                try TemporaryFileTests().fileThatIsGivenUpLeavesNothing()
                try TemporaryFileTests().whatAKilledProcessLeftIsRemovedByTheNextThatWritesTheSame()
                try TemporaryFileTests().whatAnotherProcessIsWritingIsLeftAlone()
                try TemporaryFileTests().folderOfTheTargetsNameIsKept()
                try await TemporaryFileTests().manyWritersOfOneFileLeaveOneWholeFile()
            }
        }
    #endif

    @Test func folderOfTheTargetsNameIsKept() throws {
        for mayBeNameless in ways {
            let file = try #require(TemporaryFile(for: Path(target), mayBeNameless: mayBeNameless))
            // It appears while the file is written.
            #expect(mkdir(target, 0o777) == 0)
            _ = folder.put(Array("kept".utf8), "out/inside")
            #expect(file.moveIntoPlace() == EISDIR)
            #expect(TemporaryFolder.bytes(at: target + "/inside") == Array("kept".utf8))
            #expect(folder.names == ["out"])
            unlink(target + "/inside")
            rmdir(target)
        }
    }
}
