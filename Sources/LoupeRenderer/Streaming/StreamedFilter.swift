import LoupeBase
import LoupePlan
import LoupeSystem

/// Both passes of a separable filter on the CPU, as the rows of the image arrive.
final class StreamedFilter {
    /// The output pixels.
    let block: PixelRect
    /// Finished pixels as `FilteredRows` holds them.
    private(set) var pixels: [UInt16]

    private let columns: HorizontalPass
    private let rows: FilterTable
    private let rowWeights: [[Int]]
    /// Output rows that have begun and not ended, by their index in the block, and their sums.
    private var open: [(row: Int, sums: [SIMD4<Int32>])] = []
    private var nextRow = 0

    init(columns: FilterTable, rows: FilterTable, block: PixelRect, isLinear: Bool) {
        self.block = block
        self.columns = HorizontalPass(columns, isLinear: isLinear)
        self.rows = rows
        rowWeights = rows.firstTexels.indices.map(rows.wholeWeights(ofPixelAt:))
        pixels = [UInt16](repeating: 0, count: block.pixelCount * 4)
    }

    /// Takes some of the image's rows, in order.
    /// - Parameters:
    ///   - band: pixels of straight RGBA.
    ///   - width: of the image.
    func take(_ band: UnsafeBufferPointer<UInt32>, width: Int, rows indices: Range<Int>) {
        let needed = indices.clamped(to: rows.texels)
        guard !needed.isEmpty, let start = band.baseAddress else { return }
        let count = columns.count
        withUnsafeTemporaryAllocation(of: SIMD4<Int32>.self, capacity: needed.count * count) { filtered in
            nonisolated(unsafe) let (from, to) = (start, filtered.baseAddress.unsafelyUnwrapped)
            let columns = columns
            Threads.forEach(needed.count) { index in
                let row = needed.lowerBound + index - indices.lowerBound
                columns.filter(from + row * width, into: to + index * count)
            }
            for (index, row) in needed.enumerated() { add(to + index * count, row: row) }
        }
    }

    private func add(_ filtered: UnsafePointer<SIMD4<Int32>>, row: Int) {
        while nextRow < rows.firstTexels.count, rows.firstTexels[nextRow] <= row {
            open.append((nextRow, [SIMD4<Int32>](repeating: .zero, count: columns.count)))
            nextRow += 1
        }
        for index in open.indices {
            let tap = row - rows.firstTexels[open[index].row]
            let weight = Int32(rowWeights[open[index].row][tap])
            open[index].sums.withUnsafeMutableBufferPointer { sums in
                for x in sums.indices { sums[x] &+= filtered[x] &* weight }
            }
        }
        open.removeAll { output in
            guard row >= min(rows.firstTexels[output.row] + rows.taps, rows.texels.upperBound) - 1 else { return false }
            finish(output.row, output.sums)
            return true
        }
    }

    private func finish(_ row: Int, _ sums: [SIMD4<Int32>]) {
        let start = row * block.width
        pixels.withUnsafeMutableBytes { bytes in
            let pixels = bytes.bindMemory(to: SIMD4<UInt16>.self)
            for (index, sum) in sums.enumerated() {
                pixels[start + index] = SIMD4(
                    truncatingIfNeeded: FilterChannel.finished(sum) &+ FilterChannel.fullFixed)
            }
        }
    }
}

/// The first pass of a separable filter on the CPU, bit for bit as `horizontal-pass.frag` does it.
struct HorizontalPass {
    /// The texel columns that it reads.
    let texels: Range<Int>
    /// How many pixels a row becomes.
    let count: Int

    private let firsts: [Int]
    /// A multiple of four.
    private let taps: Int
    private let weights: [Int32]
    private let floatWeights: [Float]
    /// The channel of each byte.
    private let channels: [Int32]
    /// Whether sums of opaque texels as floats are whole numbers below 2²², and so as exact as integers.
    private let isExactInFloats: Bool

    init(_ table: FilterTable, isLinear: Bool) {
        texels = table.texels
        count = table.firstTexels.count
        firsts = table.firstTexels.map { $0 - table.texels.lowerBound }
        let (number, padded) = (table.taps, (table.taps + 3) / 4 * 4)
        taps = padded
        weights = firsts.indices.flatMap { index in
            table.wholeWeights(ofPixelAt: index).map(Int32.init) + repeatElement(0, count: padded - number)
        }
        floatWeights = weights.map(Float.init)
        channels = FilterChannel.table(isLinear: isLinear).map(Int32.init)
        let all = weights
        isExactInFloats =
            !isLinear
            && firsts.indices.allSatisfy {
                all[$0 * padded..<($0 + 1) * padded].reduce(0) { $0 + abs(Int($1)) } <= 16384
            }
    }

    /// - Parameters:
    ///   - row: straight RGBA, of the whole image.
    ///   - out: `count` pixels.
    func filter(_ row: UnsafePointer<UInt32>, into out: UnsafeMutablePointer<SIMD4<Int32>>) {
        let row = UnsafeBufferPointer(start: row + texels.lowerBound, count: texels.count)
        if isExactInFloats && row.allOpaque {
            filterOpaque(row, into: out)
        } else {
            filterAny(row, into: out)
        }
    }

    /// In 8-bit steps, 128 times smaller than the shader's, as floats: four times as fast where integers are multiplied
    /// by SSE2.
    private func filterOpaque(_ row: UnsafeBufferPointer<UInt32>, into out: UnsafeMutablePointer<SIMD4<Int32>>) {
        withRow(of: SIMD4<Float>.self, from: row) { pixel in
            // From 2²³ on a float's last bit is worth 1.
            let bits = SIMD4<UInt32>(pixel & 255, pixel >> 8 & 255, pixel >> 16 & 255, pixel >> 24) | 0x4b00_0000
            return unsafeBitCast(bits, to: SIMD4<Float>.self) - 8_388_608
        } _: { texels in
            floatWeights.withUnsafeBufferPointer { weights in
                for x in 0..<count {
                    let sum = Self.sum(texels + firsts[x], weights.baseAddress.unsafelyUnwrapped + x * taps, taps)
                    out[x] = FilterChannel.clamped((sum &+ 64) &>> 7)
                }
            }
        }
    }

    /// Four sums at once, since each has to wait for its last addition.
    @inline(__always)
    private static func sum(
        _ texels: UnsafePointer<SIMD4<Float>>, _ weights: UnsafePointer<Float>, _ taps: Int
    ) -> SIMD4<Int32> {
        var (a, b, c, d) = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
        for tap in stride(from: 0, to: taps, by: 4) {
            a += texels[tap] * weights[tap]
            b += texels[tap + 1] * weights[tap + 1]
            c += texels[tap + 2] * weights[tap + 2]
            d += texels[tap + 3] * weights[tap + 3]
        }
        // From 2²³ on a float's last bit is worth 1; half of that more leaves room for negative sums.
        return unsafeBitCast((a + b) + (c + d) + 12_582_912, to: SIMD4<Int32>.self) &- 0x4b40_0000
    }

    private func filterAny(_ row: UnsafeBufferPointer<UInt32>, into out: UnsafeMutablePointer<SIMD4<Int32>>) {
        withRow(of: SIMD4<Int32>.self, from: row) { pixel in
            let alpha = Int32(pixel >> 24)
            let straight = SIMD4(
                channels[Int(pixel & 255)], channels[Int(pixel >> 8 & 255)], channels[Int(pixel >> 16 & 255)], 0)
            // The product with 257 divides by 255 when it is shifted.
            var premultiplied = (straight &* (alpha * 257) &+ 32768) &>> 16
            premultiplied.w = alpha * 128
            return premultiplied
        } _: { texels in
            for x in 0..<count {
                var sum = SIMD4<Int32>.zero
                let start = texels + firsts[x]
                for tap in 0..<taps { sum &+= start[tap] &* weights[x * taps + tap] }
                out[x] = FilterChannel.fixed(sum)
            }
        }
    }

    /// Calls `body` with a row in another form, padded with zeros for the taps that fill up the last pixels' weights.
    @inline(__always)
    private func withRow<Texel: SIMD>(
        of type: Texel.Type, from row: UnsafeBufferPointer<UInt32>, _ texel: (UInt32) -> Texel,
        _ body: (UnsafePointer<Texel>) -> Void
    ) {
        withUnsafeTemporaryAllocation(of: Texel.self, capacity: row.count + taps) { buffer in
            for index in row.indices { buffer[index] = texel(UInt32(littleEndian: row[index])) }
            for index in row.count..<buffer.count { buffer[index] = Texel() }
            body(UnsafePointer(buffer.baseAddress.unsafelyUnwrapped))
        }
    }
}

extension UnsafeBufferPointer<UInt32> {
    /// Whether every pixel's alpha is 255.
    var allOpaque: Bool { UInt32(littleEndian: reduce(~0, &)) >= 0xff00_0000 }
}
