import Glibc
import LoupeImaging
import Testing

import func Glibc.cos
import func Glibc.sin

@testable import LoupeCompare

/// Pictures that lie elsewhere as a whole, and pictures of different sizes.
@Suite struct ShiftTests {
    /// A picture of smooth hills.
    private func hills(_ width: Int, _ height: Int) -> Image {
        var image = PictureMaker.plain(width, height)
        for row in 0..<height {
            for column in 0..<width {
                let (x, y) = (Double(column), Double(row))
                let value =
                    128 + 40 * sin(x / 5.3) * cos(y / 7.1) + 30 * sin((x + 2 * y) / 9.7) + 20 * cos((3 * x - y) / 11.3)
                    + 30 * sin(x * y / 900)
                let level = UInt8(max(0, min(255, value.rounded())))
                image[column, row] = [level, level, 255 - level, 255]
            }
        }
        return image
    }

    private func change(_ reference: Image, _ actual: Image) throws -> PictureChange? {
        let difference = try Comparison().compare(reference: reference, actual: actual)
        return PictureChange.find(difference, reference: reference, actual: actual)
    }

    @Test("A shift is found", arguments: [(1, 0), (0, 1), (-3, 7), (2, -2), (12, 9)])
    func shifts(dx: Int, dy: Int) throws {
        var maker = PictureMaker(seed: 9)
        let page = maker.blocks(180, 140, alphas: [255])
        var moved = page
        for y in 0..<140 {
            for x in 0..<180 { moved[x, y] = page[min(max(x - dx, 0), 179), min(max(y - dy, 0), 139)] }
        }
        #expect(try change(page, moved) == .shifted(x: dx, y: dy))
    }

    @Test("What is no shift is none")
    func otherDifferences() throws {
        let hills = hills(96, 80)
        var block = hills
        for y in 20..<50 {
            for x in 30..<70 { block[x, y] = [UInt8(x), UInt8(y), 0, 255] }
        }
        var half = hills
        for y in 40..<80 {
            for x in 0..<96 { half[x, y] = hills[x, y - 1] }
        }
        var maker = PictureMaker(seed: 26)
        let noise = maker.changed(hills, share: 1, by: 20)
        for other in [block, half, noise, PictureMaker.plain(96, 80)] { #expect(try change(hills, other) == nil) }
    }

    @Test(
        "A picture of another size is compared where it lies on the reference", arguments: [(0, 0), (17, 9), (40, 30)])
    func alignment(x: Int, y: Int) throws {
        let whole = hills(140, 110)
        var part = PictureMaker.plain(100, 80)
        for row in 0..<80 {
            for column in 0..<100 { part[column, row] = whole[column + x, row + y] }
        }
        let found = try Comparison().compare(reference: whole, actual: part)
        #expect(!found.isSame && found.wouldPass == nil)
        #expect(found.differingPixels == 0 && found.totalPixels == 8000 && found.offset == (x, y))
        for metric in [ErrorMetric.flip(pixelsPerDegree: 67), .ssim(.rgb), .oklab] {
            let errors = try Comparison(metric: .error(metric, ErrorLimits(threshold: 0)))
                .compare(reference: whole, actual: part)
            #expect(!errors.isSame && errors.differingPixels == 0 && errors.totalPixels == 8000)
        }
        part[50, 40] = [0, 255, 0, 255]
        let spoiled = try Comparison().compare(reference: whole, actual: part)
        #expect(spoiled.differingPixels == 1 && spoiled.boxes[0].bounds.minX == 50 + x)
        let back = try Comparison().compare(reference: part, actual: whole)
        #expect(back.differingPixels == 1 && back.totalPixels == 8000 && back.offset == (-x, -y))
    }

    /// It would fit nearly anywhere, and trying all places would take gigabytes.
    @Test func aSmallPictureIsNotLookedForInALargeOne() throws {
        let found = try Comparison().compare(reference: hills(3000, 2000), actual: hills(20, 20))
        #expect(found.offset == (0, 0) && found.totalPixels == 400)
    }
}
