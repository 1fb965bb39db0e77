import LoupeSystem
import Synchronization

/// Encodes images that follow one another and are mostly alike, such as frames: bands of rows that have not changed are not
/// compressed again. The files are those of ``PNG/encode(_:options:)``, byte for byte.
package final class PNGSequence {
    /// An image of the sequence, which can be encoded on any thread, in any order.
    package struct Frame: Sendable {
        fileprivate let image: Image
        /// How its file is written; at first as the sequence says.
        package var options: PNGOptions
        let past: PackedPast

        /// The bytes of a PNG file of the image.
        ///
        /// Throws ``ImageError/outOfMemory(name:width:height:)`` or ``ImageError/unencodable(width:height:reason:)``.
        package func encoded() throws(ImageError) -> [UInt8] {
            try PNG.encode(image, options: options, past: past)
        }

        /// Compresses bands of the image ahead, for a later one that differs from it in some rows only. Each is begun only while
        /// it is wanted. Nothing is done where the image is not packed in bands, as a drawing is not.
        package func packAhead(except changing: Range<Int>, while isWanted: () -> Bool) {
            guard options.effort != .best, image.pixels16 == nil, PNGPalette(of: image) == nil else { return }
            let layout = PNGLayout(of: image).beside(options.profile)
            let rows = FilteredRows(image: image, layout: layout)
            let bands = BandCompressor.bands(of: rows)
            let same = (0..<bands.number).filter { !PackedRows.read(by: bands[$0]).overlaps(changing) }
            guard !same.isEmpty, (try? PNG.requireMemory(for: image, layout, options.effort)) != nil,
                case .bands(let reach) = PNGCompressor.method(for: rows, options.effort)
            else { return }
            BandCompressor.compress(same, of: rows, reach: reach, past: past.rows(as: layout), while: isWanted)
        }

        /// Encodes the image and writes the file at `path` whole or not at all, as `AtomicFile` does.
        package func write(to path: Path) throws(ImageError) {
            try PNG.writeFile(encoded(), to: path)
        }
    }

    private let options: PNGOptions
    /// Compressed bands of images of one size.
    private var bands = PackedBands()
    private var count = 0
    private var width = 0
    /// For each row, the number of the image in which it changed last.
    private var changes: [Int] = []

    /// A sequence without images yet; all files have the same options.
    package init(options: PNGOptions = PNGOptions()) { self.options = options }

    /// Adds the next image.
    /// - Parameter rows: the rows that may differ from the image before; not used where that had another size.
    package func next(_ image: Image, changedWithin rows: Range<Int>) -> Frame {
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

/// The known data of the images before one in a sequence.
struct PackedPast: Sendable {
    fileprivate let bands: PackedBands
    /// For each row, the number of the image in which it changed last.
    fileprivate let changes: [Int]

    func rows(as layout: PNGLayout) -> PackedRows { PackedRows(past: self, layout: layout) }
}

/// The compressed rows of an image in a sequence.
struct PackedRows: Sendable {
    fileprivate let past: PackedPast
    fileprivate let layout: PNGLayout

    /// The rows that a band's compressed data depend on: its own and the row above.
    static func read(by band: Range<Int>) -> Range<Int> { max(0, band.lowerBound - 1)..<band.upperBound }

    /// The compressed band of some rows; `pack` makes it where it is not known.
    func band(_ rows: Range<Int>, reach: BandCompressor.Reach, packing pack: () -> PackedBand?) -> PackedBand? {
        let change = past.changes[Self.read(by: rows)].reduce(0, max)
        let origin = PackedBands.Origin(rows: rows, layout: layout, reach: reach, change: change)
        if let known = past.bands.band(of: origin) { return known }
        let band = pack()
        if let band { past.bands.keep(band, of: origin) }
        return band
    }
}

/// The newest compressed bands of a sequence.
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
