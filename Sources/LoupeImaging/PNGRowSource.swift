/// The rows of a picture as they are packed, each behind the number of its filter.
///
/// They are made when they are asked for, so that what is not packed as a whole need not be held as a whole. The same rows asked
/// for in other runs may be filtered otherwise.
protocol PNGRowSource: Sendable {
    var height: Int { get }
    /// Of one row, its filter's number among them.
    var rowBytes: Int { get }

    /// Makes a run of rows; from any thread, and from several at once.
    /// - Precondition: `bytes` has exactly room for them.
    func write(_ rows: Range<Int>, to bytes: UnsafeMutableBufferPointer<UInt8>)

    /// All of them.
    var whole: [UInt8] { get }
}

extension PNGRowSource {
    var byteCount: Int { height * rowBytes }

    /// Eight rows of so many, or all of a small picture.
    func sample(period: Int) -> [UInt8] {
        let run = 8
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

/// Rows that are there already.
struct FinishedRows: PNGRowSource {
    let whole: [UInt8]
    let rowBytes: Int

    var height: Int { whole.count / rowBytes }

    func write(_ rows: Range<Int>, to bytes: UnsafeMutableBufferPointer<UInt8>) {
        _ = bytes.update(from: whole[(rows.lowerBound * rowBytes)..<(rows.upperBound * rowBytes)])
    }
}
