import Glibc
import TestSupport
import Testing

/// Sources of unknown or growing length in every place where a command reads something: read within a bound.
@Suite struct EndlessInputTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try KindOfWork.prepare(place)
        place.run("verify", "suite", "--quiet", "--json", "report.json")
    }

    /// A place where a command reads something: the run, with `@` for the source.
    struct Reader: Sendable, CustomTestStringConvertible {
        let name: String
        let run: [String]
        /// What an endless source begins with, so that more than its first bytes are read.
        let start: String
        var testDescription: String { name }
    }

    /// The start of a PNG of 4×4 pixels.
    private static let png = "\u{89}PNG\r\n\u{1a}\n\0\0\0\rIHDR\0\0\0\u{4}\0\0\0\u{4}\u{8}\u{6}\0\0\0"

    static let readers: [Reader] = [
        Reader(name: "render", run: ["@", "-o", "out.png"], start: "{"),
        Reader(name: "render, a page", run: ["@", "-o", "out.png"], start: png),
        Reader(name: "render, an SVG", run: ["@", "-o", "out.png"], start: "<svg xmlns='http://www.w3.org/2000/svg'>"),
        Reader(name: "versus", run: ["page.png", "-o", "out.png", "--at", "9,9", "--versus", "@"], start: png),
        Reader(name: "inspect", run: ["inspect", "@", "--at", "1,1"], start: "{"),
        Reader(name: "check", run: ["check", "@"], start: png),
        Reader(name: "batch", run: ["batch", "@"], start: "{\"input\":"),
        Reader(name: "replay", run: ["replay", "@", "--dry-run", "--states", "out"], start: "{"),
        Reader(name: "diff, reference", run: ["diff", "@", "page.png"], start: png),
        Reader(name: "diff, actual", run: ["diff", "page.png", "@"], start: png),
        Reader(name: "diff, mask", run: ["diff", "page.png", "page.png", "--mask", "@"], start: png),
        Reader(name: "diff, scene", run: ["diff", "page.png", "page.png", "--scene", "@"], start: "{"),
        Reader(name: "report merge", run: ["report", "merge", "@"], start: "{"),
        Reader(name: "verify, accept list", run: ["verify", "suite", "--accept", "@"], start: "{"),
        Reader(name: "render, a PDF", run: ["@", "-o", "out.png"], start: "%PDF-1.7\n"),
        Reader(name: "other pages", run: ["page.png", "-o", "out.png", "--compare-with", "@"], start: png),
        Reader(name: "live", run: ["live", "@", "-o", "out.html"], start: "{\"model\":"),
        Reader(
            name: "live, more sessions", run: ["live", "session.json", "@", "-o", "out.html"], start: "{\"model\":"),
        Reader(
            name: "trace of a session",
            run: ["replay", "endless.json", "--dry-run", "--states", "out", "--allow-outside"],
            start: "{"),
        Reader(name: "edit", run: ["edit", "@", "--no-browser"], start: "{"),
        Reader(name: "trace", run: ["trace", "convert", "@", "-o", "out.jsonl"], start: "{"),
        Reader(name: "folders, accept list", run: ["diff", "suite", "suite", "--accept", "@"], start: "{"),
        Reader(name: "folders, limits", run: ["diff", "suite", "suite", "--limits", "@"], start: "{"),
        Reader(name: "bench, a shader", run: ["bench", "--quick", "@"], start: "void main() {"),
        Reader(name: "cost, a shader", run: ["cost", "@"], start: "void main() {"),
    ]

    private static let most = 1_300 << 20

    /// The arguments of a reader's run, with a source in the place of `@`, also inside a document.
    private func arguments(_ reader: Reader, reading source: String) -> [String] {
        let session = #"{"model": "loupe", "trace": "\#(source)", "scene": {"layers": [{"image": "page.png"}]}}"#
        place.put(session, "endless.json")
        return reader.run.map { $0 == "@" ? source : $0 }
    }

    private func expectBounded(_ run: (outcome: Command.Outcome, bytes: Int), most: Int = Self.most, _ what: String) {
        let (outcome, peak) = run
        #expect([64, 65, 66].contains(outcome.code), "\(what): \(outcome.code) \(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(what): \(outcome.errors)")
        #expect(peak < most, "\(what): \(peak >> 20) MiB")
    }

    /// Nothing in it can be any input, so its first bytes are enough.
    @Test(arguments: Sample.of(readers, every: 3)) func zerosAreRefusedAtOnce(reader: Reader) {
        for source in Sample.of(["/dev/zero", "/dev/urandom", "/dev/full"], every: 3) {
            let run = arguments(reader, reading: source)
            expectBounded(PeakMemory.run(place, run), most: 200 << 20, "\(reader.name) of \(source)")
        }
        if reader.run.first == "@" || ["inspect", "check", "batch", "replay"].contains(reader.run[0]) {
            let run = reader.run.map { $0 == "@" ? "-" : $0 }
            expectBounded(
                PeakMemory.run(place, run, inputPath: "/dev/zero", seconds: 20), "\(reader.name) of standard input")
        }
    }

    /// A FIFO whose writer goes on for ever after a good start.
    @Test(arguments: Sample.of(readers, every: 12)) func whatBeginsWellIsReadWithinABound(reader: Reader) {
        mkfifo(place.folder.file("fifo"), 0o600)
        let path = place.folder.file("fifo")
        let writer = BackgroundThread {
            signal(SIGPIPE, SIG_IGN)
            let descriptor = open(path, O_WRONLY)
            _ = reader.start.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }.withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            let spaces = [UInt8](repeating: 0x20, count: 1 << 16)
            while write(descriptor, spaces, spaces.count) > 0 {}
            close(descriptor)
        }
        let run = PeakMemory.run(place, arguments(reader, reading: "fifo"), seconds: 60)
        // Where the command has never opened it.
        close(open(path, O_RDONLY | O_NONBLOCK))
        writer.join()
        expectBounded(run, reader.name)
    }

    /// A file is read as far as it reached when it was opened.
    @Test func aFileThatGrowsIsReadAsItWas() throws {
        let text = #"{"layers": [{"image": "page.png"}]}"#
        let path = place.folder.put(Array(text.utf8), "growing.json")
        nonisolated(unsafe) let isOver = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        isOver.pointee = 0
        let writer = BackgroundThread {
            let descriptor = open(path, O_WRONLY | O_APPEND)
            let spaces = [UInt8](repeating: 0x20, count: 1 << 12)
            for _ in 0..<50_000 where isOver.pointee == 0 { _ = write(descriptor, spaces, spaces.count) }
            close(descriptor)
        }
        let outcome = place.command.run(["growing.json", "-o", "out.png"], seconds: 20)
        isOver.pointee = 1
        writer.join()
        place.expectSuccess(outcome)
    }
}
