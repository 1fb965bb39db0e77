import LoupeImaging
import TestSupport
import Testing

/// Figures of crops from EXRs and PFMs.
@Suite struct LinearCropsTests {
    let place: Workplace

    init() throws {
        place = try Workplace()
        let name = Repository.path + "/Tests/LoupeImagingTests/Fixtures/half-zip.exr"
        _ = place.folder.put(try #require(TemporaryFolder.bytes(at: name)), "truth.exr")
        // Each channel of each pixel is 1.
        let ones = [[UInt8]](repeating: [0x3f, 0x80, 0, 0], count: 3 * 21 * 14).flatMap(\.self)
        _ = place.folder.put(Array("PF\n21 14\n1\n".utf8) + ones, "ones.pfm")
    }

    private let words = [
        "crops", "ones.pfm", "--reference", "truth.exr", "--region", "2,3,8x6", "--metric", "mse,flip",
    ]

    @Test func aFigureShowsTheLight() throws {
        place.run(words + ["-o", "out.png", "--exposure", "-5", "--json", "out.json", "--report", "out.html"])
        let numbers = try place.json("out.json")["methods"].elements[0]["numbers"]
        // The mean over the fixture's formula.
        var sum = 0.0
        for index in 0..<14 * 21 {
            for factor in [0.125, 0.25, 0.5] {
                let difference = Double(index - 4) * factor - 1
                sum += difference * difference
            }
        }
        let mean = sum / (3 * 14 * 21)
        #expect(abs(numbers["mse"]["whole"].number - mean) < 1e-9 * mean)
        let flip = numbers["flip"]["whole"].number
        #expect(flip > 0.1 && flip < 1)
        #expect(try ImageFile.decode(#require(place.bytes("out.png")), name: "out.png").width > 1000)
        let again = place.command.run(["out.png", "-o", "again.png", "--print-scene"])
        #expect(!again.text.contains("truth.exr"), "what is shown is in no file")
    }

    @Test func whatDoesNotGoTogetherIsRefused() {
        place.expectFailure(words + ["page.png", "-o", "out.png"], 65, naming: "'page.png' is no EXR or PFM")
        place.expectFailure(words + ["--print-scene"], 64, naming: "--print-scene")
        place.expectFailure(
            ["crops", "page.png", "--reference", "page.png", "-o", "out.png", "--exposure", "1"], 64,
            naming: "--exposure")
        place.expectFailure(["truth.exr", "-o", "out.png"], 65, naming: "truth.exr", "convert a picture to PNG")
    }

    @Test func aMissingLibraryIsTold() {
        // The loader takes the first file of that name, and this is no library.
        _ = place.folder.put([], "libraries/libOpenEXRCore-3_1.so.30")
        place.expectFailure(
            words + ["--json", "-"], 69, naming: "truth.exr", "libOpenEXRCore-3_1.so.30, which is missing",
            "libopenexr-3-1-30", environment: ["LD_LIBRARY_PATH": place.folder.file("libraries")])
    }

    /// A header of 16,000×16,000 pixels over a few bytes, of which neither process takes the memory.
    @Test func aHeaderThatAsksForGigabytesTakesNone() throws {
        _ = place.folder.put(Array("PF\n16000 16000\n-1\n".utf8), "large.pfm")
        var bytes = try #require(place.bytes("truth.exr"))
        let name = Array("dataWindow\0box2i\0".utf8)
        let start = try #require(bytes.indices.first { bytes[$0...].starts(with: name) }) + name.count + 4
        bytes.replaceSubrange(start..<start + 16, with: [0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0x3e, 0, 0, 0x7f, 0x3e, 0, 0])
        _ = place.folder.put(bytes, "large.exr")
        for file in ["large.pfm", "large.exr"] {
            let (outcome, peak) = PeakMemory.run(
                place, ["crops", file, "--reference", file, "--json", "-", "--max-memory", "300M"])
            #expect(outcome.code == 65 && outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            #expect(peak < 200 << 20, "\(file): \(peak >> 20) MiB")
        }
    }
}
