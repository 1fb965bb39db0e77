import Dispatch

/// A picture's rows as they are packed into a PNG, each behind the number of its filter.
///
/// They are made when they are asked for, so that a band of them is packed before the next one needs memory.
struct PNGScanlines {
    let height: Int
    /// The number of the filter included.
    let rowBytes: Int
    /// Writes some rows to memory that has just the room for them.
    private let fill: @Sendable (Range<Int>, UnsafeMutableBufferPointer<UInt8>) -> Void

    var byteCount: Int { height * rowBytes }

    /// Rows that exist already.
    init(_ bytes: [UInt8], rowBytes: Int) {
        height = bytes.count / rowBytes
        self.rowBytes = rowBytes
        fill = { rows, output in
            _ = output.initialize(from: bytes[(rows.lowerBound * rowBytes)..<(rows.upperBound * rowBytes)])
        }
    }

    /// A picture's rows, filtered as ``PNGFilter`` chooses, or all by one filter.
    init(_ image: Image, as layout: PNGLayout, by only: PNGFilter? = nil) {
        height = image.height
        rowBytes = layout.rowBytes(width: image.width) + 1
        fill = { rows, output in PNGFilter.filter(rows, of: image, as: layout, by: only, into: output) }
    }

    /// Lends some rows.
    func with<Value>(_ rows: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Value) -> Value {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: rows.count * rowBytes) { memory in
            fill(rows, memory)
            return body(UnsafeBufferPointer(memory))
        }
    }

    /// All rows, made on every core.
    func joined() -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            nonisolated(unsafe) let output = output
            let bands = Bands(count: height, atLeast: 64)
            DispatchQueue.concurrentPerform(iterations: bands.number) { index in
                let rows = bands[index]
                fill(
                    rows,
                    UnsafeMutableBufferPointer(
                        rebasing: output[(rows.lowerBound * rowBytes)..<(rows.upperBound * rowBytes)]))
            }
            count = byteCount
        }
    }

    /// Eight rows of so many, or all of a small picture.
    func sample(period: Int) -> [UInt8] {
        guard height > period else { return joined() }
        return stride(from: 0, to: height - 8, by: period).flatMap { start in with(start..<(start + 8)) { Array($0) } }
    }
}
