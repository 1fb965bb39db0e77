import Glibc
import LoupeImaging
import TestSupport
import Testing

/// `--max-memory`: each class of input that takes much memory ends in a picture or a sentence, and the process never held
/// more than it was allowed.
@Suite struct MemoryLimitTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        try KindOfWork.prepare(place)
    }

    /// An input that takes much memory, and the run that reads it.
    struct Class: Sendable, CustomTestStringConvertible {
        let name: String
        let run: [String]
        /// Writes the inputs.
        let prepare: @Sendable (Workplace) throws -> Void
        /// In MiB.
        var limits = [250, 500]

        var testDescription: String { name }
    }

    private static func scene(_ canvas: Int) -> String {
        #"{"canvas": {"width": \#(canvas), "height": \#(canvas)}, "layers": [{"image": "page.png", "rect": [0, 0, 40, 30]}]}"#
    }

    private static func put(_ text: String, _ name: String) -> @Sendable (Workplace) -> Void {
        { place in place.put(text, name) }
    }

    /// A PNG of zeros, which is small.
    private static func emptyPNG(_ side: Int, _ name: String, is16Bit: Bool = false)
        -> @Sendable (Workplace) throws -> Void
    {
        { place in
            let image =
                is16Bit
                ? Image(width: side, height: side, pixels16: [UInt16](repeating: 0, count: side * side * 4))
                : Image(width: side, height: side, pixels: [UInt8](repeating: 0, count: side * side * 4))
            try place.put(image, name)
        }
    }

    /// Pictures of a size that a metric can compare with 500 MiB, but only just.
    private static func difference(by metric: String, side: Int) -> Class {
        Class(
            name: "difference by \(metric)",
            run: ["diff", "big.png", "big.png", "--metric", metric, "-o", "out.png", "--quiet"],
            prepare: emptyPNG(side, "big.png"), limits: [300, 400, 500])
    }

    static let classes: [Class] = [
        Class(name: "canvas", run: ["big.json", "-o", "out.png"], prepare: put(scene(7000), "big.json")),
        Class(
            name: "canvas in linear blending",
            run: ["page.png", "-o", "out.png", "--canvas", "5000x5000", "--blending", "linear"],
            prepare: { _ in }),
        Class(
            name: "canvas of 16 bits", run: ["big.json", "-o", "out.png", "--depth", "16"],
            prepare: put(scene(4500), "big.json")),
        Class(
            name: "canvas of the reference", run: ["big.json", "-o", "out.png", "--reference"],
            prepare: put(scene(3600), "big.json"), limits: [250]),
        Class(name: "page", run: ["big.png", "-o", "out.png"], prepare: emptyPNG(6000, "big.png")),
        Class(
            name: "page of 16 bits", run: ["big.png", "-o", "out.png", "--depth", "16"],
            prepare: emptyPNG(4500, "big.png", is16Bit: true)),
        Class(
            name: "two pages", run: ["two.json", "-o", "out.png"],
            prepare: { place in
                try emptyPNG(4000, "a.png")(place)
                try emptyPNG(4001, "b.png")(place)
                let layers = #"[{"image": "a.png", "rect": [0, 0, 40, 30]}, {"image": "b.png", "rect": [0, 0, 9, 9]}]"#
                put(#"{"canvas": {"width": 40, "height": 30}, "layers": \#(layers)}"#, "two.json")(place)
            }),
        Class(
            name: "compared pages", run: ["big.png", "--compare-with", "big.png", "-o", "out.png"],
            prepare: emptyPNG(3000, "big.png")),
        Class(name: "figure of vectors", run: ["big.png", "-o", "out.pdf"], prepare: emptyPNG(4000, "big.png")),
        Class(
            name: "figure of two pages", run: ["big.png", "--compare-with", "big.png", "-o", "out.svg"],
            prepare: emptyPNG(3000, "big.png")),
        Class(name: "live page", run: ["live", "big.png", "-o", "out.html"], prepare: emptyPNG(2500, "big.png")),
        Class(
            name: "difference", run: ["diff", "big.png", "page.png", "-o", "out.png", "--quiet"],
            prepare: emptyPNG(5000, "big.png")),
        difference(by: "flip", side: 3200), difference(by: "ssim", side: 3300), difference(by: "ms-ssim", side: 2800),
        difference(by: "oklab", side: 3000),
        Class(
            name: "frames", run: ["replay", "big.json", "-o", "out.rgba", "--quiet"],
            prepare: put(
                #"{"model": "keyframes", "fps": 10, "duration": 0.3, "keyframes": [{"t": 0.2, "layer": 0, "opacity": 0.5}], "#
                    + #""scene": \#(scene(5000))}"#, "big.json")),
        Class(
            name: "sheet",
            run: ["replay", "session.json", "-o", "out.png", "--sheet", "100x100", "--quiet"], prepare: { _ in }),
        Class(
            name: "batch", run: ["batch", "big.jsonl", "--quiet"],
            prepare: { place in
                let lines = (0..<4).map { #"{"input": \#(scene(5000)), "output": "out\#($0).png"}"# }
                put(lines.joined(separator: "\n"), "big.jsonl")(place)
            }),
        Class(
            name: "scene with many strokes", run: ["big.json", "-o", "out.png"],
            prepare: put(
                #"{"canvas": {"width": 40, "height": 30}, "layers": [{"image": "page.png", "strokes": ["#
                    + Array(
                        repeating: ##"{"points": [[1, 2], [3, 4]], "width": 2, "color": "#123"}"##, count: 60_000
                    ).joined(separator: ",") + "]}]}", "big.json"), limits: [250]),
        Class(
            name: "document of many small arrays", run: ["big.json", "-o", "out.png"],
            prepare: put(#"{"layers": ["# + String(repeating: "[[1]],", count: 1_000_000) + "[]]}", "big.json"),
            limits: [250]),
        Class(
            name: "trace", run: ["replay", "touches.json", "--dry-run", "--states", "out"],
            prepare: { place in
                let lines = (0..<400_000).map { #"{"t": \#($0), "rotation": [0.01, -0.4, 0.02]}"# }
                put(lines.joined(separator: "\n"), "trace.jsonl")(place)
            }, limits: [250]),
        Class(
            name: "results of verify", run: ["report", "merge", "big.json", "--quiet", "--json", "out"],
            prepare: put(
                #"{"cases": ["# + String(repeating: #"{"a": {"b": [1, 2]}},"#, count: 400_000) + "[]]}", "big.json"),
            limits: [250]),
        Class(
            name: "list of jobs", run: ["batch", "big.jsonl", "--quiet"],
            prepare: put(
                String(repeating: #"{"input": "page.png", "output": "out.png", "at": [1, 1]}"# + "\n", count: 200_000),
                "big.jsonl"), limits: [250]),
    ]

    @Test(arguments: Sample.isWhole ? classes : Sample.of(classes, every: 8)) func inputsStayUnderTheLimit(
        of input: Class
    ) throws {
        try input.prepare(place)
        for limit in input.limits {
            let (outcome, peak) = PeakMemory.run(place, input.run + ["--max-memory", "\(limit)M"])
            #expect(
                [0, 1, 65, 66].contains(outcome.code), "\(input.name), \(limit) MiB: \(outcome.code) \(outcome.errors)")
            #expect(
                peak <= limit << 20, "\(input.name) held \(peak >> 20) of \(limit) MiB")
            if [65, 66].contains(outcome.code) {
                #expect(outcome.errors.contains("--max-memory"), "\(input.name): \(outcome.errors)")
            }
        }
    }

    /// A header that promises more than any limit allows, or than its few bytes can hold, is refused before memory is taken
    /// for it, through every door.
    @Test func headersAloneTakeNoMemory() throws {
        let sides = [8_323_104, 13_462].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
        let header = PNG.signature + [0, 0, 0, 13] + Array("IHDR".utf8) + sides + [8, 6, 0, 0, 0]
        _ = place.folder.put(header + [UInt8](repeating: 0, count: 10), "bomb.png")
        // One colour, 16383×16383 pixels.
        let lossless: [UInt8] =
            Array("RIFF".utf8) + [30, 0, 0, 0] + Array("WEBPVP8L".utf8) + [
                17, 0, 0, 0, 0x2f, 0xfe, 0xbf, 0xff, 0x0f, 0x07, 0xd0, 0xff, 0xfe, 0xf7, 0xbf, 0xff, 0x81, 0x88, 0xe8,
                0x7f,
                0, 0,
            ]
        _ = place.folder.put(lossless, "bomb.webp")
        for name in ["bomb.png", "bomb.webp"] {
            place.put(#"{"layers": [{"image": "\#(name)"}], "canvas": {"width": 9, "height": 9}}"#, "s.json")
            place.put(#"{"input": "\#(name)", "output": "out.png", "canvas": "9x9"}"#, "j.jsonl")
            for run in [
                [name, "-o", "out.png", "--canvas", "9x9"], ["s.json", "-o", "out.png"], ["batch", "j.jsonl"],
                ["check", name], ["diff", name, "page.png"], ["inspect", name, "--at", "1,1"],
            ] {
                let (outcome, peak) = PeakMemory.run(place, run)
                #expect([1, 65].contains(outcome.code), "\(run): \(outcome.code) \(outcome.errors)")
                #expect(outcome.errors.contains("16383×16383") || outcome.errors.contains("8323104×13462"), "\(run)")
                #expect(peak < 250 << 20, "\(run) held \(peak >> 20) MiB")
            }
        }
    }

    @Test func depth16TakesLessThan24BytesAPixel() throws {
        // Large, so that the bands and buffers of any picture count for little.
        let side = 3000
        try Self.emptyPNG(side, "big.png", is16Bit: true)(place)
        let small = PeakMemory.run(place, ["deep.png", "-o", "out.png", "--depth", "16"])
        let large = PeakMemory.run(place, ["big.png", "-o", "out.png", "--depth", "16"])
        place.expectSuccess(small.outcome)
        place.expectSuccess(large.outcome)
        let bytes = large.bytes - small.bytes
        #expect(bytes < 24 * side * side, "\(Double(bytes) / Double(side * side)) bytes a pixel")
    }

    @Test(arguments: ["", "x", "0", "-1", "1X", "nan", "1.5.2", "M", "0x10"]) func wrongSizesAreRefused(size: String) {
        place.expectFailure(["page.png", "-o", "out.png", "--max-memory=\(size)"], 64, naming: "--max-memory")
    }

    @Test(arguments: ["300M", "1.5G", "1g", "2T", "314572800", "300MiB", "300MB", "1e308"]) func sizesAreRead(
        size: String
    ) {
        place.run("page.png", "-o", "out.png", "--max-memory", size)
    }
}
