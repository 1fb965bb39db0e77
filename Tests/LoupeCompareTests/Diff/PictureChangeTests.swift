import Glibc
import LoupeBase
import LoupeImaging
import LoupeScene
import Testing

import func Glibc.hypot
import func Glibc.pow

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

    private func sentence(_ reference: Image, _ actual: Image, scene: Scene? = nil) throws -> String? {
        let difference = try Comparison(scene: scene).compare(reference: reference, actual: actual)
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

    @Test func onlySoftPixelsAreThoseOfEdges() throws {
        /// A disc whose feather is that power of the coverage.
        func disc(_ power: Double, dot: Bool = false) -> Image {
            changed(PictureMaker.plain(40, 40, [255, 255, 255, 255])) { x, y, pixel in
                if dot, 33..<36 ~= x, 33..<36 ~= y { return [200, 200, 200, 255] }
                let distance = hypot(Double(x) - 19.3, Double(y) - 18.8)
                let level = UInt8(255 * (1 - pow(min(max(12.5 - distance, 0), 1), power)))
                return [level, level, level, 255]
            }
        }
        #expect(try sentence(disc(1), disc(1.4)) == "only anti-aliasing differs")
        #expect(try sentence(disc(1), disc(1.4, dot: true)) == nil, "a dot is no edge")
    }

    @Test func nothingIsSaidOfARecoloredBar() throws {
        for step in [1, 2] as [UInt8] {
            let bar = changed(Self.page) { _, y, pixel in
                20..<40 ~= y ? [pixel[0] + step, pixel[1] + step, pixel[2] + step, 255] : pixel
            }
            #expect(try sentence(Self.page, bar) == nil)
        }
    }

    @Test func thinLinesOfAnotherColorAreNoAntialiasing() throws {
        /// Lines of one pixel, across and slanting, and a dashed one.
        func lines(_ level: UInt8) -> Image {
            changed(PictureMaker.plain(40, 40, [255, 255, 255, 255])) { x, y, pixel in
                let isLine = y == 8 || x == y + 3 || x == 4 || y == 33 && x % 6 < 4
                return isLine ? [level, level, level, 255] : pixel
            }
        }
        for (from, to) in [(0, 60), (60, 0), (100, 101), (0, 200)] as [(UInt8, UInt8)] {
            #expect(try sentence(lines(from), lines(to)) == nil, "\(from) to \(to)")
        }
    }

    @Test func edgesThatMovedAreNoAntialiasing() throws {
        /// A faint line in a row, and a bar that begins there.
        func drawn(_ row: Int, level: UInt8) -> Image {
            changed(PictureMaker.plain(40, 40, [255, 255, 255, 255])) { x, y, pixel in
                y == row || 20..<30 ~= x && y > row ? [level, level, level, 255] : pixel
            }
        }
        for level in [250, 235] as [UInt8] {
            #expect(try sentence(drawn(12, level: level), drawn(13, level: level)) == nil, "\(level)")
        }
    }

    @Test func antialiasingIsBetweenItsNeighbours() throws {
        let layer = Layer(content: .fill(.defaultRim), rect: Rect(x: 10.4, y: 8.4, width: 30, height: 20))
        let scene = Scene(canvas: .init(width: 50, height: 40), layers: [layer])
        func drawn(edge: UInt8) -> Image {
            changed(PictureMaker.plain(50, 40, [0, 0, 0, 255])) { x, y, pixel in
                guard 10..<41 ~= x, 8..<29 ~= y else { return pixel }
                let isEdge = x == 10 || y == 8 || x == 40 || y == 28
                return isEdge ? [edge, edge, edge, 255] : [240, 240, 240, 255]
            }
        }
        let said = try sentence(drawn(edge: 120), drawn(edge: 100), scene: scene)
        #expect(said == "only anti-aliasing differs", "\(said ?? "nothing")")
        let colored = changed(drawn(edge: 120)) { x, _, pixel in x == 10 ? [255, 0, 0, 255] : pixel }
        #expect(try sentence(drawn(edge: 120), colored, scene: scene) == nil, "red is no mixture of black and grey")
        let within = changed(drawn(edge: 120)) { x, y, pixel in
            (x, y) == (25, 18) || (x, y) == (26, 18) ? [200, 200, 200, 255] : pixel
        }
        #expect(try sentence(drawn(edge: 120), within, scene: scene) == nil)
    }
}
