import Glibc
import LoupeImaging
import TestSupport
import Testing

/// SVGs that are made to crash, to hang or to fill the memory: each ends its own job with one sentence, and no other.
@Suite struct HostileSVGTests {
    let place: Workplace

    init() throws { place = try Workplace() }

    private static func svg(_ content: String, size: String = "width='40' height='30'") -> String {
        "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' xmlns:xi='http://www.w3.org/2001/XInclude' \(size)>\(content)</svg>"
    }

    private static func chain(_ count: Int, _ first: String, _ link: (Int) -> String, _ last: String) -> String {
        svg(first + (1..<count).map(link).joined() + last)
    }

    /// Drawing ends by a crash or for its memory, or on a busy machine for its time, as reading may; librsvg from 2.59 on
    /// refuses it.
    private static let drawing = ["ing it ", "it can't be drawn"]
    private static let rect = "<rect width='40' height='30' filter='url(#f)'/>"

    /// What must fail, by class. Each is a document that once crashed, hung or took gigabytes, or is like one.
    private static let refused: [(name: String, text: String, words: [String])] = [
        ("network", svg("<image href='http://127.0.0.1:9/a.png'/>"), ["http://127.0.0.1:9/a.png"]),
        (
            "masks",
            chain(
                5000, "<mask id='a0'/>",
                { "<mask id='a\($0)'><rect width='9' height='9' mask='url(#a\($0 - 1))'/></mask>" },
                "<rect width='9' height='9' mask='url(#a4999)'/>"), drawing
        ),
        ("truncated", String(svg(rect).dropLast(9)), ["can't be used"]),
        (
            "octaves",
            svg(
                "<filter id='f'><feTurbulence numOctaves='9' baseFrequency='.1'/></filter>"
                    + String(repeating: rect, count: 4000)),
            ["longer than 5 s"]
        ),
    ]

    /// What may draw something, but soon and within the memory.
    private static let harmless: [(name: String, text: String)] = [
        (
            "region",
            svg(
                "<filter id='f' x='-1e6' y='-1e6' width='2e9' height='2e9'><feGaussianBlur stdDeviation='1e5'/></filter>"
                    + rect)
        ),
        ("loop", svg("<g id='a'><use href='#a'/></g>")),
    ]

    /// One helper process serves a whole batch, and what ends it ends one job.
    @Test func eachEndsItsOwnJobOfABatch() throws {
        let good = Self.svg("<circle cx='20' cy='15' r='9' fill='#246'/>")
        func put(_ text: String, _ name: String) { place.put(text, name + ".svg") }
        put(good, "good")
        var lines: [String] = []
        for (number, name) in (Self.refused.map(\.name) + Self.harmless.map(\.name)).enumerated() {
            lines.append(
                #"{"input": "\#(name).svg", "output": "\#(name).png", "reference": true, "no-metadata": true}"#)
            lines.append(
                #"{"input": "good.svg", "output": "good-\#(number).png", "reference": true, "no-metadata": true}"#)
        }
        for (name, text, _) in Self.refused { put(text, name) }
        for (name, text) in Self.harmless { put(text, name) }
        place.put(lines.joined(separator: "\n"), "jobs.jsonl")
        let outcome = place.command.run("batch", "jobs.jsonl", "--svg-timeout", "5", "--quiet")
        #expect(outcome.code == 1)
        let errors = outcome.errors.split(separator: "\n")
        #expect(errors.count == Self.refused.count, "\(outcome.errors)")
        for (name, _, words) in Self.refused {
            let own = errors.filter { $0.contains(" \(name).svg: ") }
            #expect(own.count == 1 && words.contains { own[0].contains($0) }, "\(name): \(own)")
            #expect(place.bytes(name + ".png") == nil)
        }
        place.run("good.svg", "-o", "good.png", "--reference", "--no-metadata")
        let expected = try #require(place.bytes("good.png"))
        for number in 0..<(lines.count / 2) { #expect(place.bytes("good-\(number).png") == expected) }
    }

    @Test func pipeWithoutAWriterEnds() {
        mkfifo(place.folder.file("pipe.svg"), 0o600)
        let outcome = place.command.run("-", "-o", "out.png", input: Array(Self.svg("<image href='pipe.svg'/>").utf8))
        #expect(outcome.code == 65 && outcome.errors.contains("'pipe.svg' in <image>"))
        // As a page it is waited for, but not for ever.
        place.expectFailure(
            place.command.run(["pipe.svg", "-o", "out.png"], seconds: 30), 65, naming: "pipe.svg",
            files: ["page.png", "pipe.svg"])
    }

    @Test(arguments: ["nan", "0.09", "86401"])
    func timeLimitHasARange(_ value: String) {
        place.expectFailure(["page.png", "-o", "out.png", "--svg-timeout=\(value)"], 64, naming: "--svg-timeout")
    }

    /// What the kernel says of a helper process while it draws, and that it ends with the command.
    @Test func helperProcessHasNoRights() throws {
        let octaves = try #require(Self.refused.first { $0.name == "octaves" })
        place.put(octaves.text, "slow.svg")
        let drawing = BackgroundThread { [command = place.command] in
            _ = command.run("slow.svg", "-o", "out.png", "--svg-timeout", "1.5")
        }
        var helper: String?
        for _ in 0..<300 where helper == nil {
            usleep(10000)
            helper = TemporaryFolder.processes { $0.contains("loupe-documents") }.first {
                TemporaryFolder.text(at: "/proc/\($0)/status")?.contains("Seccomp:\t2") == true
            }
        }
        defer { drawing.join() }
        let number = try #require(helper)
        let status = try #require(TemporaryFolder.text(at: "/proc/\(number)/status"))
        #expect(status.contains("NoNewPrivs:\t1"))
        let limits = try #require(TemporaryFolder.text(at: "/proc/\(number)/limits"))
        for words in [["Max file size", " 0 "], ["Max core file size", " 0 "], ["Max open files", " 64 "]] {
            #expect(limits.split(separator: "\n").contains { $0.hasPrefix(words[0]) && $0.contains(words[1]) })
        }
    }
}

extension TemporaryFolder {
    /// The numbers of the processes with such a command line.
    static func processes(where test: (String) -> Bool) -> [String] {
        guard let folder = opendir("/proc") else { return [] }
        defer { closedir(folder) }
        var numbers: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard Int(name) != nil, let line = text(at: "/proc/\(name)/cmdline"), test(line) else { continue }
            numbers.append(name)
        }
        return numbers
    }

    static func text(at path: String) -> String? { bytes(at: path).map { String(decoding: $0, as: UTF8.self) } }
}
