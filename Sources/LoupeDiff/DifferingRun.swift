/// Neighbouring pixels of one row that differ.
struct DifferingRun: Hashable, Sendable {
    /// Sides are below 2³¹.
    let row: Int32
    let start: Int32
    /// Past the last.
    var end: Int32

    var columns: Range<Int> { Int(start)..<Int(end) }
    var count: Int { Int(end - start) }
}
