import Dispatch

/// Reads the bands of a PNG on a thread of its own, a few ahead of who takes them.
final class BandReader: @unchecked Sendable {
    struct Band {
        let pixels: UnsafeMutableRawBufferPointer
        let rows: Range<Int>
    }

    /// Why the rows ended too soon; known once `next` has returned nil.
    var failure: PNGError? { outcome.sync { foundFailure } }

    private let header: PNGHeader
    private let rowsInBand: Int
    /// Used in turns.
    private let buffers: [UnsafeMutableRawBufferPointer]
    private let free: DispatchSemaphore
    private let full = DispatchSemaphore(value: 0)
    private let outcome = DispatchQueue(label: "outcome")
    private var foundFailure: PNGError?
    private var taken = 0

    /// About how much one band holds.
    private static let bandBytes = 4 << 20

    init(source: ByteSource, header: PNGHeader, name: String, limits: PNGLimits) {
        self.header = header
        let rowBytes = header.width * 4
        let rows = max(1, min(header.height, Self.bandBytes / rowBytes))
        rowsInBand = rows
        buffers = (0..<3).map { _ in .allocate(byteCount: rowBytes * rows, alignment: 16) }
        free = DispatchSemaphore(value: buffers.count)
        nonisolated(unsafe) let source = source
        DispatchQueue.global().async {
            let failure = self.read(source, name: name, limits: limits)
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
            pixels: UnsafeMutableRawBufferPointer(rebasing: buffer[..<(rows.count * header.width * 4)]), rows: rows)
    }

    /// The next band, until the one after it is asked for; nil after the last, or where something went wrong.
    func next() -> Band? {
        if taken > 0 { free.signal() }
        full.wait()
        if taken == bandCount || failure != nil { return nil }
        defer { taken += 1 }
        return band(taken)
    }

    private func read(_ source: ByteSource, name: String, limits: PNGLimits) -> PNGError? {
        guard let reader = PNGReader(source: source, limits: limits) else {
            return .outOfMemory(name: name, width: header.width, height: header.height)
        }
        guard reader.start() else { return PNG.failure(of: reader, reading: source, name: name) }
        for index in 0..<bandCount {
            free.wait()
            let band = band(index)
            guard reader.readRows(band.rows.count, into: band.pixels) else {
                return PNG.failure(of: reader, reading: source, name: name)
            }
            full.signal()
        }
        return reader.finish() ? nil : PNG.failure(of: reader, reading: source, name: name)
    }
}
