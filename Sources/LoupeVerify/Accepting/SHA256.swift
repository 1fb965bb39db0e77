/// The hash function SHA-256 of FIPS 180-4.
package struct SHA256 {
    private var state = Self.initialState
    /// Less than a block.
    private var rest: [UInt8] = []
    /// Of all that was taken, in bytes.
    private var length = 0

    package init() {}

    /// 32 bytes.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.take($0) }
        return hash.finished()
    }

    /// Takes the next piece of what is hashed.
    package mutating func take(_ piece: UnsafeRawBufferPointer) {
        length += piece.count
        let gap = rest.isEmpty ? 0 : min(64 - rest.count, piece.count)
        rest += piece[..<gap]
        if rest.count == 64 { compressRest() }
        let whole = gap + (piece.count - gap) / 64 * 64
        Self.compress(UnsafeRawBufferPointer(rebasing: piece[gap..<whole]), into: &state)
        rest += piece[whole...]
    }

    /// 32 bytes, of all that was taken.
    package func finished() -> [UInt8] {
        var last = self
        last.rest = Self.padded(rest, length: length)
        last.compressRest()
        return last.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
    }

    /// Whole blocks.
    private mutating func compressRest() {
        let blocks = rest
        rest = []
        blocks.withUnsafeBytes { Self.compress($0, into: &state) }
    }

    /// Section 5.1.1: a one, zeros, and the length in bits, to whole blocks.
    private static func padded(_ rest: [UInt8], length: Int) -> [UInt8] {
        var block = rest + [0x80]
        block += [UInt8](repeating: 0, count: (120 - block.count) % 64)
        return block + withUnsafeBytes(of: (UInt64(length) * 8).bigEndian) { Array($0) }
    }

    /// Section 6.2.2, of whole blocks one after the other.
    private static func compress(_ blocks: UnsafeRawBufferPointer, into state: inout [UInt32]) {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { words in
            constants.withUnsafeBufferPointer { constants in
                for start in stride(from: 0, to: blocks.count, by: 64) {
                    schedule(UnsafeRawBufferPointer(rebasing: blocks[start..<(start + 64)]), words)
                    mix(words, constants, into: &state)
                }
            }
        }
    }

    /// The 64 words of a block.
    @inline(__always)
    private static func schedule(_ block: UnsafeRawBufferPointer, _ words: UnsafeMutableBufferPointer<UInt32>) {
        for place in 0..<16 {
            words[place] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: place &* 4, as: UInt32.self))
        }
        for place in 16..<64 {
            let (early, late) = (words[place &- 15], words[place &- 2])
            let small0 = early.rotated(7) ^ early.rotated(18) ^ (early &>> 3)
            let small1 = late.rotated(17) ^ late.rotated(19) ^ (late &>> 10)
            words[place] = words[place &- 16] &+ small0 &+ words[place &- 7] &+ small1
        }
    }

    @inline(__always)
    private static func mix(
        _ words: UnsafeMutableBufferPointer<UInt32>, _ constants: UnsafeBufferPointer<UInt32>,
        into state: inout [UInt32]
    ) {
        var (a, b, c, d) = (state[0], state[1], state[2], state[3])
        var (e, f, g, h) = (state[4], state[5], state[6], state[7])
        for place in 0..<64 {
            let big1 = e.rotated(6) ^ e.rotated(11) ^ e.rotated(25)
            let first = h &+ big1 &+ ((e & f) ^ (~e & g)) &+ constants[place] &+ words[place]
            let big0 = a.rotated(2) ^ a.rotated(13) ^ a.rotated(22)
            let second = big0 &+ ((a & b) ^ (a & c) ^ (b & c))
            (h, g, f, e) = (g, f, e, d &+ first)
            (d, c, b, a) = (c, b, a, first &+ second)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
        state[5] &+= f
        state[6] &+= g
        state[7] &+= h
    }

    /// Section 5.3.3: the fractions of the square roots of the first 8 primes.
    private static let initialState: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]

    /// Section 4.2.2: the fractions of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
        0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
        0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
        0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
        0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
        0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
        0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
    ]
}

extension UInt32 {
    /// To the right.
    @inline(__always)
    fileprivate func rotated(_ steps: UInt32) -> UInt32 { (self &>> steps) | (self &<< (32 &- steps)) }
}
