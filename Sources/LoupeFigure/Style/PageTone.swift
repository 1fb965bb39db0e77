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
        /// Everything without even areas, or on a middling grey: photographs, micrographs, renderings.
        case photograph
    }

    /// The kind.
    public let kind: Kind
    /// The colour of rings and connectors.
    public let accent: Color
    /// The colours of several callouts without letters; those that the page has itself come last.
    let hues: [Color]
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
        self.init(kind, accent, Self.hues(of: kind), paper: paper, cells, columns: columns)
    }

    private init(
        _ kind: Kind, _ accent: Color, _ hues: [Color], paper: Color, _ cells: [Color], columns: Int
    ) {
        (self.kind, self.accent, self.hues, self.paper) = (kind, accent, hues, paper)
        (self.cells, self.columns) = (cells, columns)
    }

    /// Whether the page is dark as a whole, also a photograph or a micrograph.
    var isDark: Bool {
        guard kind == .photograph else { return kind == .dark }
        return cells.reduce(0) { $0 + OKLab($1).lightness } < Self.darkPaper * Double(cells.count)
    }

    /// The lightness at a point, 0 … 1.
    /// - Parameter point: in parts of the page's width and height.
    func lightness(at point: Point) -> Double { OKLab(color(at: point)).lightness }

    /// The mean colour of the cell at a point.
    /// - Parameter point: in parts of the page's width and height.
    func color(at point: Point) -> Color {
        let rows = cells.count / columns
        func index(_ part: Double, _ count: Int) -> Int {
            Int((part * Double(count)).clamped(to: 0...Double(count - 1)))
        }
        return cells[index(point.y, rows) * columns + index(point.x, columns)]
    }
}

/// Finding out the tone of a page.
extension PageTone {
    /// The colours of rings and connectors: the first, unless the page has it itself.
    static func accents(of kind: Kind) -> [Color] {
        switch kind {
        case .light, .photograph:
            [Color(red: 0xe5, green: 0x48, blue: 0x4d), Color(red: 0x00, green: 0x6a, blue: 0xdc)]
        case .dark: [Color(red: 0xff, green: 0xd6, blue: 0x0a), Color(red: 0x30, green: 0xd1, blue: 0xff)]
        }
    }

    /// The hues of several callouts: on dark pages light ones.
    private static func hues(of kind: Kind) -> [Color] {
        guard kind == .dark else { return CropsFigure.palette }
        return accents(of: .dark) + [
            Color(red: 0xff, green: 0x50, blue: 0xb0), Color(red: 0xb0, green: 0xff, blue: 0xd0),
            Color(red: 0x90, green: 0x90, blue: 0xff), Color(red: 0xb0, green: 0x90, blue: 0x50),
        ]
    }

    /// The same colours, but those that the page has itself come last, even where it has them in thin lines alone, and the last
    /// is that of which it has most.
    private static func unowned(_ colors: [Color], on page: [OKLab]) -> [Color] {
        let counts = colors.map { color in
            let lab = OKLab(color)
            let count = page.count { $0.distance(to: lab) < 0.15 }
            return 1000 * count > page.count ? count : 0
        }
        return colors.indices.sorted { (counts[$0], $0) < (counts[$1], $1) }.map { colors[$0] }
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
        let isScan = kind == .photograph && Self.isScan(labs)
        // The red is as light as the greys of a scan.
        let accents = isScan ? [Self.accents(of: .light)[1]] : Self.unowned(Self.accents(of: kind), on: labs)
        self.init(
            isScan ? .light : kind, accents[0], Self.unowned(Self.hues(of: kind), on: labs), paper: paper, cells,
            columns: columns)
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
    /// The lightness of the paper of light pages at least, and that of dark ones at most: on greys between them no light line
    /// stands out, nor does a dark one.
    private static let (lightPaper, darkPaper) = (0.6, 0.4)

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
        return paper.lightness >= lightPaper ? .light : paper.lightness < darkPaper ? .dark : .photograph
    }
}
