import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import LoupeImaging

/// Pictures that follow one another are packed as each would be alone, and less often.
struct PNGSequenceTests {
    /// Noise on a slope, as a camera's; large enough for several bands.
    private func photograph(_ random: inout SplitMix64, width: Int = 600, height: Int = 700) -> Image {
        let pixels = (0..<width * height).flatMap { index -> [UInt8] in
            let (base, noise) = (index % width / 4, random.next())
            let channels = (0..<3).map { (channel: Int) -> UInt8 in
                UInt8(base + 10 * channel + Int(noise >> (8 * channel) & 15))
            }
            return channels + [255]
        }
        return Image(width: width, height: height, pixels: pixels)
    }

    /// Changes some of a picture's rows, or all of it; returns where.
    private func change(_ image: inout Image, _ random: inout SplitMix64) -> Range<Int> {
        let all = 0..<image.height
        let first = Int.random(in: all, using: &random)
        let some = first..<min(image.height, first + Int.random(in: 0...90, using: &random))
        let width = image.width
        var pixels = image.pixels
        defer { image = Image(width: pixels.count / 4 / image.height, height: image.height, pixels: pixels) }
        switch Int.random(in: 0..<12, using: &random) {
        case 0:
            // Another width, perhaps.
            image = photograph(&random, width: Int.random(in: 598...602, using: &random))
            pixels = image.pixels
            return all
        case 1:
            // Grey, and back to colours with the next photograph.
            for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : pixels[index / 4 * 4] }
            return all
        case 2:
            pixels[first * width * 4 + 3] ^= 1
            return first..<(first + 1)
        default:
            for index in (some.lowerBound * width * 4)..<(some.upperBound * width * 4) where index % 4 != 3 {
                pixels[index] ^= UInt8(truncatingIfNeeded: random.next() & 7)
            }
            return some
        }
    }

    @Test func eachPictureIsPackedAsItWouldBeAlone() throws {
        var random = SplitMix64(seed: 5)
        let sequence = PNGSequence()
        var image = photograph(&random)
        var waiting: [(frame: PNGSequence.Frame, image: Image)] = []
        for _ in 0..<Sample.count(20, whole: 60) {
            let rows = change(&image, &random)
            let frame = sequence.next(image, changedWithin: rows)
            waiting.append((frame, image))
            guard waiting.count > Int.random(in: 0...3, using: &random) else { continue }
            let frames = waiting.map(\.frame)
            let files = Mutex([Int: [UInt8]]())
            DispatchQueue.concurrentPerform(iterations: frames.count) { index in
                let file = try? frames[index].encoded()
                files.withLock { $0[index] = file }
            }
            for (index, (_, image)) in waiting.enumerated() {
                #expect(try files.withLock { $0[index] } == PNG.encode(image))
            }
            waiting = []
        }
    }

    @Test func checksumsOfPartsAreThatOfTheWhole() {
        var random = SplitMix64(seed: 7)
        let bytes = (0..<200_000).map { _ in UInt8(truncatingIfNeeded: random.next() | 0xf0) }
        let whole = bytes.withUnsafeBufferPointer { Adler32(of: $0) }
        for cut in [0, 1, 5552, 65521, 131_072, 200_000] {
            let parts = [bytes[..<cut], bytes[cut...]].map { $0.withUnsafeBufferPointer { Adler32(of: $0) } }
            #expect((parts[0] + parts[1]).value == whole.value)
        }
        // The well-known Adler-32 of "Wikipedia".
        let known = Array("Wikipedia".utf8).withUnsafeBufferPointer { Adler32(of: $0) }
        #expect(known.value == 0x11e6_0398)
    }
}
