import Glibc
import LoupeBase
import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// An image file that is opened once and read several times.
@Suite struct OpenedImageTests {
    private let folder = TemporaryFolder()
    private static let red = Image(width: 2, height: 1, pixels: [255, 0, 0, 255, 255, 0, 0, 255])

    @Test func everythingIsReadFromTheFileThatWasOpened() throws {
        let text = PNGText("note", "first", form: .international)
        let bytes = try PNG.encode(Self.red, options: PNGOptions(texts: [text]))
        let path = folder.put(bytes, "page.png")
        let file = try ImageFile(path: Path(path))
        try PNG.write(Image(width: 1, height: 1, pixels: [0, 0, 0, 255]), to: Path(path))
        #expect((file.name, file.format, file.isVector) == (path, .png, false))
        #expect(file.size == ImageSize(width: 2, height: 1))
        #expect(try file.text("note") == "first")
        #expect(try file.image() == Self.red)
        #expect(try file.image() == Self.red, "again")
        var rows: [UInt8] = []
        try file.rows().forEachBand { band, _ in rows += band }
        #expect(rows == Self.red.pixels)
        #expect(try file.digest() == ImageFile(bytes, name: "a").digest())
        #expect(try ImageFile(path: Path(path)).size == ImageSize(width: 1, height: 1))
    }

    @Test func digestIsTheOneOfSha256sum() throws {
        let path = folder.put(Array("<svg width='1' height='1' xmlns='http://www.w3.org/2000/svg'/>".utf8), "a.svg")
        let known = "fe87b51b189f79918580aed57bd0e92c34364aef1c0b6c1d0a75610b339b8405"
        #expect(try ImageFile(path: Path(path)).digest() == known)
    }

    @Test func pipeIsReadOnceAndUsedOften() throws {
        let path = folder.file("pipe")
        mkfifo(path, 0o600)
        let bytes = try PNG.encode(Self.red)
        let writer = BackgroundThread {
            let pipe = open(path, O_WRONLY)
            _ = bytes.withUnsafeBytes { Glibc.write(pipe, $0.baseAddress, $0.count) }
            close(pipe)
        }
        let file = try ImageFile(path: Path(path))
        writer.join()
        #expect(try file.image() == Self.red)
        #expect(try file.digest() == ImageFile(bytes, name: "a").digest())
    }

    @Test func fileThatIsWrittenToMeanwhileIsRefused() throws {
        let path = folder.put(try PNG.encode(Self.red), "page.png")
        let file = try ImageFile(path: Path(path))
        _ = folder.put(try PNG.encode(Image(width: 1, height: 1, pixels: [0, 0, 0, 255])), "page.png")
        let error = ImageError.corrupt(name: path, reason: "it changed while it was read")
        #expect(throws: error) { try file.image() }
        #expect(throws: error) { try file.rows().forEachBand { _, _ in } }
    }

    @Test func releasedImageCannotBeRead() throws {
        let file = try ImageFile(PNG.encode(Self.red), name: "a")
        file.release()
        #expect(throws: ImageError.self) { try file.image() }
        #expect(throws: ImageError.self) { try file.digest() }
        #expect(file.size == ImageSize(width: 2, height: 1))
    }

    #if compiler(>=6.2)
        /// In a process of its own, as it closes the files that other tests have opened.
        @Test func moreFilesThanAreKeptOpenAreStillRead() async {
            await #expect(processExitsWith: .success) {
                let folder = TemporaryFolder()
                let path = folder.put(try PNG.encode(OpenedImageTests.red), "page.png")
                let files = try (0..<600).map { _ in try ImageFile(path: Path(path)) }
                for file in files { #expect(try file.image() == OpenedImageTests.red) }
                withExtendedLifetime(folder) {}
            }
        }
    #endif

    @Test func otherFilesAreReadWhole() throws {
        let path = folder.put(Array("{}".utf8), "scene.json")
        guard case .document(let bytes) = try ImageFile.open(path: Path(path)) else {
            throw ImageError.empty(name: path)
        }
        #expect(bytes == Array("{}".utf8))
        #expect(throws: ImageError.unknownFormat(name: path, start: bytes)) { try ImageFile(path: Path(path)) }
        #expect(throws: ImageError.self) { try ImageFile.open(path: Path(folder.file("missing.png"))) }
    }

    @Test func onlyAPNGHasRows() throws {
        let text = Array("<svg width='1' height='1' xmlns='http://www.w3.org/2000/svg'/>".utf8)
        #expect(throws: ImageError.notPNG(name: "a", start: Array(text.prefix(64)))) {
            try ImageFile(text, name: "a").rows()
        }
    }
}
