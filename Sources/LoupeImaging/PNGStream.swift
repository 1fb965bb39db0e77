/// The content of an image's IDAT chunk in the pieces that it was made of: joined only where it is written, since fresh memory
/// for a copy costs as much as what fills it.
struct PNGStream {
    let pieces: [[UInt8]]

    init(_ pieces: [[UInt8]]) { self.pieces = pieces }

    var count: Int { pieces.reduce(0) { $0 + $1.count } }
}
