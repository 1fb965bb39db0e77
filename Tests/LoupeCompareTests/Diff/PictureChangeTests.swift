import LoupeImaging
import Testing

@testable import LoupeCompare

/// Each sentence about a picture, with a fault that makes it true and one that makes it false.
@Suite struct PictureChangeTests {
    /// Blocks of many greys with room below white and above black.
    private static let page: Image = {
        var maker = PictureMaker(seed: 9)
        var image = maker.blocks(96, 72, alphas: [255])
        for index in image.pixels.indices where index % 4 != 3 {
            let (shrunk, column) = (Int(image.pixels[index]) * 4 / 5, index / 4 % 96)
            image.pixels[index] = UInt8(20 + shrunk + column / 12)
        }
        return image
    }()

    private func sentence(_ reference: Image, _ actual: Image) throws -> String? {
        let difference = try Comparison().compare(reference: reference, actual: actual)
        return PictureChange.find(difference, reference: reference, actual: actual)?.description
    }

    private func changed(_ image: Image, _ change: (Int, Int, [UInt8]) -> [UInt8]) -> Image {
        var result = image
        for y in 0..<image.height {
            for x in 0..<image.width { result[x, y] = change(x, y, image[x, y]) }
        }
        return result
    }

    @Test func oneColorIsNamed() throws {
        var flag = PictureMaker.plain(30, 20, [255, 255, 255, 255])
        for y in 5..<15 {
            for x in 5..<25 { flag[x, y] = y < 10 ? [0, 90, 200, 255] : [200, 30, 30, 255] }
        }
        let recolored = changed(flag) { _, _, pixel in pixel == [0, 90, 200, 255] ? [0, 96, 200, 255] : pixel }
        #expect(try sentence(flag, recolored) == "one colour changed: #005ac8 is drawn as #0060c8")
        let both = changed(flag) { _, _, pixel in pixel[0] == 255 ? pixel : [pixel[0], pixel[1] + 6, pixel[2], 255] }
        #expect(try sentence(flag, both) == nil)
        // The colour is still there.
        let partly = changed(recolored) { x, y, pixel in x < 15 ? flag[x, y] : pixel }
        #expect(try sentence(flag, partly) == nil)
    }

    @Test func nothingIsSaidOfARecoloredBar() throws {
        for step in [1, 2] as [UInt8] {
            let bar = changed(Self.page) { _, y, pixel in
                20..<40 ~= y ? [pixel[0] + step, pixel[1] + step, pixel[2] + step, 255] : pixel
            }
            #expect(try sentence(Self.page, bar) == nil)
        }
    }

    /// Where a block is gone, what two pictures have in common at some offsets is plain. That says nothing of the rest.
    @Test func aBlockThatIsGoneIsNoShift() throws {
        let plain = PictureMaker.plain(160, 107, [255, 255, 255, 255])
        let inked = changed(plain) { x, y, pixel in
            27..<59 ~= x && 15..<47 ~= y && (x * 7 + y * 5) % 11 < 4 ? [0, 0, 0, 255] : pixel
        }
        #expect(try sentence(inked, plain) == nil)
        #expect(try sentence(plain, inked) == nil)
    }
}
