import LoupeBase
import LoupeImaging
import LoupePlan

/// A picture of a plan: every piece tinted by what draws it, and cuts as lines of one pixel.
///
/// Where layers or views overlap, the topmost piece is tinted. The same plan and picture give the same bytes.
package struct PlanPicture {
    private let pieces: [PlannedPiece]
    /// For each pixel of the canvas the index of the piece that lies on top; -1 where none does.
    private let top: [Int32]
    private let base: Image
    /// How many pixels a side each pixel of the canvas takes.
    private let scale: Int

    /// - Parameters:
    ///   - plan: what has been drawn.
    ///   - image: the picture that it gave, of the canvas's size.
    ///   - scale: how many pixels a side each pixel of the canvas takes; nil takes as many as make the picture about 1200
    ///     pixels wide, at least one and at most four.
    package init(of plan: DrawPlan, over image: Image, scale: Int? = nil) {
        precondition(image.width == plan.canvas.width && image.height == plan.canvas.height)
        pieces = plan.plannedPieces
        base = image
        self.scale = scale ?? Self.defaultScale(width: image.width)
        var top = [Int32](repeating: -1, count: image.width * image.height)
        for (index, piece) in pieces.enumerated() {
            let region = plan.views[piece.view].region
            for row in piece.block.minY..<piece.block.maxY {
                for column in region.columns(inRow: row, of: piece.block) {
                    top[row * image.width + column] = Int32(index)
                }
            }
        }
        self.top = top
    }

    private static func defaultScale(width: Int) -> Int { min(4, max(1, 1200 / width)) }

    /// The size of the picture of every plan with a canvas of this size, at the default scale.
    package static func size(ofCanvas canvas: ImageSize) -> ImageSize {
        let scale = defaultScale(width: canvas.width)
        return ImageSize(width: canvas.width * scale, height: canvas.height * scale)
    }

    /// The finished picture, opaque: the canvas, `scale` times as large.
    package var image: Image {
        let width = base.width * scale
        var pixels = [UInt8](repeating: 255, count: width * base.height * scale * 4)
        func piece(_ x: Int, _ y: Int) -> Int32 {
            x < 0 || y < 0 ? -1 : top[y * base.width + x]
        }
        /// Whether a line lies between two pixels: strong between views, fine within one.
        func line(_ one: Int32, _ other: Int32) -> Double {
            if one == other || one < 0 || other < 0 { return 0 }
            return pieces[Int(one)].view == pieces[Int(other)].view ? 0.55 : 1
        }
        for y in 0..<(base.height * scale) {
            for x in 0..<width {
                let (column, row) = (x / scale, y / scale)
                let own = piece(column, row)
                let left = x % scale == 0 ? line(own, piece(column - 1, row)) : 0
                let above = y % scale == 0 ? line(own, piece(column, row - 1)) : 0
                let color = color(at: row * base.width + column, own, line: max(left, above))
                for channel in 0..<3 { pixels[(y * width + x) * 4 + channel] = color[channel] }
            }
        }
        return Image(width: width, height: base.height * scale, pixels: pixels)
    }

    /// The picture in muted colours under the piece's tint, and a dark line over both.
    private func color(at pixel: Int, _ piece: Int32, line: Double) -> SIMD3<UInt8> {
        let (bytes, start) = (base.pixels, 4 * pixel)
        let alpha = Double(bytes[start + 3]) / 255
        let straight = SIMD3(Double(bytes[start]), Double(bytes[start + 1]), Double(bytes[start + 2]))
        let color = straight * alpha + SIMD3(repeating: 255 * (1 - alpha))
        let grey = 0.2126 * color.x + 0.7152 * color.y + 0.0722 * color.z
        var mixed = color * 0.3 + SIMD3(repeating: grey * 0.7)
        if piece >= 0 { mixed = mixed * 0.5 + pieces[Int(piece)].kind.tint * 0.5 }
        mixed = mixed * (1 - line) + SIMD3(20, 22, 28) * line
        return SIMD3<UInt8>(clamping: SIMD3<Int>(mixed, rounding: .toNearestOrAwayFromZero))
    }
}

extension PlannedPiece.Kind {
    /// Colours that people with any colour vision can keep apart (Okabe and Ito), 0…255.
    fileprivate var tint: SIMD3<Double> {
        switch self {
        case .noEdge: SIMD3(0, 158, 115)
        case .singleEdge: SIMD3(86, 180, 233)
        case .corner: SIMD3(213, 94, 0)
        case .ink: SIMD3(240, 228, 66)
        case .fill: SIMD3(160, 160, 160)
        }
    }
}
