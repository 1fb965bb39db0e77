import Glibc
import TestSupport
import Testing

@testable import LoupeImaging
@testable import LoupeSystem

/// Files that are missing, unreadable, no files at all, or slow.
struct PNGFileTests {
    private let folder = TemporaryFolder()

    private func error(at path: String) -> ImageError? {
        failure { () throws(ImageError) in _ = try PNG.read(path: Path(path)) }
    }

    @Test func aMissingFileIsUnreadable() {
        let error = error(at: "/nowhere/page.png")
        #expect(error?.description == "/nowhere/page.png: can't be read: No such file or directory")
        #expect(error?.kind == .unreadable)
    }

    @Test func aDirectoryIsUnreadable() {
        let error = error(at: folder.path)
        #expect(error?.description == "\(folder.path): can't be read: it is a directory; name a file in it")
        #expect(error?.kind == .unreadable)
    }

    @Test(.disabled(if: geteuid() == 0, "the superuser may read every file"))
    func aForbiddenFileIsUnreadable() {
        let path = folder.put(PNGBuilder.small().file, "secret.png", mode: 0)
        #expect(error(at: path)?.description == "\(path): can't be read: Permission denied")
    }

    @Test func aFailingReadIsUnreadableRatherThanCorrupt() {
        // Address 0 of this process's memory is never mapped.
        #expect(error(at: "/proc/self/mem")?.kind == .unreadable)
    }

    @Test func anEmptyFileIsInvalid() {
        let path = folder.put([], "empty.png")
        #expect(error(at: path) == .empty(name: path))
        #expect(error(at: path)?.kind == .invalid)
        #expect(error(at: "/dev/null") == .empty(name: "/dev/null"))
    }

    @Test func aPipeIsReadHoweverSlowlyItComes() throws {
        let (file, pixels) = PNGBuilder.small()
        let path = folder.file("pipe")
        mkfifo(path, 0o600)
        let writer = BackgroundThread {
            let pipe = open(path, O_WRONLY)
            for byte in file {
                _ = withUnsafeBytes(of: byte) { Glibc.write(pipe, $0.baseAddress, 1) }
                usleep(200)
            }
            close(pipe)
        }
        let image = try PNG.read(path: Path(path))
        writer.join()
        #expect(image.pixels == pixels)
    }

    @Test func aPictureIsWrittenToItsFile() throws {
        let (file, pixels) = PNGBuilder.small()
        let image = Image(width: 5, height: 3, pixels: pixels)
        try PNG.write(image, to: Path(folder.file("page.png")))
        #expect(try PNG.read(path: Path(folder.file("page.png"))) == PNG.decode(file, name: "small.png"))
        #expect(folder.names == ["page.png"])
    }

    @Test func aPlaceThatCannotBeWrittenIsUnwritable() {
        #expect {
            try PNG.write(Image(width: 1, height: 1, pixels: [0, 0, 0, 0]), to: "/nowhere/page.png")
        } throws: { error in
            (error as? ImageError)?.kind == .unwritable
        }
    }
}
