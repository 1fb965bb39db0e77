import Glibc
import TestSupport
import Testing

@testable import LoupeSystem

/// Files appear whole or not at all. Serialized, because the umask belongs to the whole process.
@Suite(.serialized)
struct AtomicFileTests {
    private let folder = TemporaryFolder()
    private let old = Array("old".utf8)
    private let new = Array("new bytes".utf8)

    private func error(_ bytes: [UInt8], to path: String) -> String? {
        failure { () throws(FileError) in try AtomicFile.write(bytes, to: Path(path)) }?.description
    }

    @Test func anExistingFileIsReplacedAndKeepsItsPermissions() throws {
        let path = folder.put(old, "out", mode: 0o640)
        try AtomicFile.write(new, to: Path(path))
        #expect(TemporaryFolder.bytes(at: path) == new)
        #expect(TemporaryFolder.mode(of: path) == 0o640)
        #expect(folder.names == ["out"])
    }

    @Test(arguments: [0o022, 0o077, 0o002] as [mode_t])
    func aNewFileHoldsTheBytesAndHonoursTheUmask(mask: mode_t) throws {
        let before = umask(mask)
        defer { umask(before) }
        try AtomicFile.write(new, to: Path(folder.file("out")))
        #expect(TemporaryFolder.bytes(at: folder.file("out")) == new && folder.names == ["out"])
        #expect(TemporaryFolder.mode(of: folder.file("out")) == 0o666 & ~mask)
    }

    @Test func whileAPrivateFileIsReplacedNobodyElseCanReadTheNewOne() throws {
        let path = folder.put(old, "out", mode: 0o600)
        let before = umask(0)
        defer { umask(before) }
        try AtomicFile.write(to: Path(path)) { descriptor in
            var status = stat()
            #expect(fstat(descriptor, &status) == 0 && status.st_mode & 0o777 == 0o600)
            return 0
        }
        #expect(TemporaryFolder.mode(of: path) == 0o600)
    }

    @Test func aFailureWhileWritingLeavesTheOldFileAndNothingElse() {
        let path = folder.put(old, "out")
        #expect(throws: FileError.unwritable(path: path, reason: "No space left on device")) {
            try AtomicFile.write(to: Path(path)) { descriptor in
                Glibc.write(descriptor, "half", 4)
                return ENOSPC
            }
        }
        #expect(TemporaryFolder.bytes(at: path) == old)
        #expect(folder.names == ["out"])
    }

    @Test func theOldFileIsSeenUntilTheNewOneIsWhole() throws {
        let path = folder.put(old, "out")
        try AtomicFile.write(to: Path(path)) { descriptor in
            Glibc.write(descriptor, "new", 3)
            #expect(TemporaryFolder.bytes(at: path) == old)
            return 0
        }
        #expect(TemporaryFolder.bytes(at: path) == Array("new".utf8))
    }

    @Test func aFailingRenameLeavesNothingBehind() {
        let path = folder.file("out")
        #expect(throws: FileError.self) {
            try AtomicFile.write(to: Path(path)) { _ in
                mkdir(path, 0o700)
                return 0
            }
        }
        #expect(folder.names == ["out"])
        rmdir(path)
    }

    @Test func aLinkStaysAndItsTargetIsReplaced() throws {
        let target = folder.put(old, "target")
        symlink("target", folder.file("link"))
        try AtomicFile.write(new, to: Path(folder.file("link")))
        #expect(TemporaryFolder.bytes(at: target) == new)
        var status = stat()
        #expect(lstat(folder.file("link"), &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(folder.names == ["link", "target"])
    }

    @Test func aLinkThatLeadsNowhereIsRefused() {
        let path = folder.file("link")
        symlink("gone", path)
        #expect(
            error(new, to: path)
                == "\(path): can't be written: it is a link to a missing file; remove the link, or make its target")
        #expect(folder.names == ["link"])
    }

    @Test func aDirectoryIsRefused() {
        #expect(
            error(new, to: folder.path)
                == "\(folder.path): can't be written: it is a directory; name a file in it")
    }

    @Test func aMissingFolderIsNamed() {
        let path = folder.file("none/out")
        #expect(
            error(new, to: path)
                == "\(path): can't be written: there is no folder '\(folder.path)/none/'; make it first")
    }

    @Test(arguments: ["", "missing/"])
    func aPathWithoutAFileNameIsRefused(path: String) {
        #expect(error(new, to: path)?.contains("can't be written: ") == true)
    }

    @Test func aFileInTheWayOfAFolderIsRefused() {
        let path = folder.put(old, "file") + "/out"
        #expect(error(new, to: path) == "\(path): can't be written: Not a directory")
    }

    @Test(.disabled(if: geteuid() == 0, "the superuser may write everywhere"))
    func aReadOnlyFolderOrFileIsRefused() {
        let path = folder.put(old, "out", mode: 0o444)
        #expect(error(new, to: path) == "\(path): can't be written: Permission denied")
        chmod(folder.path, 0o500)
        #expect(error(new, to: folder.file("other"))?.contains("Permission denied") == true)
        chmod(folder.path, 0o700)
        #expect(folder.names == ["out"])
    }

    @Test func aNameAsLongAsTheSystemAllowsIsWritten() throws {
        let path = folder.file(String(repeating: "n", count: 255))
        try AtomicFile.write(new, to: Path(path))
        #expect(TemporaryFolder.bytes(at: path) == new)
    }

    @Test func devicesAreWrittenToDirectly() {
        #expect(error(new, to: "/dev/null") == nil)
        #expect(error(new, to: "/dev/full") == "/dev/full: can't be written: No space left on device")
        var status = stat()
        #expect(stat("/dev/null", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR)
    }

    @Test func aPipeIsWrittenToDirectly() throws {
        let path = folder.file("pipe")
        mkfifo(path, 0o600)
        let reader = open(path, O_RDWR)
        defer { close(reader) }
        try AtomicFile.write(new, to: Path(path))
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = Glibc.read(reader, &bytes, bytes.count)
        #expect(Array(bytes.prefix(count)) == new)
        #expect(folder.names == ["pipe"])
    }

    @Test func anOpenDescriptorIsWrittenToWhereItStands() throws {
        let path = folder.put(old, "log")
        let descriptor = open(path, O_WRONLY | O_APPEND)
        try AtomicFile.write(new, to: "/dev/fd/\(descriptor)")
        close(descriptor)
        #expect(TemporaryFolder.bytes(at: path) == old + new)
    }
}
