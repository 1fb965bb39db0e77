import LoupeImaging
import TestSupport
import Testing

@testable import LoupeCompare

@Suite struct MetricTests {
    private static let sizes = [(1, 1), (3, 5), (16, 4), (17, 70), (67, 131)]
    private static let alphas: [[UInt8]] = [[255], [0, 128, 255], [255, 254, 3]]

    @Test("yiq finds the pixels that a plain reading of pixelmatch's rules finds", arguments: sizes, alphas)
    func yiqAgreesWithPixelmatch(size: (Int, Int), alphas: [UInt8]) throws {
        var maker = PictureMaker(seed: UInt64(size.0 * 1000 + alphas.count))
        var options: [(threshold: Double, includes: Bool)] = []
        for threshold in [0, 0.05, 0.1, 0.6] { options += [(threshold, false), (threshold, true)] }
        for (index, (share, limit)) in [(0.03, 200), (0.5, 30), (1, 255)].enumerated() {
            let a = maker.blocks(size.0, size.1, alphas: alphas)
            let b = maker.changed(a, share: share, by: limit)
            // A large picture is tried with other options for each change.
            let some = size.0 < 67 ? options : Sample.of(options, every: 3, from: index)
            for (threshold, includes) in some {
                let expected = SlowPixelmatch(a: a, b: b)
                    .differing(threshold: threshold, includesAntialiased: includes)
                let found = try Comparison(metric: .yiq(threshold: threshold, includesAntialiased: includes))
                    .compare(reference: a, actual: b)
                #expect(found.places == expected.map { [$0.x, $0.y] })
            }
        }
    }

    @Test("The anti-aliasing test leaves out a part of the pixels of such pictures: the agreement above is not empty")
    func someAreLeftOut() {
        var maker = PictureMaker(seed: 67_001)
        let a = maker.blocks(67, 131, alphas: [255])
        let b = maker.changed(a, share: 0.5, by: 30)
        let slow = SlowPixelmatch(a: a, b: b)
        let (without, with) = (
            slow.differing(threshold: 0.05, includesAntialiased: false).count,
            slow.differing(threshold: 0.05, includesAntialiased: true).count
        )
        #expect(without > 20 && with > without + 20)
    }

    @Test(
        "channel finds each pixel whose premultiplied channels differ by more than the tolerance", arguments: sizes,
        alphas)
    func channelAgreesWithRounding(size: (Int, Int), alphas: [UInt8]) throws {
        var maker = PictureMaker(seed: UInt64(size.0 * 77 + alphas.count))
        let a = maker.blocks(size.0, size.1, alphas: alphas)
        for (share, limit) in [(0.03, 255), (1, 4)] {
            let b = maker.changed(a, share: share, by: limit)
            let differences = zip(premultiplied(a), premultiplied(b)).map { abs($0 - $1) }
            let pixels = stride(from: 0, to: differences.count, by: 4).map { differences[$0..<($0 + 4)].max() ?? 0 }
            for tolerance: Double in [0, 1, 2, 100] {
                let found = try Comparison(metric: .channel(Tolerance(tolerance))).compare(reference: a, actual: b)
                let expected = pixels.indices.filter { pixels[$0] > tolerance }
                #expect(found.places == expected.map { [$0 % size.0, $0 / size.0] })
                #expect(found.maxDelta == pixels.max())
                #expect(
                    found.maxAt.map { $0.y * size.0 + $0.x }
                        == (found.maxDelta > 0 ? pixels.firstIndex(of: found.maxDelta) : nil))
                #expect(found.pixels(over: 1) == pixels.count { $0 > 1 })
            }
        }
    }

    private func premultiplied(_ image: Image) -> [Double] {
        image.pixels.indices.map { place in
            let value = Double(image.pixels[place])
            return place % 4 == 3 ? value : (value * Double(image.pixels[place / 4 * 4 + 3]) / 255).rounded()
        }
    }

    @Test("Colours under no alpha are the same to channel, and pictures of the same bytes to both")
    func unseenColors() throws {
        let a = PictureMaker.plain(20, 3, [10, 20, 30, 0])
        let b = PictureMaker.plain(20, 3, [90, 80, 70, 0])
        #expect(try Comparison().compare(reference: a, actual: b).isSame)
        let yiq = Comparison(metric: .yiq(threshold: 0, includesAntialiased: true))
        #expect(try yiq.compare(reference: a, actual: a).isSame)
    }
}

extension Difference {
    /// The differing pixels in reading order.
    var places: [[Int]] { runs.flatMap { run in run.columns.map { [$0, Int(run.row)] } } }
}
