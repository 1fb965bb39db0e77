import Synchronization

/// Packs pictures that follow one another and are mostly alike, as the frames of a film: bands of rows that have not
/// changed since they were packed are not packed again. The files are the same, byte for byte, as ``PNG/encode(_:options:)``
/// makes.
public final class PNGSequence {
    /// A picture of the sequence, to be packed on any thread, in any order.
    public struct Frame: Sendable {
        fileprivate let image: Image
        fileprivate let options: PNGOptions
        let past: PackedPast

        /// The picture as the bytes of a PNG file.
        ///
        /// Throws ``ImageError/outOfMemory(name:width:height:)`` where there is no memory for it.
        public func encoded() throws(ImageError) -> [UInt8] {
            try PNG.encode(image, options: options, past: past)
        }

        /// Encodes the picture and puts it at `path` whole or not at all, as `AtomicFile` does.
        public func write(to path: String) throws(ImageError) {
            try PNG.put(encoded(), at: path)
        }
    }

    private let options: PNGOptions
    /// Of pictures of one size.
    private var bands = PackedBands()
    private var count = 0
    private var width = 0
    /// For each row, the number of the picture in which it changed last.
    private var changes: [Int] = []

    public init(options: PNGOptions = PNGOptions()) { self.options = options }

    /// The next picture.
    /// - Parameter rows: outside of which it equals the one before, if that had its size.
    public func next(_ image: Image, changedWithin rows: Range<Int>) -> Frame {
        count += 1
        if (image.width, image.height) == (width, changes.count) {
            for row in rows.clamped(to: changes.indices) { changes[row] = count }
        } else {
            (width, changes) = (image.width, [Int](repeating: count, count: image.height))
            bands = PackedBands()
        }
        return Frame(image: image, options: options, past: PackedPast(bands: bands, changes: changes))
    }
}

/// What is known of the pictures before one.
struct PackedPast: Sendable {
    fileprivate let bands: PackedBands
    /// For each row, when it changed last.
    fileprivate let changes: [Int]

    func rows(as layout: PNGLayout) -> PackedRows { PackedRows(past: self, layout: layout) }
}

/// The rows of a picture in a sequence, filtered in the one way that depends on no row but those of a band and the one above.
struct PackedRows: Sendable {
    fileprivate let past: PackedPast
    fileprivate let layout: PNGLayout

    /// The band of some rows, packed now unless it has been already.
    func band(_ rows: Range<Int>, reach: BandCompressor.Reach, packing pack: () -> PackedBand?) -> PackedBand? {
        let read = max(0, rows.lowerBound - 1)..<rows.upperBound
        let change = past.changes[read].reduce(0, max)
        let origin = PackedBands.Origin(rows: rows, layout: layout, reach: reach, change: change)
        if let known = past.bands.band(of: origin) { return known }
        let band = pack()
        if let band { past.bands.keep(band, of: origin) }
        return band
    }
}

/// The newest bands of a sequence, packed.
private final class PackedBands: Sendable {
    struct Origin: Hashable {
        let rows: Range<Int>
        let layout: PNGLayout
        let reach: BandCompressor.Reach
        let change: Int
    }

    private let newest = Mutex<[Range<Int>: (origin: Origin, band: PackedBand)]>([:])

    func band(of origin: Origin) -> PackedBand? {
        newest.withLock { bands in bands[origin.rows].flatMap { $0.origin == origin ? $0.band : nil } }
    }

    func keep(_ band: PackedBand, of origin: Origin) {
        newest.withLock { bands in
            if let known = bands[origin.rows], known.origin.change > origin.change { return }
            bands[origin.rows] = (origin, band)
        }
    }
}
