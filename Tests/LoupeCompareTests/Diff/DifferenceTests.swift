import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

@testable import LoupeCompare

@Suite struct DifferenceTests {
    /// A plain picture and one whose pixels are changed where a text map has a digit: by ten times as much.
    private func pair(_ map: [String]) -> (Image, Image) {
        let a = PictureMaker.plain(map[0].count, map.count, [100, 100, 100, 255])
        var b = a
        for (y, line) in map.enumerated() {
            for (x, mark) in line.enumerated() {
                if let digit = mark.wholeNumberValue { b[x, y] = [100, UInt8(100 + 10 * digit), 100, 255] }
            }
        }
        return (a, b)
    }

    @Test("Boxes hold pixels that touch at sides or corners, largest first")
    func boxes() throws {
        let (a, b) = pair([
            "1..1......",
            ".11....11.",
            "........1.",
            "1.........",
            "1........1",
        ])
        let found = try Comparison().compare(reference: a, actual: b)
        #expect(found.boxes.map(\.description) == ["0,0,4x2", "7,1,2x2", "0,3,1x2", "9,4,1x1"])
        #expect(found.boxes.map(\.differingPixels) == [4, 3, 2, 1])
    }

    @Test(
        "Boxes are those of a flood fill, at any density",
        arguments: [0.01, 0.2, 0.45, 0.8])
    func boxesAgreeWithFloodFill(share: Double) throws {
        var maker = PictureMaker(seed: UInt64(share * 100))
        let a = PictureMaker.plain(90, 75)
        let found = try Comparison().compare(reference: a, actual: maker.changed(a, share: share, by: 90))
        let slow = SlowMap(found.places)
        let expected = slow.components().sorted {
            $0.count != $1.count ? $0.count > $1.count : ($0.minY, $0.minX) < ($1.minY, $1.minX)
        }
        #expect(found.boxCount == expected.count)
        #expect(found.boxes.map(\.differingPixels) == expected.prefix(8).map(\.count))
        #expect(found.boxes.map(\.bounds.minX) == expected.prefix(8).map(\.minX))
        #expect(found.boxes.map(\.bounds.maxY) == expected.prefix(8).map { $0.maxY + 1 })
    }

    @Test(
        "Whole vectors of pixels count as single ones do, which are counted for each region of a scene",
        arguments: [
            Metric.channel(Tolerance()), .channel(Tolerance(3)), .channel(Tolerance(255)),
            .yiq(threshold: 0.1, includesAntialiased: true), .yiq(threshold: 0.02, includesAntialiased: false),
        ])
    func vectors(metric: Metric) throws {
        for (share, step, alpha) in [(1.0, 4, UInt8(255)), (1, 90, 255), (0.1, 40, 255), (0.7, 9, 200)] {
            var maker = PictureMaker(seed: UInt64(step))
            let a = PictureMaker.plain(77, 70, [120, 60, 200, alpha])
            let b = maker.changed(a, share: share, by: step)
            let quick = try Comparison(metric: metric).compare(reference: a, actual: b)
            let scene = Scene(canvas: .init(width: 77, height: 70), layers: [])
            let slow = try Comparison(metric: metric, scene: scene).compare(reference: a, actual: b)
            #expect(quick.runs == slow.runs && quick.differingPixels == slow.differingPixels)
            #expect(
                quick.maxDelta == slow.maxDelta && quick.maxAt?.x == slow.maxAt?.x && quick.maxAt?.y == slow.maxAt?.y)
            #expect(quick.wouldPass == slow.wouldPass)
            for level in 0..<255 { #expect(quick.pixels(over: level) == slow.pixels(over: level)) }
            #expect(step < 9 || quick.maxDelta > 0)
        }
    }

    @Test("What would pass passes, and one less does not", arguments: [0, 1, 5, 40])
    func wouldPassIsTight(allowed: Int) throws {
        var maker = PictureMaker(seed: 5)
        let a = maker.blocks(40, 40, alphas: [255, 90])
        let b = maker.changed(a, share: 0.1, by: 60)
        let allowance = Allowance(maxPixels: allowed)
        for metric in [Metric.channel(Tolerance(3)), .yiq(threshold: 0.01, includesAntialiased: false)] {
            let found = try Comparison(metric: metric, allowance: allowance).compare(reference: a, actual: b)
            #expect(!found.isSame)
            let advice = try #require(found.wouldPass)
            let eased = try Comparison(metric: #require(advice.metric), allowance: allowance).compare(
                reference: a, actual: b)
            let tight = try Comparison(metric: #require(advice.metric).tightened, allowance: allowance)
                .compare(reference: a, actual: b)
            #expect(eased.isSame && !tight.isSame)
            let most = try #require(advice.maxPixels)
            for (limit, passes) in [(most, true), (most - 1, false)] {
                let counted = Comparison(metric: metric, allowance: Allowance(maxPixels: limit))
                #expect(try counted.compare(reference: a, actual: b).isSame == passes)
            }
        }
    }

    @Test("Unused slack shows: where less tolerance would pass, that is what would pass")
    func slack() throws {
        let (a, b) = pair(["..1.."])
        let found = try Comparison(metric: .channel(Tolerance(80))).compare(reference: a, actual: b)
        #expect(found.isSame && found.wouldPass?.metric == .channel(Tolerance(10)))
    }

    @Test("Both limits apply if both are given, and a ratio counts exactly")
    func limits() throws {
        let (a, b) = pair(["111......."])
        func passes(_ pixels: Int?, _ ratio: Double?) throws -> Bool {
            try Comparison(allowance: Allowance(maxPixels: pixels, maxRatio: ratio)).compare(reference: a, actual: b)
                .isSame
        }
        #expect(try !passes(nil, nil) && !passes(2, nil) && passes(3, nil))
        #expect(try passes(nil, 0.3) && !passes(nil, 0.29) && !passes(2, 1) && !passes(9, 0.1))
    }

    @Test("Rectangles and masks leave pixels out, and the ratio is that of the rest")
    func exclusions() throws {
        let (a, b) = pair(["1..2", "...."])
        let rect = Exclusion(rects: [PixelRect(minX: -5, minY: -5, maxX: 1, maxY: 50)])
        let found = try Comparison(exclusion: rect).compare(reference: a, actual: b)
        #expect(found.differingPixels == 1 && found.totalPixels == 6 && found.maxDelta == 20)
        var mask = PictureMaker.plain(4, 2, [0, 0, 0, 255])
        mask[3, 0] = [255, 255, 255, 255]
        mask[0, 0] = [255, 255, 255, 100]
        let masked = try Comparison(exclusion: Exclusion(mask: mask)).compare(reference: a, actual: b)
        #expect(masked.differingPixels == 1 && masked.totalPixels == 7 && masked.maxDelta == 10)
        #expect(throws: DiffError.self) {
            try Comparison(exclusion: Exclusion(mask: a)).compare(
                reference: PictureMaker.plain(5, 2), actual: PictureMaker.plain(5, 2))
        }
    }

    @Test("Pictures of different size are never the same and are compared where they overlap")
    func sizes() throws {
        let (a, b) = pair(["....", ".1..", "...."])
        let tall = PictureMaker.plain(2, 5, [100, 100, 100, 255])
        for metric in [Metric.channel(Tolerance(255)), .yiq(threshold: 1, includesAntialiased: false)] {
            let found = try Comparison(metric: metric, allowance: Allowance(maxRatio: 1)).compare(
                reference: b, actual: tall)
            #expect(!found.isSame && found.totalPixels == 6 && found.differingPixels == 0)
            #expect(found.wouldPass == nil)
        }
        let found = try Comparison().compare(reference: b, actual: tall)
        #expect(found.differingPixels == 1)
        #expect(
            found.summary.hasPrefix(
                "differs: 4×3 → 2×5 pixels, compared where they overlap with the second at 0,0; 1 of 6 pixels differs")
        )
        #expect(a != b)
    }

    @Test("A limit may allow another size, in which each pixel of one picture alone counts", arguments: [false, true])
    func allowedSizes(isDeep: Bool) throws {
        let (_, changed) = pair(["....", ".1..", "...."])
        let tall = PictureMaker.plain(2, 5, [100, 100, 100, 255])
        func deep(_ image: Image) -> Image {
            isDeep
                ? Image(width: image.width, height: image.height, pixels16: image.pixels.map { UInt16($0) * 257 })
                : image
        }
        func found(_ pixels: Int, _ rects: [PixelRect] = []) throws -> Difference {
            var comparison = Comparison(allowance: Allowance(maxPixels: pixels), exclusion: Exclusion(rects: rects))
            comparison.allowsSize = true
            return try comparison.compare(reference: deep(changed), actual: deep(tall))
        }
        // 6 pixels are in both, 6 in the first alone and 4 in the second alone; 1 of those in both differs.
        let exact = try found(10)
        #expect(!exact.isSame)
        #expect(exact.differingPixels == 11)
        #expect(exact.totalPixels == 16)
        #expect(exact.summary.contains("10 that only one picture has count as differing"))
        #expect(exact.wouldPass?.maxPixels == 11)
        #expect(exact.wouldPass?.metric == .channel(Tolerance(10)))
        #expect(try found(11).isSame)
        #expect(try found(9).wouldPass?.metric == nil, "no tolerance passes")
        #expect(try found(8, [PixelRect(minX: 2, minY: 0, maxX: 4, maxY: 1)]).differingPixels == 9)
        #expect(throws: DiffError.nothingCompared) { try found(99, [PixelRect(minX: 0, minY: 0, maxX: 2, maxY: 3)]) }
    }

    @Test("A picture of another pixel ratio is compared from its corner, and what one lacks is tinted")
    func otherScales() throws {
        var (small, large) = (PictureMaker.plain(40, 30), PictureMaker.plain(60, 45))
        // Best at 40,30 on the smaller one's lower right corner, where nothing but the ground would be compared.
        for index in 0..<10 { (small[index, 3], large[index, 8]) = ([0, 0, 0, 255], [0, 0, 0, 255]) }
        let found = try Comparison().compare(reference: small, actual: large)
        #expect(found.offset == (0, 0))
        #expect(found.summary.hasPrefix("differs: 40×30 → 60×45 pixels, 1.5 times as large, compared where"))
        // Sides are rounded; a square that is cut is no smaller picture.
        #expect(
            PicturePair.scale(from: ImageSize(width: 1279, height: 719), to: ImageSize(width: 1919, height: 1079))
                != nil)
        #expect(
            PicturePair.scale(from: ImageSize(width: 100, height: 100), to: ImageSize(width: 90, height: 90)) == nil)
        let cut = try Comparison().compare(
            reference: PictureMaker.plain(9, 9), actual: PictureMaker.plain(9, 7))
        let picture = DifferencePicture.draw(cut, over: PictureMaker.plain(9, 9))
        #expect(picture[0, 6][0] == picture[0, 6][1] && picture[0, 7][0] > picture[0, 7][1])
    }

    @Test("The line names the count, the place, the boxes and both ways to pass")
    func summary() throws {
        let (a, b) = pair(["11........", "1.......3."])
        let found = try Comparison().compare(reference: a, actual: b)
        #expect(
            found.summary == """
                differs: 4 of 20 pixels differ (20.0 %); largest difference 30 at 8,1; \
                boxes 0,0,2x2 (3) 8,1,1x1 (1); would pass at --tolerance 30 or --max-pixels 4; compared in 8 bits, sRGB
                """)
        #expect(
            try Comparison().compare(reference: a, actual: a).summary
                == "same: none of 20 pixels differs; compared in 8 bits, sRGB")
    }

    @Test("The difference picture has the reference's size, red where pixels differ, blue around them")
    func picture() throws {
        let a = PictureMaker.plain(40, 30, [0, 0, 0, 255])
        var b = a
        b[20, 15] = [255, 255, 255, 255]
        let found = try Comparison().compare(reference: a, actual: b)
        let picture = DifferencePicture.draw(found, over: a)
        #expect(picture.width == 40 && picture.height == 30 && picture.isOpaque)
        #expect(picture[20, 15] == [230, 0, 38, 255])
        #expect(picture[17, 15] == [0, 92, 230, 255] && picture[23, 18] == [0, 92, 230, 255])
        let faint = picture[2, 2]
        #expect(faint[0] > 200 && faint[0] < 250 && faint[0] == faint[2])
    }
}

extension Metric {
    /// With the next smaller limit.
    fileprivate var tightened: Metric {
        switch self {
        case .channel(let tolerance): .channel(Tolerance(tolerance.base - 1))
        case .yiq(let threshold, let includes):
            .yiq(threshold: threshold.nextDown.nextDown, includesAntialiased: includes)
        case .error(let metric, let limits):
            .error(metric, ErrorLimits(threshold: limits.threshold.map(\.nextDown), mean: limits.mean.map(\.nextDown)))
        }
    }
}
