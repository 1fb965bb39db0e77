import Dispatch
import LoupeBase
import LoupeSystem

/// A PNG read row by row, for images that are too large to be held.
///
/// An interlaced one has its rows only at the end, so it is held whole, and refused where that is too much.
package struct PNGRows: Sendable {
    /// In pixels.
    package let width: Int
    /// In pixels.
    package let height: Int
    /// What the file says about its colours. ``forEachBand(_:)`` does not convert them.
    package let color: ColorEncoding
    private let name: String
    private let content: ImageContent
    private let header: PNGHeader
    private let limits: ImageLimits

    /// Rows of the PNG in `bytes`.
    /// - Parameter name: what messages call these bytes.
    /// - Throws: what is wrong with the header, and ``ImageError/overLimit(name:width:height:limit:)``.
    package init(_ bytes: [UInt8], name: String, limits: ImageLimits = ImageLimits()) throws(ImageError) {
        let header = try PNG.withSource(of: bytes) { source throws(ImageError) in
            try PNGHeader(from: source, name: name)
        }
        try self.init(.bytes(bytes), header, name: name, limits: limits)
    }

    init(_ content: ImageContent, _ header: PNGHeader, name: String, limits: ImageLimits) throws(ImageError) {
        (width, height) = (header.width, header.height)
        (self.name, self.content, self.header, self.limits) = (name, content, header, limits)
        try limits.check(width: width, height: height, name: name)
        color = try content.withSource { source throws(ImageError) in
            try PNG.color(source, name: name, limits: limits)
        }
    }

    /// Calls `body` with all rows in order, some at a time: straight 8-bit RGBA, as stored. The next rows are read
    /// meanwhile on another thread.
    ///
    /// An error in the file may be found only after its last row. The rows are then not to be used.
    package func forEachBand(_ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void) throws(ImageError)
    {
        try forEachBand(keepsDepth: false, body)
    }

    /// As ``forEachBand(_:)``, with the rows converted to sRGB.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` too, where the colour profile is broken.
    package func forEachConvertedBand(
        _ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void
    ) throws(ImageError) {
        guard color != .sRGB else { return try forEachBand(body) }
        let is16Bit = header.depth == 16 && color.needs16Bits
        let conversion: BandConversion?
        do {
            conversion = try BandConversion(color, of: header, is16Bit: is16Bit)
        } catch {
            throw .damaged(name: name, format: .png, reason: "its colour profile: \(error.reason)")
        }
        guard let conversion else { return try forEachBand(body) }
        try forEachBand(keepsDepth: is16Bit) { band, rows in
            conversion.withConverted(band) { body($0, rows) }
        }
    }

    /// - Parameter keepsDepth: whether the rows of a 16-bit file keep 16 bits a channel, as `UInt16`.
    private func forEachBand(
        keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        DecodeCount.add()
        try content.withSource { source throws(ImageError) in
            try header.checkUnchanged(in: source, name: name)
            try PNG.checkLength(of: source, for: header, name: name)
        }
        if header.isInterlaced { return try readWhole(keepsDepth: keepsDepth, body) }
        let reading = BandReader(content, header, keepsDepth: keepsDepth, name: name, limits: limits)
        guard reading.start() else { return try reading.readHere(body) }
        while let band = reading.next() { body(UnsafeRawBufferPointer(band.pixels), band.rows) }
        if let failure = reading.failure { throw failure }
    }

    private func readWhole(
        keepsDepth: Bool, _ body: (UnsafeRawBufferPointer, Range<Int>) -> Void
    ) throws(ImageError) {
        let most = ImageLimits().maxPixels
        guard width * height <= most else {
            throw .interlaced(name: name, width: width, height: height, limit: most)
        }
        let image = try content.withSource { source throws(ImageError) in
            try PNG.decode(source, header, name: name, limits: limits, keepsDepth: keepsDepth)
        }
        if let pixels16 = image.pixels16 {
            pixels16.withUnsafeBytes { body($0, 0..<height) }
        } else {
            image.pixels.withUnsafeBytes { body($0, 0..<height) }
        }
    }
}

/// Reads the bands of a PNG on its own thread, up to three ahead of their use; where there is no thread, one by one.
///
/// Where ``PlainRowReader`` gives up, libpng reads the file again from its start, and the bands that were delivered are
/// skipped.
final class BandReader: @unchecked Sendable {
    /// Rows and their pixels.
    struct Band {
        let pixels: UnsafeMutableRawBufferPointer
        let rows: Range<Int>
    }

    /// The error that ended the rows; known once `next` has returned nil.
    var failure: ImageError? { outcome.sync { foundFailure } }

    private let content: ImageContent
    private let header: PNGHeader
    private let name: String
    private let limits: ImageLimits
    /// Whether the delivered samples have 16 bits.
    private let is16Bit: Bool
    private let rowBytes: Int
    private let rowsInBand: Int
    /// Used in turn.
    private let buffers: [UnsafeMutableRawBufferPointer]
    private let free = DispatchSemaphore(value: 0)
    private let full = DispatchSemaphore(value: 0)
    private let outcome = DispatchQueue(label: "outcome")
    private var foundFailure: ImageError?
    private var taken = 0

    /// The size of a band, about.
    private static let bandBytes = 4 << 20

    /// The header is known already.
    /// - Parameter keepsDepth: whether the samples of a 16-bit file keep 16 bits.
    init(_ content: ImageContent, _ header: PNGHeader, keepsDepth: Bool, name: String, limits: ImageLimits) {
        (self.content, self.header, self.name, self.limits) = (content, header, name, limits)
        is16Bit = keepsDepth && header.depth == 16
        rowBytes = header.width * (is16Bit ? 8 : 4)
        rowsInBand = max(1, min(header.height, Self.bandBytes / rowBytes))
        let bytes = rowBytes * rowsInBand
        buffers = (0..<3).map { _ in .allocate(byteCount: bytes, alignment: 16) }
        // Not as the initial value: a semaphore must not be freed at a lower value than its first.
        for _ in buffers { free.signal() }
    }

    /// Starts reading ahead; false where no thread can be made.
    func start() -> Bool {
        Threads.start {
            let failure = self.read(awaitRoom: { self.free.wait() }, deliver: { _ in self.full.signal() })
            self.outcome.sync { self.foundFailure = failure }
            self.full.signal()
        }
    }

    /// Reads all bands on this thread.
    func readHere(_ body: (UnsafeRawBufferPointer, Range<Int>) -> Void) throws(ImageError) {
        let failure = read(awaitRoom: {}, deliver: { body(UnsafeRawBufferPointer($0.pixels), $0.rows) })
        if let failure { throw failure }
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

    /// The next band, valid until the next call; nil after the last, or after an error.
    func next() -> Band? {
        if taken > 0 { free.signal() }
        full.wait()
        if taken == bandCount || failure != nil { return nil }
        defer { taken += 1 }
        return band(taken)
    }

    /// - Parameters:
    ///   - awaitRoom: waits until the next band's buffer may be filled.
    ///   - deliver: hands on a band that has been read.
    private func read(awaitRoom: () -> Void, deliver: (Band) -> Void) -> ImageError? {
        do throws(ImageError) {
            let done = try content.withSource { readPlainly($0, awaitRoom, deliver) }
            guard let done else { return nil }
            try content.withSource { source throws(ImageError) in
                try readByLibpng(source, skipping: done, awaitRoom, deliver)
            }
            return nil
        } catch {
            return error
        }
    }

    /// Reads by ``PlainRowReader``: nil where the whole file could be read, otherwise the number of bands that were.
    private func readPlainly(
        _ source: ByteSource, _ awaitRoom: () -> Void, _ deliver: (Band) -> Void
    ) -> Int? {
        guard let reader = PlainRowReader(source: source, header: header), reader.start() else { return 0 }
        for index in 0..<bandCount {
            awaitRoom()
            let band = band(index)
            guard reader.readRows(band.rows.count, into: band.pixels) else {
                free.signal()
                return index
            }
            deliver(band)
        }
        return reader.finish() ? nil : bandCount
    }

    private func readByLibpng(
        _ source: ByteSource, skipping done: Int, _ awaitRoom: () -> Void, _ deliver: (Band) -> Void
    ) throws(ImageError) {
        guard let reader = PNGReader(source: source, limits: limits) else {
            throw .outOfMemory(name: name, width: header.width, height: header.height)
        }
        guard reader.start(is16Bit: is16Bit) else { throw PNG.failure(of: reader, reading: source, name: name) }
        for index in 0..<bandCount {
            let isNew = index >= done
            if isNew { awaitRoom() }
            let band = band(index)
            guard read(band, by: reader, keeping: isNew) else {
                throw PNG.failure(of: reader, reading: source, name: name)
            }
            if isNew { deliver(band) }
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
