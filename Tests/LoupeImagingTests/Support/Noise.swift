import TestSupport

/// Random bytes, the same in every run. Not one `next` a byte, which takes seconds for a large picture.
func noise(_ count: Int, seed: UInt64) -> [UInt8] {
    var random = SplitMix64(seed: seed)
    // Longer than the distance at which a compressor finds a repetition.
    let tile = (0..<1 << 13).map { _ in random.next() }.withUnsafeBytes { Array($0) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + tile.count)
    while bytes.count < count { bytes += tile }
    bytes.removeLast(bytes.count - count)
    return bytes
}
