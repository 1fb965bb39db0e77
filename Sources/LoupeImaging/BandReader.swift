import Dispatch
import LoupeFiles

/// Reads the bands of a PNG on a thread of its own, a few ahead of who takes them.
///
/// Where the quick reader gives way, libpng reads the file from its start once more and passes over what is there already.
final class BandReader: @unchecked Sendable {
    struct Band {
        let pixels: UnsafeMutableRawBufferPointer
        let rows: Range<Int>
    }

    /// Why the rows ended too soon; known once `next` has returned nil.
    var failure: ImageError? { outcome.sync { foundFailure } }

    private let header: PNGHeader
    /// Whether the samples have 16 bits.
    private let is16Bit: Bool
    private let rowBytes: Int
    private let rowsInBand: Int
    /// Used in turns.
    private let buffers: [UnsafeMutableRawBufferPointer]
    private let free = DispatchSemaphore(value: 0)
    private let full = DispatchSemaphore(value: 0)
    private let outcome = DispatchQueue(label: "outcome")
    private var foundFailure: ImageError?
    private var taken = 0

    /// About how much one band holds.
    private static let bandBytes = 4 << 20

    /// - Parameter keepsDepth: whether the samples of a file of 16 bits keep them.
    init(_ content: ImageContent, _ header: PNGHeader, keepsDepth: Bool, name: String, limits: ImageLimits) {
        self.header = header
        is16Bit = keepsDepth && header.depth == 16
        rowBytes = header.width * (is16Bit ? 8 : 4)
        rowsInBand = max(1, min(header.height, Self.bandBytes / rowBytes))
        let bytes = rowBytes * rowsInBand
        buffers = (0..<3).map { _ in .allocate(byteCount: bytes, alignment: 16) }
        // A semaphore may not go with less than it was made with.
        for _ in buffers { free.signal() }
        DispatchQueue.global().async {
            let failure = self.read(content, name: name, limits: limits)
            self.outcome.sync { self.foundFailure = failure }
            self.full.signal()
        }
    }

    deinit {
        for buffer in buffers { buffer.deallocate() }
    }

    private var bandCount: Int { (header.height + rowsInBand - 1) / rowsInBand }

    private func band(_ index: Int) -> Band {
        let rows = index * rowsInBand..<min(header.height, (index + 1) * rowsInBand)
        let buffer = buffers[index % buffers.count]
        return Band(
            pixels: UnsafeMutableRawBufferPointer(rebasing: buffer[..<(rows.count * rowBytes)]), rows: rows)
    }

    /// The next band, until the one after it is asked for; nil after the last, or where something went wrong.
    func next() -> Band? {
        if taken > 0 { free.signal() }
        full.wait()
        if taken == bandCount || failure != nil { return nil }
        defer { taken += 1 }
        return band(taken)
    }

    private func read(_ content: ImageContent, name: String, limits: ImageLimits) -> ImageError? {
        do throws(ImageError) {
            guard let done = try content.withSource(readPlainly) else { return nil }
            try content.withSource { source throws(ImageError) in
                try readByLibpng(source, passingOver: done, name: name, limits: limits)
            }
            return nil
        } catch {
            return error
        }
    }

    /// How many bands could be read where not all is well; nil where it is.
    private func readPlainly(_ source: ByteSource) -> Int? {
        guard let reader = PlainRowReader(source: source, header: header), reader.start() else { return 0 }
        for index in 0..<bandCount {
            free.wait()
            let band = band(index)
            guard reader.readRows(band.rows.count, into: band.pixels) else {
                free.signal()
                return index
            }
            full.signal()
        }
        return reader.finish() ? nil : bandCount
    }

    private func readByLibpng(
        _ source: ByteSource, passingOver done: Int, name: String, limits: ImageLimits
    ) throws(ImageError) {
        guard let reader = PNGReader(source: source, limits: limits) else {
            throw .outOfMemory(name: name, width: header.width, height: header.height)
        }
        guard reader.start(is16Bit: is16Bit) else { throw PNG.failure(of: reader, reading: source, name: name) }
        for index in 0..<bandCount {
            let isNew = index >= done
            if isNew { free.wait() }
            guard read(band(index), by: reader, keeping: isNew) else {
                throw PNG.failure(of: reader, reading: source, name: name)
            }
            if isNew { full.signal() }
        }
        guard reader.finish() else { throw PNG.failure(of: reader, reading: source, name: name) }
    }

    private func read(_ band: Band, by reader: borrowing PNGReader, keeping isNew: Bool) -> Bool {
        if isNew { return reader.readRows(band.rows.count, into: band.pixels) }
        return withUnsafeTemporaryAllocation(byteCount: band.pixels.count, alignment: 16) {
            reader.readRows(band.rows.count, into: $0)
        }
    }
}
