import LoupeBase
import LoupeScene

/// The kind of a page, which decides the default style, and its colours in coarse cells.
public struct PageTone: Hashable, Sendable {
    /// The kinds of pages for which there are styles.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// A drawing, a plot, an interface or a text on light paper, also a scan of one.
        case light
        /// The same on dark paper.
        case dark
        /// Everything without even areas: photographs, micrographs, renderings.
        case photograph
    }

    /// The kind.
    public let kind: Kind
    /// The colour of rings and connectors.
    public let accent: Color
    /// The commonest colour: on light and dark pages that of the paper.
    public let paper: Color
    /// The mean colour of each cell, row by row; one cell where nothing is known.
    public let cells: [Color]
    /// How many cells lie side by side.
    public let columns: Int

    /// The tone of a light page of which nothing else is known.
    public static let light = PageTone(kind: .light, accent: accents(of: .light)[0], cells: [.defaultRim], columns: 1)

    /// A known tone.
    public init(kind: Kind, accent: Color, paper: Color = .defaultRim, cells: [Color], columns: Int) {
        (self.kind, self.accent, self.paper) = (kind, accent, paper)
        (self.cells, self.columns) = (cells, columns)
    }

    /// The lightness at a point, 0 … 1.
    /// - Parameter point: in parts of the page's width and height.
    func lightness(at point: Point) -> Double {
        let rows = cells.count / columns
        func index(_ part: Double, _ count: Int) -> Int {
            Int((part * Double(count)).clamped(to: 0...Double(count - 1)))
        }
        return OKLab(cells[index(point.y, rows) * columns + index(point.x, columns)]).lightness
    }
}

/// Finding out the tone of a page.
extension PageTone {
    /// The colours of rings and connectors: the first, unless much of the page has its hue.
    static func accents(of kind: Kind) -> [Color] {
        switch kind {
        case .light, .photograph:
            [Color(red: 0xe5, green: 0x48, blue: 0x4d), Color(red: 0x00, green: 0x6a, blue: 0xdc)]
        case .dark: [Color(red: 0xff, green: 0xd6, blue: 0x0a), Color(red: 0x30, green: 0xd1, blue: 0xff)]
        }
    }

    /// Cells along the longer side, and samples along each side of a cell.
    static let (cellsAlong, samplesAlong) = (32, 4)

    /// The points that are looked at, in the page's pixels, each with a neighbour at its right where it has one, and how many
    /// cells lie side by side.
    private static func grid(of size: ImageSize) -> (points: [(x: Int, y: Int)], columns: Int, rows: Int) {
        let longer = max(size.width, size.height)
        func count(_ side: Int) -> Int { max(1, min(side, (cellsAlong * side + longer / 2) / longer)) }
        let (columns, rows) = (count(size.width), count(size.height))
        func at(_ index: Int, _ count: Int, _ side: Int) -> Int {
            max(0, min(side - 2, (2 * index + 1) * side / (2 * count * samplesAlong)))
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
    package static func samples(of size: ImageSize) -> [(x: Int, y: Int)] {
        grid(of: size).points.flatMap { [$0, (min($0.x + 1, size.width - 1), $0.y)] }
    }

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
        let (labs, paper) = (colors.map { OKLab($0) }, Self.commonest(of: colors))
        let even = zip(points, colors).count {
            color(min($0.x + 1, size.width - 1), $0.y).over(background) == $1
        }
        let kind = Self.kind(evenness: Double(even) / Double(points.count), paper: OKLab(paper))
        guard kind != .photograph || !Self.isScan(labs) else {
            // The red is as light as the greys of a scan.
            self.init(kind: .light, accent: Self.accents(of: .light)[1], paper: paper, cells: cells, columns: columns)
            return
        }
        self.init(kind: kind, accent: Self.accent(on: labs, kind), paper: paper, cells: cells, columns: columns)
    }

    /// The tone of a page in memory: straight 8-bit RGBA, rows from the top.
    package init(of size: ImageSize, pixels: [UInt8], over background: Color = .defaultRim) {
        self.init(of: size, over: background) { x, y in
            let at = 4 * (y * size.width + x)
            return Color(red: pixels[at], green: pixels[at + 1], blue: pixels[at + 2], alpha: pixels[at + 3])
        }
    }

    /// The least part of a drawing's pixels that equal the next one: of drawings and interfaces 0.7 to 0.98 do, of photographs,
    /// micrographs and scans 0 to 0.6.
    private static let leastEvenness = 2.0 / 3
    /// What is no farther from the paper's colour than the shades of scanned paper counts as paper, in OKLab.
    static let paperDistance = 0.03
    /// The lightness of the paper of light pages at least.
    private static let lightPaper = 0.6

    private static func commonest(of colors: [Color]) -> Color {
        var counts: [Color: Int] = [:]
        for color in colors { counts[color, default: 0] += 1 }
        let most = counts.values.max()
        return colors.first { counts[$0] == most } ?? .defaultRim
    }

    /// The mean lightness that scans have at least, and the mean chroma at most, as they are grey, in OKLab.
    private static let (scanLightness, scanChroma) = (0.7, 0.02)

    private static func isScan(_ colors: [OKLab]) -> Bool {
        let lightness = colors.reduce(0) { $0 + $1.lightness }
        let chroma = colors.reduce(0) { $0 + ($1.a * $1.a + $1.b * $1.b).squareRoot() }
        let count = Double(colors.count)
        return lightness >= scanLightness * count && chroma <= scanChroma * count
    }

    private static func kind(evenness: Double, paper: OKLab) -> Kind {
        guard evenness >= leastEvenness else { return .photograph }
        return paper.lightness >= lightPaper ? .light : .dark
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
        let isWhole = 10 * colored.count > colors.count && 4 * alike.count > colored.count
        return isWhole ? accents.last ?? accents[0] : accents[0]
    }
}
