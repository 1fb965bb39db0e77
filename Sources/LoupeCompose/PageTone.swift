import LoupeBase
import LoupeScene

/// The kind of a page, which decides the default style, and its colours in coarse cells.
public struct PageTone: Hashable, Sendable {
    /// The kinds of pages for which there are styles.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A drawing, a plot, an interface or a text on light paper.
        case light
        /// The same on dark paper.
        case dark
        /// Everything without paper: photographs, maps, renderings.
        case photograph
    }

    /// The kind.
    public let kind: Kind
    /// The colour of rings and connectors.
    public let accent: Color
    /// Whether most of the page is paper. On others, and on photographs, rims have casings too.
    public let isPlain: Bool
    /// The mean colour of each cell, row by row; one cell where nothing is known.
    public let cells: [Color]
    /// How many cells lie side by side.
    public let columns: Int

    /// The tone of a light page of which nothing else is known.
    public static let light = PageTone(kind: .light, accent: accents(of: .light)[0], cells: [.defaultRim], columns: 1)

    /// A known tone.
    public init(kind: Kind, accent: Color, isPlain: Bool = true, cells: [Color], columns: Int) {
        (self.kind, self.accent, self.isPlain) = (kind, accent, isPlain)
        (self.cells, self.columns) = (cells, columns)
    }

    /// How lightness is spread under a rect: its mean, 0 … 1.
    /// - Parameters:
    ///   - rect: in the page's own pixels.
    ///   - size: of the page.
    func lightness(under rect: Rect, of size: ImageSize) -> Double {
        let rows = max(1, cells.count / columns)
        func range(_ low: Double, _ high: Double, _ side: Int, _ count: Int) -> ClosedRange<Int> {
            let scale = Double(count) / Double(side)
            let first = min(count - 1, max(0, Int((low * scale).rounded(.down))))
            return first...min(count - 1, max(first, Int((high * scale).rounded(.up)) - 1))
        }
        var (sum, count) = (0.0, 0.0)
        for row in range(rect.minY, rect.maxY, size.height, rows) {
            for column in range(rect.minX, rect.maxX, size.width, columns) {
                sum += OKLab(cells[row * columns + column]).lightness
                count += 1
            }
        }
        return sum / count
    }
}

/// Finding out the tone of a page.
extension PageTone {
    /// The colours of rings and connectors: the first, unless that is the hue of three quarters of what has a colour on the
    /// page.
    static func accents(of kind: Kind) -> [Color] {
        switch kind {
        case .light: [Color(red: 0xe5, green: 0x48, blue: 0x4d), Color(red: 0x00, green: 0x6a, blue: 0xdc)]
        case .dark: [Color(red: 0xff, green: 0xd6, blue: 0x0a), Color(red: 0x30, green: 0xd1, blue: 0xff)]
        case .photograph: [Color.defaultRim]
        }
    }

    /// Cells along the longer side, and samples along each side of a cell.
    static let (cellsAlong, samplesAlong) = (32, 4)

    /// The points that are looked at, in the page's pixels, and how many cells lie side by side.
    private static func grid(of size: ImageSize) -> (points: [(x: Int, y: Int)], columns: Int, rows: Int) {
        let longer = max(size.width, size.height)
        func count(_ side: Int) -> Int { max(1, min(side, (cellsAlong * side + longer / 2) / longer)) }
        let (columns, rows) = (count(size.width), count(size.height))
        func at(_ index: Int, _ count: Int, _ side: Int) -> Int {
            min(side - 1, (2 * index + 1) * side / (2 * count * samplesAlong))
        }
        var points: [(x: Int, y: Int)] = []
        for row in 0..<rows * samplesAlong {
            for column in 0..<columns * samplesAlong {
                points.append((at(column, columns, size.width), at(row, rows, size.height)))
            }
        }
        return (points, columns, rows)
    }

    /// The points that are looked at, in the page's pixels.
    package static func samples(of size: ImageSize) -> [(x: Int, y: Int)] { grid(of: size).points }

    /// The tone of a page.
    /// - Parameters:
    ///   - size: in pixels.
    ///   - background: that is seen through translucent pixels.
    ///   - color: of a pixel.
    public init(of size: ImageSize, over background: Color = .defaultRim, color: (_ x: Int, _ y: Int) -> Color) {
        let (points, columns, rows) = Self.grid(of: size)
        let colors = points.map { color($0.x, $0.y).over(background) }
        var sums = [SIMD4<Int>](repeating: .zero, count: columns * rows)
        for (index, color) in colors.enumerated() {
            let (row, column) = index.quotientAndRemainder(dividingBy: columns * Self.samplesAlong)
            let cell = row / Self.samplesAlong * columns + column / Self.samplesAlong
            sums[cell] &+= SIMD4(Int(color.red), Int(color.green), Int(color.blue), 1)
        }
        let cells = sums.map { sum in
            Color(red: UInt8(sum.x / sum.w), green: UInt8(sum.y / sum.w), blue: UInt8(sum.z / sum.w))
        }
        let labs = colors.map { OKLab($0) }
        let (kind, isPlain) = Self.kind(of: colors, labs)
        self.init(
            kind: kind, accent: Self.accent(on: labs, kind), isPlain: isPlain, cells: cells, columns: columns)
    }

    /// The part of a page that its paper, with what looks almost like it, has to cover; and from which on the page is plain.
    private static let (leastPaper, plainPaper) = (0.5, 0.8)
    /// The lightness of paper: at most that on dark pages, at least that on light ones.
    private static let (darkPaper, lightPaper) = (0.4, 0.85)
    /// How far from the paper's colour a pixel may lie to count as paper, in OKLab: shades of scanned paper do.
    private static let paperDistance = 0.1

    /// - Parameter labs: the same colours.
    private static func kind(of colors: [Color], _ labs: [OKLab]) -> (Kind, isPlain: Bool) {
        func bin(_ color: Color) -> Int { Int(color.red >> 4) << 8 | Int(color.green >> 4) << 4 | Int(color.blue >> 4) }
        var counts = [Int](repeating: 0, count: 1 << 12)
        for color in colors { counts[bin(color)] += 1 }
        let most = counts.indices.max { counts[$0] < counts[$1] } ?? 0
        guard let paper = zip(colors, labs).first(where: { bin($0.0) == most })?.1 else {
            return (.light, true)
        }
        let near = labs.reduce(0.0) { $0 + (paper.distance(to: $1) < paperDistance ? 1 : 0) } / Double(labs.count)
        let isPaper = near >= leastPaper && !(darkPaper..<lightPaper ~= paper.lightness)
        guard isPaper else { return (.photograph, false) }
        return (paper.lightness < darkPaper ? .dark : .light, near >= plainPaper)
    }

    private static func accent(on colors: [OKLab], _ kind: Kind) -> Color {
        let accents = accents(of: kind)
        let lab = OKLab(accents[0])
        let colored = colors.filter { $0.a * $0.a + $0.b * $0.b > 0.05 * 0.05 }
        // Of the accent's hue: within 30 degrees.
        let alike = colored.filter { other in
            let product = lab.a * other.a + lab.b * other.b
            let lengths = ((lab.a * lab.a + lab.b * lab.b) * (other.a * other.a + other.b * other.b)).squareRoot()
            return product > 0.866 * lengths
        }
        let isWhole = 100 * colored.count > colors.count && 4 * alike.count > 3 * colored.count
        return isWhole ? accents.last ?? accents[0] : accents[0]
    }
}
