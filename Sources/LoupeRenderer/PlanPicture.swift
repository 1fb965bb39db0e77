import LoupeGeometry
import LoupeImaging
import LoupePlan

/// A picture of a plan: every piece tinted by what draws it, cuts as lines of one pixel, and a legend below.
///
/// Where layers or views overlap, the topmost piece is tinted. The legend's shares are of all pixels shaded for pieces, hidden
/// ones included. The same plan and picture give the same bytes.
public struct PlanPicture {
    /// For each kind of piece its share of all pixels that are shaded for pieces, 0…1.
    public let shares: [PlannedPiece.Kind: Double]
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
    public init(of plan: DrawPlan, over image: Image, scale: Int? = nil) {
        precondition(image.width == plan.canvas.width && image.height == plan.canvas.height)
        pieces = plan.plannedPieces
        base = image
        self.scale = scale ?? Self.defaultScale(width: image.width)
        var top = [Int32](repeating: -1, count: image.width * image.height)
        var counts: [PlannedPiece.Kind: Int] = [:]
        for (index, piece) in pieces.enumerated() {
            for row in piece.block.minY..<piece.block.maxY {
                let columns = piece.columns(inRow: row)
                counts[piece.kind, default: 0] += columns.count
                guard 0..<image.height ~= row else { continue }
                for column in columns.clamped(to: 0..<image.width) { top[row * image.width + column] = Int32(index) }
            }
        }
        self.top = top
        let sum = max(1, counts.values.reduce(0, +))
        shares = counts.mapValues { Double($0) / Double(sum) }
    }

    private static func defaultScale(width: Int) -> Int { min(4, max(1, 1200 / width)) }

    /// The size of the picture of every plan with a canvas of this size, at the default scale.
    public static func size(ofCanvas canvas: ImageSize) -> ImageSize {
        let scale = defaultScale(width: canvas.width)
        let legend = Legend(shares: [:], width: canvas.width * scale)
        return ImageSize(width: canvas.width * scale, height: canvas.height * scale + legend.height)
    }

    /// The finished picture, opaque: the canvas, `scale` times as large, and the legend, whose height depends on the width alone.
    public var image: Image {
        let legend = Legend(shares: shares, width: base.width * scale)
        var pixels = tinted()
        legend.append(to: &pixels)
        return Image(width: base.width * scale, height: base.height * scale + legend.height, pixels: pixels)
    }

    private func tinted() -> [UInt8] {
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
        return pixels
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
        case .mixedCorners: SIMD3(204, 121, 167)
        case .ink: SIMD3(240, 228, 66)
        case .fill: SIMD3(160, 160, 160)
        }
    }
}

/// The strip below the picture: for each kind of piece a swatch, its name and its share.
private struct Legend {
    private let shares: [PlannedPiece.Kind: Double]
    private let width: Int
    /// How many pixels a side a dot of the letters takes.
    private let dot: Int
    private let columns: Int

    private static let text = SIMD3<UInt8>(235, 236, 240)
    private static let faint = SIMD3<UInt8>(165, 168, 178)
    private static let ground = SIMD3<UInt8>(28, 30, 36)

    // In dots.
    private static let swatch = 17
    private static let entry = (width: 112, height: 17)
    private static let gap = 10

    init(shares: [PlannedPiece.Kind: Double], width: Int) {
        (self.shares, self.width) = (shares, width)
        dot = max(1, (width + 240) / 480)
        let fitting = (width / dot - Self.gap) / (Self.entry.width + Self.gap)
        // Rows of the same length.
        columns = [6, 3, 2, 1].first { $0 <= fitting } ?? 1
    }

    private var rows: Int { (PlannedPiece.Kind.allCases.count + columns - 1) / columns }

    /// In pixels.
    var height: Int { (rows * (Self.entry.height + Self.gap) + Self.gap) * dot }

    func append(to pixels: inout [UInt8]) {
        var strip = [SIMD3<UInt8>](repeating: Self.ground, count: width * height)
        for (index, kind) in PlannedPiece.Kind.allCases.enumerated() {
            let x = Self.gap + index % columns * (Self.entry.width + Self.gap)
            let y = Self.gap + index / columns * (Self.entry.height + Self.gap)
            let share = shares[kind] ?? 0
            let tint = kind.tint * (share > 0 ? 1 : 0.45)
            fill(&strip, x, y, Self.swatch, Self.swatch, SIMD3<UInt8>(clamping: SIMD3<Int>(tint)))
            let left = x + Self.swatch + 6
            write(kind.rawValue, at: left, y, share > 0 ? Self.text : Self.faint, &strip)
            write(Self.percent(share), at: left, y + 10, Self.faint, &strip)
        }
        for color in strip { pixels += [color.x, color.y, color.z, 255] }
    }

    /// With one digit after the point; a share that would round to nothing says so.
    private static func percent(_ share: Double) -> String {
        let tenths = Int((share * 1000).rounded())
        return share > 0 && tenths == 0 ? "<0.1%" : "\(tenths / 10).\(tenths % 10)%"
    }

    private func write(
        _ text: String, at x: Int, _ y: Int, _ color: SIMD3<UInt8>, _ strip: inout [SIMD3<UInt8>]
    ) {
        for (index, letter) in text.enumerated() {
            for (row, bits) in (DotFont.glyphs[letter] ?? []).enumerated() {
                for column in 0..<5 where bits >> (4 - column) & 1 == 1 {
                    fill(&strip, x + index * 6 + column, y + row, 1, 1, color)
                }
            }
        }
    }

    /// Fills a rect that is given in dots.
    private func fill(
        _ strip: inout [SIMD3<UInt8>], _ x: Int, _ y: Int, _ across: Int, _ down: Int, _ color: SIMD3<UInt8>
    ) {
        for row in (y * dot)..<min(height, (y + down) * dot) {
            for column in (x * dot)..<max(x * dot, min(width, (x + across) * dot)) {
                strip[row * width + column] = color
            }
        }
    }
}

/// The letters that a legend needs: five dots wide and seven or eight high, a row of dots in five bits.
private enum DotFont {
    static let glyphs: [Character: [UInt8]] = [
        "0": [14, 17, 19, 21, 25, 17, 14], "1": [4, 12, 4, 4, 4, 4, 14], "2": [14, 17, 1, 2, 4, 8, 31],
        "3": [31, 2, 4, 2, 1, 17, 14], "4": [2, 6, 10, 18, 31, 2, 2], "5": [31, 16, 30, 1, 1, 17, 14],
        "6": [6, 8, 16, 30, 17, 17, 14], "7": [31, 1, 2, 4, 8, 8, 8], "8": [14, 17, 17, 14, 17, 17, 14],
        "9": [14, 17, 17, 15, 1, 2, 12], "%": [24, 25, 2, 4, 8, 19, 3], ".": [0, 0, 0, 0, 0, 12, 12],
        "<": [2, 4, 8, 16, 8, 4, 2], "-": [0, 0, 0, 31, 0, 0, 0], "c": [0, 0, 14, 16, 16, 17, 14],
        "d": [1, 1, 13, 19, 17, 17, 15], "e": [0, 0, 14, 17, 31, 16, 14], "f": [6, 9, 8, 28, 8, 8, 8],
        "g": [0, 0, 15, 17, 17, 15, 1, 14], "i": [4, 0, 12, 4, 4, 4, 14], "k": [16, 16, 18, 20, 24, 20, 18],
        "l": [12, 4, 4, 4, 4, 4, 14], "m": [0, 0, 26, 21, 21, 21, 21], "n": [0, 0, 22, 25, 17, 17, 17],
        "o": [0, 0, 14, 17, 17, 17, 14], "r": [0, 0, 22, 25, 16, 16, 16], "s": [0, 0, 15, 16, 14, 1, 30],
        "x": [0, 0, 17, 10, 4, 10, 17],
    ]
}
