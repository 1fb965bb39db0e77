import LoupeGeometry
import LoupeImaging

/// Some rows of a block of a picture: enough pixels to fit a change to a difference.
package struct SampledBlock: Sendable {
    /// The block, inside the picture. It may be empty.
    package let block: PixelRect
    /// The distance between sampled rows, in rows; the block's first row is sampled.
    package let step: Int

    /// As many rows of a block as make about so many pixels.
    package init(_ block: PixelRect, mostPixels: Int) {
        self.block = block
        step = max(1, block.pixelCount / max(mostPixels, 1))
    }

    /// These pixels of a picture.
    package func samples(of image: Image) -> BlockSamples {
        BlockSamples(image, rows: stride(from: block.minY, to: block.maxY, by: step), columns: block.minX..<block.maxX)
    }
}

/// Red, green, blue and alpha of some pixels, premultiplied, 0…255, or how much they differ from others.
package struct BlockSamples: Sendable {
    package var values: [Float]

    /// All pixels of a picture.
    package init(_ image: Image) {
        self.init(image, rows: stride(from: 0, to: image.height, by: 1), columns: 0..<image.width)
    }

    fileprivate init(_ image: Image, rows: StrideTo<Int>, columns: Range<Int>) {
        values = []
        values.reserveCapacity(rows.underestimatedCount * columns.count * 4)
        image.pixels.withUnsafeBufferPointer { pixels in
            for row in rows {
                for start in stride(
                    from: (row * image.width + columns.lowerBound) * 4,
                    to: (row * image.width + columns.upperBound) * 4, by: 4)
                {
                    let alpha = Float(pixels[start + 3])
                    for channel in 0..<3 { values.append(Float(pixels[start + channel]) * alpha / 255) }
                    values.append(alpha)
                }
            }
        }
    }

    private init(values: [Float]) { self.values = values }

    /// How much higher these are than others.
    package static func - (_ mine: BlockSamples, _ others: BlockSamples) -> BlockSamples {
        BlockSamples(values: mine.values.indices.map { mine.values[$0] - others.values[$0] })
    }

    /// Half of these.
    package var halved: BlockSamples { BlockSamples(values: values.map { $0 / 2 }) }

    /// The sum of the products with others.
    package func product(_ others: BlockSamples) -> Double {
        var sum = 0.0
        for index in values.indices { sum += Double(values[index] * others.values[index]) }
        return sum
    }

    /// The sum of the squares.
    package var squares: Double { product(self) }

    /// How many pixels differ from others by so many steps in a channel.
    package func pixels(unlike others: BlockSamples, by least: Int) -> Int {
        stride(from: 0, to: values.count, by: 4).count { start in
            (start..<start + 4).contains { abs(values[$0] - others.values[$0]) >= Float(least) }
        }
    }

    /// The weights with which some others add up to what comes nearest to these; nil where they are too alike.
    package func weights(of others: [BlockSamples]) -> [Double]? {
        let count = others.count
        var rows = others.indices.map { row in
            others.indices.map { others[row].product(others[$0]) } + [product(others[row])]
        }
        let scales = others.indices.map { rows[$0][$0] }
        // Gauss's elimination; the matrix is positive where no two are alike.
        for pivot in 0..<count {
            guard rows[pivot][pivot] > 1e-6 * scales[pivot], rows[pivot][pivot] > 0 else { return nil }
            for row in pivot + 1..<max(count, pivot + 1) {
                let factor = rows[row][pivot] / rows[pivot][pivot]
                for column in pivot...count { rows[row][column] -= factor * rows[pivot][column] }
            }
        }
        var weights = [Double](repeating: 0, count: count)
        for row in (0..<count).reversed() {
            let known = (row + 1..<max(count, row + 1)).reduce(0.0) { $0 + rows[row][$1] * weights[$1] }
            weights[row] = (rows[row][count] - known) / rows[row][row]
        }
        return weights
    }

    /// What is left of these after some others with their weights.
    package func without(_ others: [BlockSamples], weights: [Double]) -> BlockSamples {
        var left = self
        for (other, weight) in zip(others, weights) {
            for index in left.values.indices { left.values[index] -= Float(weight) * other.values[index] }
        }
        return left
    }
}

extension Image {
    /// How many pixels differ by so many steps in a channel from a picture of the same size.
    package func pixels(unlike other: Image, by least: Int) -> Int {
        withBoth(other) { mine, others in
            (0..<width * height).count { Self.steps(mine, others, $0 * 4) >= least }
        }
    }

    /// The smallest block with all pixels that differ from a picture of the same size; empty where none does.
    package func block(unlike other: Image) -> PixelRect {
        withBoth(other) { mine, others in
            var block = PixelRect(minX: width, minY: height, maxX: 0, maxY: 0)
            for row in 0..<height {
                for column in 0..<width where Self.steps(mine, others, (row * width + column) * 4) > 0 {
                    block.minX = min(block.minX, column)
                    block.maxX = max(block.maxX, column + 1)
                    block.minY = min(block.minY, row)
                    block.maxY = row + 1
                }
            }
            return block.isEmpty ? PixelRect(width: 0, height: 0) : block
        }
    }

    /// The sum of the squared differences of all channels from a picture of the same size: of all pixels, of those in each of
    /// some blocks, and of those in none of them.
    package func squares(
        to other: Image, in blocks: [PixelRect]
    ) -> (all: Double, inside: [Double], outside: Double) {
        withBoth(other) { mine, others in
            var (all, inside, outside) = (0.0, [Double](repeating: 0, count: blocks.count), 0.0)
            for row in 0..<height {
                let touching = blocks.indices.filter { blocks[$0].minY <= row && row < blocks[$0].maxY }
                for column in 0..<width {
                    let start = (row * width + column) * 4
                    guard Self.steps(mine, others, start) > 0 else { continue }
                    var square = 0
                    for index in start..<start + 4 {
                        let step = Int(mine[index]) - Int(others[index])
                        square += step * step
                    }
                    all += Double(square)
                    var isInside = false
                    for block in touching where blocks[block].minX <= column && column < blocks[block].maxX {
                        inside[block] += Double(square)
                        isInside = true
                    }
                    if !isInside { outside += Double(square) }
                }
            }
            return (all, inside, outside)
        }
    }

    private func withBoth<Value>(
        _ other: Image, _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Value
    ) -> Value {
        pixels.withUnsafeBufferPointer { mine in other.pixels.withUnsafeBufferPointer { body(mine, $0) } }
    }

    /// The largest difference of a channel of the pixel that starts at an index.
    @inline(__always)
    private static func steps(
        _ mine: UnsafeBufferPointer<UInt8>, _ others: UnsafeBufferPointer<UInt8>, _ start: Int
    ) -> Int {
        var most = 0
        for index in start..<start + 4 { most = max(most, abs(Int(mine[index]) - Int(others[index]))) }
        return most
    }
}
