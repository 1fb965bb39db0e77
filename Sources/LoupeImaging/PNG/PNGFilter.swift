import LoupeSystem

/// The five row filters of the PNG specification, section 9, by their numbers.
enum PNGFilter: UInt8, CaseIterable {
    case none, sub, up, average, paeth
}

/// The filtered rows of an image, each after the number of its filter, as they are compressed. Samples of 16 bits have
/// their high byte first.
///
/// Rows are made on request, so that an image that is compressed in bands needs no memory for all of them. Every fourth row
/// of a range tries all filters. The one whose differences have the least sum filters this row and the next three:
/// neighbouring rows mostly have the same best filter.
struct FilteredRows: Sendable {
    let image: Image
    let layout: PNGLayout

    var height: Int { image.height }
    /// The bytes of one row, with the filter's number.
    var rowBytes: Int { image.width * layout.channels * image.depth / 8 + 1 }

    /// Writes a range of rows. Any thread may call it, several at once.
    /// - Precondition: `bytes` has exactly the rows' size.
    func write(_ rows: Range<Int>, to bytes: UnsafeMutableBufferPointer<UInt8>) {
        var filter = RowFilter(self)
        for (index, y) in rows.enumerated() {
            filter.filter(row: y, tryingAll: index % 4 == 0, into: bytes, at: index * rowBytes)
        }
    }

    /// All rows.
    var whole: [UInt8] {
        let byteCount = height * rowBytes
        return [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            nonisolated(unsafe) let output = output
            let bands = Bands(count: height, atLeast: 64)
            Threads.forEach(bands.number) { index in
                let band = bands[index]
                let room = output[(band.lowerBound * rowBytes)..<(band.upperBound * rowBytes)]
                write(band, to: UnsafeMutableBufferPointer(rebasing: room))
            }
            count = byteCount
        }
    }

    /// Eight of every 256 rows, or all rows of a small image.
    var sample: [UInt8] {
        let (run, period) = (8, 256)
        guard height > period else { return whole }
        let starts = Array(stride(from: 0, to: height - run, by: period))
        let count = starts.count * run * rowBytes
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            for (index, start) in starts.enumerated() {
                let room = buffer[(index * run * rowBytes)..<((index + 1) * run * rowBytes)]
                write(start..<(start + run), to: UnsafeMutableBufferPointer(rebasing: room))
            }
            initializedCount = count
        }
    }
}

/// A number of rows divided into even bands for several cores, the same on every machine.
struct Bands {
    let count: Int
    let number: Int

    /// - Parameter atLeast: the fewest rows of a band, unless there are fewer in all.
    init(count: Int, atLeast: Int) {
        self.count = count
        number = max(1, min(16, count / atLeast))
    }

    subscript(index: Int) -> Range<Int> { (count * index / number)..<(count * (index + 1) / number) }
}

/// Filters rows one after another and keeps the row above.
private struct RowFilter {
    private let image: Image
    private let layout: PNGLayout
    /// From a byte to the one to its left that it is compared with.
    private let step: Int
    /// The number of bytes of a row.
    private let count: Int
    private var choice = PNGFilter.up
    /// Both start with a pixel of zeros, the left neighbour of the first pixel.
    private var current: [UInt8]
    private var above: [UInt8]
    private var aboveRow: Int?

    init(_ rows: FilteredRows) {
        (image, layout) = (rows.image, rows.layout)
        step = layout.channels * image.depth / 8
        count = image.width * step
        current = [UInt8](repeating: 0, count: count + step)
        above = current
    }

    mutating func filter(row: Int, tryingAll: Bool, into output: UnsafeMutableBufferPointer<UInt8>, at offset: Int) {
        swap(&current, &above)
        if aboveRow != row - 1 && row > 0 { pack(row - 1, into: &above) }
        pack(row, into: &current)
        aboveRow = row
        guard let start = output.baseAddress else { return }
        let differences = start + offset + 1
        if tryingAll { choose(tryingIn: differences) }
        start[offset] = choice.rawValue
        apply(choice, to: differences)
    }

    private func pack(_ row: Int, into bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBufferPointer { buffer in
            guard let target = buffer.baseAddress else { return }
            func pack<Sample>(_ samples: [Sample], _ pack: (UnsafePointer<Sample>) -> Void) {
                samples.withUnsafeBufferPointer { $0.baseAddress.map { pack($0 + row * image.width * 4) } }
            }
            if let pixels16 = image.pixels16 {
                pack(pixels16) { layout.pack($0, width: image.width, into: target + step) }
            } else {
                pack(image.pixels) { layout.pack($0, width: image.width, into: target + step) }
            }
        }
    }

    /// Chooses the filter whose differences, as signed numbers, have the least sum of magnitudes.
    private mutating func choose(tryingIn trial: UnsafeMutablePointer<UInt8>) {
        var least = Int.max
        for filter in PNGFilter.allCases {
            apply(filter, to: trial)
            let sum = Self.magnitude(trial, count: count)
            if sum < least {
                least = sum
                choice = filter
            }
        }
    }

    private static func magnitude(_ bytes: UnsafeMutablePointer<UInt8>, count: Int) -> Int {
        var sum: UInt32 = 0
        for index in 0..<count {
            let byte = bytes[index]
            sum &+= UInt32(min(byte, 0 &- byte))
        }
        return Int(sum)
    }

    private func apply(_ filter: PNGFilter, to output: UnsafeMutablePointer<UInt8>) {
        let (step, count) = (step, count)
        current.withUnsafeBufferPointer { current in
            above.withUnsafeBufferPointer { above in
                guard let left = current.baseAddress, let aboveLeft = above.baseAddress else { return }
                let (x, up) = (left + step, aboveLeft + step)
                switch filter {
                case .none: output.update(from: x, count: count)
                case .sub: for i in 0..<count { output[i] = x[i] &- left[i] }
                case .up: for i in 0..<count { output[i] = x[i] &- up[i] }
                case .average:
                    for i in 0..<count { output[i] = x[i] &- UInt8((UInt16(left[i]) + UInt16(up[i])) >> 1) }
                case .paeth:
                    for i in 0..<count { output[i] = x[i] &- Self.paeth(left[i], up[i], aboveLeft[i]) }
                }
            }
        }
    }

    @inline(__always)
    private static func paeth(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
        let (a16, b16, c16) = (Int16(a), Int16(b), Int16(c))
        let toA = abs(b16 &- c16)
        let toB = abs(a16 &- c16)
        let toC = abs(a16 &+ b16 &- c16 &- c16)
        return toA <= toB && toA <= toC ? a : (toB <= toC ? b : c)
    }
}

/// The channels that are stored in a PNG: only those that the image needs.
enum PNGLayout {
    case grey, rgb, rgba

    /// The smallest layout that holds an image.
    init(of image: Image) {
        self = !image.isOpaque ? .rgba : image.isGrey ? .grey : .rgb
    }

    var channels: Int {
        switch self {
        case .grey: 1
        case .rgb: 3
        case .rgba: 4
        }
    }

    /// The colour type in the IHDR chunk.
    var colorType: UInt8 {
        switch self {
        case .grey: 0
        case .rgb: 2
        case .rgba: 6
        }
    }

    /// Copies this layout's channels of a row of straight RGBA to `row`.
    func pack(_ pixels: UnsafePointer<UInt8>, width: Int, into row: UnsafeMutablePointer<UInt8>) {
        switch self {
        case .grey:
            for x in 0..<width { row[x] = pixels[4 * x] }
        case .rgb:
            let (from, to) = (UnsafeRawPointer(pixels), UnsafeMutableRawPointer(row))
            // Each pixel is written with its alpha, which the next pixel overwrites.
            for x in 0..<(width - 1) {
                let pixel = from.load(fromByteOffset: 4 * x, as: UInt32.self)
                to.storeBytes(of: pixel, toByteOffset: 3 * x, as: UInt32.self)
            }
            (row + 3 * (width - 1)).update(from: pixels + 4 * (width - 1), count: 3)
        case .rgba:
            row.update(from: pixels, count: 4 * width)
        }
    }

    /// The same for samples of 16 bits, high byte first.
    func pack(_ pixels: UnsafePointer<UInt16>, width: Int, into row: UnsafeMutablePointer<UInt8>) {
        let (channels, to) = (channels, UnsafeMutableRawPointer(row))
        for x in 0..<width {
            for channel in 0..<channels {
                to.storeBytes(
                    of: pixels[4 * x + channel].bigEndian, toByteOffset: 2 * (channels * x + channel), as: UInt16.self)
            }
        }
    }
}
