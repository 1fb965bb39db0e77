import LoupeSystem
import Synchronization

/// Encodes images that follow one another and are mostly alike, such as frames: bands of rows that have not changed are not
/// compressed again. The files are those of ``PNG/encode(_:options:)``, byte for byte.
package final class PNGSequence {
    /// An image of the sequence, which can be encoded on any thread, in any order.
    package struct Frame: Sendable {
        fileprivate let image: Image
        let past: PackedPast

        /// The bytes of a PNG file of the image.
        ///
        /// Throws ``ImageError/outOfMemory(name:width:height:bytesPerPixel:)`` or ``ImageError/unencodable(width:height:reason:)``.
        package func encoded() throws(ImageError) -> [UInt8] {
            try PNG.encode(image, options: PNGOptions(), past: past)
        }

        /// Encodes the image and writes the file at `path` whole or not at all, as `AtomicFile` does.
        package func write(to path: Path) throws(ImageError) {
            try PNG.writeFile(encoded(), to: path)
        }
    }

    /// Compressed bands of images of one size.
    private var bands = PackedBands()
    private var count = 0
    private var width = 0
    private var depth = 8
    /// For each row, the number of the image in which it changed last.
    private var changes: [Int] = []

    /// A sequence without images yet.
    package init() {}

    /// Adds the next image.
    /// - Parameter rows: the rows that may differ from the image before; not used where that had another size or depth.
    package func next(_ image: Image, changedWithin rows: Range<Int>) -> Frame {
        count += 1
        if (image.width, image.height, image.depth) == (width, changes.count, depth) {
            for row in rows.clamped(to: changes.indices) { changes[row] = count }
        } else {
            (width, depth) = (image.width, image.depth)
            changes = [Int](repeating: count, count: image.height)
            bands = PackedBands()
        }
        return Frame(image: image, past: PackedPast(bands: bands, changes: changes))
    }
}

/// The known data of the images before one in a sequence.
struct PackedPast: Sendable {
    fileprivate let bands: PackedBands
    /// For each row, the number of the image in which it changed last.
    fileprivate let changes: [Int]

    /// The compressed band of some rows; `pack` makes it where it is not known.
    func band(_ rows: Range<Int>, as layout: PNGLayout, packing pack: () -> PackedBand?) -> PackedBand? {
        // A band's compressed data depend on its own rows and on the one above.
        let change = changes[max(0, rows.lowerBound - 1)..<rows.upperBound].reduce(0, max)
        let known = bands.newest.withLock { $0[rows] }
        if let known, known.layout == layout, known.change == change { return known.band }
        guard let band = pack() else { return nil }
        bands.newest.withLock { newest in
            if let known = newest[rows], known.change > change { return }
            newest[rows] = (layout, change, band)
        }
        return band
    }
}

/// The newest compressed bands of a sequence, by their rows.
private final class PackedBands: Sendable {
    /// Each with the number of the image in which what it depends on changed last.
    let newest = Mutex<[Range<Int>: (layout: PNGLayout, change: Int, band: PackedBand)]>([:])
}
