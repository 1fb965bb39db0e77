/// The four letters of a chunk's type.
struct PNGChunkName: Equatable, ExpressibleByStringLiteral {
    private let code: UInt32

    static let ihdr: PNGChunkName = "IHDR"
    static let idat: PNGChunkName = "IDAT"
    static let iend: PNGChunkName = "IEND"
    static let trns: PNGChunkName = "tRNS"

    init(code: UInt32) { self.code = code }

    init(stringLiteral name: StaticString) {
        code = name.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt32($1) } }
    }

    static func ~= (pattern: PNGChunkName, value: PNGChunkName) -> Bool { pattern == value }

    /// Whether a decoder may pass it over: four letters, the first of them small.
    var isAncillary: Bool {
        let letters = withUnsafeBytes(of: code.bigEndian) { Array($0) }
        return letters.allSatisfy { (0x41...0x5a).contains($0 & 0xdf) } && letters[0] & 0x20 != 0
    }
}
