/// Where a document lies among the pixels of a picture, and which of them are wanted.
public struct SVGPlacement: Hashable, Sendable {
    /// The rect that the whole document is stretched to, in pixels.
    public let x, y, width, height: Double
    /// The pixels that are drawn; at least one of each.
    public let columns, rows: Range<Int>

    public init(x: Double, y: Double, width: Double, height: Double, columns: Range<Int>, rows: Range<Int>) {
        precondition(!columns.isEmpty && !rows.isEmpty)
        (self.x, self.y, self.width, self.height) = (x, y, width, height)
        (self.columns, self.rows) = (columns, rows)
    }
}
