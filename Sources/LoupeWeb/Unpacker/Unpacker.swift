// A WebAssembly module of its own, of few kilobytes, that unpacks the large one. LZMA makes that a quarter smaller than
// what browsers can inflate. After the LZMA specification of Igor Pavlov (2015), with lc = 3, lp = 0 and pb = 0: no
// position decides about probabilities.
//
// Packed data begins with four little-endian 32-bit numbers: how many bytes it unpacks to, the FNV-1a hash of those, where in
// them the indices of local variables begin, and how many bytes these are. What follows is LZMA without a header.

/// Unpacks a module that the script has written to memory.
/// - Parameters:
///   - start: of the packed data. Behind it lie 32 kB for probabilities and then room for twice the result.
///   - count: of the packed bytes.
/// - Returns: where the result begins; nil where the data is damaged or cut off.
@_expose(wasm, "unpack") @_cdecl("unpack")
public func unpack(_ start: UnsafeMutablePointer<UInt8>, _ count: Int32) -> UnsafeMutablePointer<UInt8>? {
    let count = Int(count)
    guard count > 21 else { return nil }
    func number(_ at: Int) -> UInt32 {
        UInt32(start[at]) | UInt32(start[at + 1]) << 8 | UInt32(start[at + 2]) << 16 | UInt32(start[at + 3]) << 24
    }
    let size = Int(truncatingIfNeeded: number(0))
    let probabilities = UnsafeMutableRawPointer(start + (count + 7) / 8 * 8).assumingMemoryBound(to: UInt16.self)
    let target = UnsafeMutableRawPointer(probabilities).assumingMemoryBound(to: UInt8.self) + 32768
    var decoder = Decoder(
        source: start + 16, end: start + count, probabilities: probabilities, target: target, size: size)
    let (codeCount, localsCount) = (Int(truncatingIfNeeded: number(8)), Int(truncatingIfNeeded: number(12)))
    guard decoder.run(), codeCount <= size, localsCount <= size - codeCount else { return nil }
    var hash: UInt32 = 0x811c_9dc5
    for index in 0..<size { hash = (hash ^ UInt32(target[index])) &* 0x0100_0193 }
    guard hash == number(4) else { return nil }
    let module = target + size
    var operands = Operands(target, size: size, codeCount: codeCount, localsCount: localsCount, to: module)
    operands.putBack()
    return module
}

private struct Decoder {
    private var source: UnsafeMutablePointer<UInt8>
    private let end: UnsafeMutablePointer<UInt8>
    private let probabilities: UnsafeMutablePointer<UInt16>
    private let target: UnsafeMutablePointer<UInt8>
    private let size: Int
    private var range = UInt32.max
    private var code: UInt32 = 0
    private var isCutOff = false

    // Where each kind of probability begins.
    private static let isMatch = 0
    private static let isRepeat = 12
    private static let isRepeat0 = 24
    private static let isRepeat1 = 36
    private static let isRepeat2 = 48
    private static let isLongRepeat = 60
    private static let slots = 72
    private static let distances = 328
    private static let alignment = 443
    private static let lengths = 459
    private static let repeatLengths = 733
    private static let literals = 1007
    private static let all = 1007 + 0x300 * 8

    init(
        source: UnsafeMutablePointer<UInt8>, end: UnsafeMutablePointer<UInt8>,
        probabilities: UnsafeMutablePointer<UInt16>, target: UnsafeMutablePointer<UInt8>, size: Int
    ) {
        (self.source, self.end, self.probabilities) = (source, end, probabilities)
        (self.target, self.size) = (target, size)
        for index in 0..<Self.all { probabilities[index] = 1024 }
        _ = nextByte()
        for _ in 0..<4 { code = code << 8 | nextByte() }
    }

    /// Whether all of the result was made.
    mutating func run() -> Bool {
        var (state, done) = (0, 0)
        var (recent0, recent1, recent2, recent3) = (0, 0, 0, 0)
        while done < size {
            guard !isCutOff else { return false }
            if bit(Self.isMatch + state) == 0 {
                let before = done > 0 ? target[done - 1] : 0
                let match = state >= 7 ? Int(target[done - recent0 - 1]) : -1
                target[done] = literal(Self.literals + 0x300 * Int(before >> 5), match)
                done += 1
                state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6
                continue
            }
            var length = 0
            if bit(Self.isRepeat + state) == 0 {
                (recent3, recent2, recent1) = (recent2, recent1, recent0)
                length = self.length(Self.lengths)
                recent0 = distance(length)
                state = state < 7 ? 7 : 10
            } else {
                if bit(Self.isRepeat0 + state) == 0 {
                    if bit(Self.isLongRepeat + state) == 0 { length = 1 }
                } else if bit(Self.isRepeat1 + state) == 0 {
                    (recent0, recent1) = (recent1, recent0)
                } else if bit(Self.isRepeat2 + state) == 0 {
                    (recent0, recent1, recent2) = (recent2, recent0, recent1)
                } else {
                    (recent0, recent1, recent2, recent3) = (recent3, recent0, recent1, recent2)
                }
                if length == 1 {
                    state = state < 7 ? 9 : 11
                } else {
                    length = self.length(Self.repeatLengths)
                    state = state < 7 ? 8 : 11
                }
            }
            guard recent0 >= 0, recent0 < done, length <= size - done else { return false }
            for _ in 0..<length {
                target[done] = target[done - recent0 - 1]
                done += 1
            }
        }
        return !isCutOff
    }

    private mutating func nextByte() -> UInt32 {
        guard source < end else {
            isCutOff = true
            return 0
        }
        defer { source += 1 }
        return UInt32(source.pointee)
    }

    private mutating func normalize() {
        guard range < 1 << 24 else { return }
        range <<= 8
        code = code << 8 | nextByte()
    }

    private mutating func bit(_ index: Int) -> Int {
        let probability = UInt32(probabilities[index])
        let bound = (range >> 11) &* probability
        defer { normalize() }
        guard code >= bound else {
            range = bound
            probabilities[index] = UInt16(truncatingIfNeeded: probability &+ (2048 &- probability) >> 5)
            return 0
        }
        range &-= bound
        code &-= bound
        probabilities[index] = UInt16(truncatingIfNeeded: probability &- probability >> 5)
        return 1
    }

    /// A number of bits, the highest first.
    private mutating func tree(_ start: Int, _ bits: Int) -> Int {
        var symbol = 1
        for _ in 0..<bits { symbol = symbol << 1 | bit(start + symbol) }
        return symbol - 1 << bits
    }

    /// A number of bits, the lowest first.
    private mutating func reversedTree(_ start: Int, _ bits: Int) -> Int {
        var (symbol, result) = (1, 0)
        for place in 0..<bits {
            let bit = self.bit(start + symbol)
            symbol = symbol << 1 | bit
            result |= bit << place
        }
        return result
    }

    private mutating func literal(_ start: Int, _ match: Int) -> UInt8 {
        var (symbol, match) = (1, match)
        if match >= 0 {
            while symbol < 0x100 {
                let expected = match >> 7 & 1
                match <<= 1
                let found = bit(start + (1 + expected) << 8 + symbol)
                symbol = symbol << 1 | found
                if found != expected { break }
            }
        }
        while symbol < 0x100 { symbol = symbol << 1 | bit(start + symbol) }
        return UInt8(truncatingIfNeeded: symbol)
    }

    /// How many bytes a match has.
    private mutating func length(_ start: Int) -> Int {
        if bit(start) == 0 { return 2 + tree(start + 2, 3) }
        if bit(start + 1) == 0 { return 10 + tree(start + 10, 3) }
        return 18 + tree(start + 18, 8)
    }

    /// How far back a match begins, less 1.
    private mutating func distance(_ length: Int) -> Int {
        let slot = tree(Self.slots + min(length - 2, 3) << 6, 6)
        guard slot >= 4 else { return slot }
        let bits = slot >> 1 - 1
        let base = (2 | slot & 1) << bits
        if slot < 14 { return base + reversedTree(Self.distances + base - slot, bits) }
        var direct = 0
        for _ in 0..<(bits - 4) {
            range >>= 1
            let isSet = code >= range
            if isSet { code &-= range }
            normalize()
            direct = direct << 1 | (isSet ? 1 : 0)
        }
        return base + direct << 4 + reversedTree(Self.alignment, 4)
    }
}
