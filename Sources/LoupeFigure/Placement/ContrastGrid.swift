import LoupeBase
import LoupeScene

/// A coarse grid of cells that says how busy a page is; ``LoupePlacer`` avoids covering busy cells.
///
/// A cell's value is the largest difference of a channel between two of its pixels, those that border its right and lower
/// edge included. So text, lines and marks are near 1, and even surfaces are 0.
public struct ContrastGrid: Hashable, Sendable {
    /// How many cells lie side by side.
    public let columns: Int
    /// How many cells lie one below the other.
    public let rows: Int
    /// The side of a cell, in pixels of the page; cells of the last row and column may be cut.
    public let cell: Int
    /// The page's width, in its own pixels.
    public let width: Int
    /// The page's height, in its own pixels.
    public let height: Int
    /// 0 … 1 for each cell, row by row from the top.
    public private(set) var values: [Float]
    /// The colour of the outermost pixels at each side, in the order of `CanvasSide`; nil where they differ from the
    /// first one by more than paper does.
    package private(set) var edges: [Color?]

    /// The grid of a page in memory.
    /// - Parameters:
    ///   - pixels: straight 8-bit RGBA, rows from the top: `4 * width * height` bytes.
    ///   - background: that is seen through translucent pixels.
    public init(width: Int, height: Int, pixels: [UInt8], over background: Color = .defaultBackground) {
        var reader = Reader(width: width, height: height, over: background)
        pixels.withUnsafeBytes { reader.take($0, rows: 0..<height) }
        self = reader.grid
    }

    fileprivate init(_ reader: borrowing Reader) {
        (columns, rows, cell) = (reader.columns, reader.rows, reader.cell)
        (width, height) = (reader.width, reader.height)
        values = (0..<columns * rows).map { cell in
            func contrast(_ channel: Int) -> Int {
                Int(reader.highs[3 * cell + channel]) - Int(reader.lows[3 * cell + channel])
            }
            return Float(max(contrast(0), contrast(1), contrast(2))) / 255
        }
        edges = reader.edges.map { $0.isPlain ? $0.color : nil }
    }
}

extension ContrastGrid {
    /// Takes the higher contrast of each cell, and only edges that another page of the same size has too.
    package mutating func join(_ other: ContrastGrid) {
        guard (columns, rows) == (other.columns, other.rows) else { return }
        for index in values.indices { values[index] = max(values[index], other.values[index]) }
        for index in edges.indices where edges[index] != other.edges[index] { edges[index] = nil }
    }

    /// The contrast of a cell above which something stands on its paper.
    fileprivate static let mostOfPaper: Float = 0.06
    /// The contrast of a cell above which an edge runs through it, as that of a card on its backdrop: five steps of 255.
    static let mostOfEven: Float = 5.5 / 255

    /// What of the page is not bare paper at its borders, in its own pixels, to a cell; nil where nothing stands on it.
    package var content: Rect? {
        var found: Rect?
        for (index, value) in values.enumerated() where value > Self.mostOfEven {
            let (x, y) = (index % columns * cell, index / columns * cell)
            let rect = Rect(
                x: Double(x), y: Double(y), width: Double(min(cell, width - x)), height: Double(min(cell, height - y)))
            found = found?.union(rect) ?? rect
        }
        return found
    }
}

extension ContrastGrid {
    /// Makes a grid from a page that comes row by row.
    public struct Reader {
        fileprivate let width: Int
        fileprivate let height: Int
        fileprivate let cell: Int
        fileprivate let columns: Int
        fileprivate let rows: Int
        private let background: [Int]
        /// The least and the largest value of each channel, for each cell.
        fileprivate var lows: [UInt8]
        fileprivate var highs: [UInt8]
        fileprivate var edges = CanvasSide.allCases.map { _ in Edge() }

        /// The outermost pixels at a side: the first one, and whether the others look like it.
        fileprivate struct Edge {
            var color: Color?
            var isPlain = true

            mutating func see(_ other: Color) {
                let own = color ?? other
                color = own
                func differs(_ channel: UInt8, _ other: UInt8) -> Bool {
                    Float(abs(Int(channel) - Int(other))) > 255 * ContrastGrid.mostOfPaper
                }
                if differs(own.red, other.red) || differs(own.green, other.green) || differs(own.blue, other.blue) {
                    isPlain = false
                }
            }
        }

        /// Cells along the longer side; more would take longer and decide no better.
        private static let cellsAlong = 192
        /// The smallest side of a cell, in pixels.
        private static let smallestCell = 8

        /// A reader of a page by its size in pixels.
        /// - Parameter background: that is seen through translucent pixels.
        public init(width: Int, height: Int, over background: Color = .defaultBackground) {
            (self.width, self.height) = (width, height)
            cell = max(Self.smallestCell, (max(width, height) + Self.cellsAlong - 1) / Self.cellsAlong)
            columns = (width + cell - 1) / cell
            rows = (height + cell - 1) / cell
            self.background = [Int(background.red), Int(background.green), Int(background.blue)]
            lows = [UInt8](repeating: 255, count: 3 * columns * rows)
            highs = [UInt8](repeating: 0, count: 3 * columns * rows)
        }

        /// Takes the next rows, which the page has at these indices.
        /// - Parameter band: straight 8-bit RGBA, `4 * width` bytes a row.
        public mutating func take(_ band: UnsafeRawBufferPointer, rows indices: Range<Int>) {
            for row in indices {
                let pixels = UnsafeRawBufferPointer(rebasing: band[((row - indices.lowerBound) * width * 4)...])
                let above = row % cell == 0 && row > 0 ? row / cell - 1 : row / cell
                for cells in above...(row / cell) { widen(rowOfCells: cells, with: pixels) }
                func see(_ side: CanvasSide, _ x: Int) {
                    let (red, green, blue) = color(pixels, x)
                    edges[side.rawValue].see(Color(red: red, green: green, blue: blue))
                }
                see(.left, 0)
                see(.right, width - 1)
                if row == 0 { for x in 0..<width { see(.above, x) } }
                if row == height - 1 { for x in 0..<width { see(.below, x) } }
            }
        }

        /// Widens the ranges of a row of cells by a row of pixels.
        private mutating func widen(rowOfCells: Int, with pixels: UnsafeRawBufferPointer) {
            for column in 0..<columns {
                let at = 3 * (rowOfCells * columns + column)
                var low = (lows[at], lows[at + 1], lows[at + 2])
                var high = (highs[at], highs[at + 1], highs[at + 2])
                for x in (column * cell)..<min(width, (column + 1) * cell + 1) {
                    let (red, green, blue) = color(pixels, x)
                    low = (min(low.0, red), min(low.1, green), min(low.2, blue))
                    high = (max(high.0, red), max(high.1, green), max(high.2, blue))
                }
                (lows[at], lows[at + 1], lows[at + 2]) = low
                (highs[at], highs[at + 1], highs[at + 2]) = high
            }
        }

        /// A pixel over the background.
        private func color(_ pixels: UnsafeRawBufferPointer, _ x: Int) -> (UInt8, UInt8, UInt8) {
            let (red, green, blue, alpha) = (pixels[4 * x], pixels[4 * x + 1], pixels[4 * x + 2], pixels[4 * x + 3])
            if alpha == 255 { return (red, green, blue) }
            func over(_ channel: UInt8, _ below: Int) -> UInt8 {
                let sum: Int = Int(channel) * Int(alpha) + below * (255 - Int(alpha))
                return UInt8((sum + 127) / 255)
            }
            return (over(red, background[0]), over(green, background[1]), over(blue, background[2]))
        }

        /// The grid, once all rows have been taken.
        public var grid: ContrastGrid { ContrastGrid(self) }
    }
}
