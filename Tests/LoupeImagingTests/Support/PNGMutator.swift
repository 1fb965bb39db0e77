import TestSupport

/// Makes a wrong file, or one that is only unusual, of a right one: a few changes among its chunks and bytes.
struct PNGMutator {
    private var random: SplitMix64

    init(seed: UInt64) { random = SplitMix64(seed: seed) }

    mutating func mutate(_ file: [UInt8]) -> [UInt8] {
        var chunks = PNGBuilder.chunks(of: file)
        for _ in 0...number(below: 3) { change(&chunks) }
        var changed = PNGBuilder.signature + chunks.flatMap { PNGBuilder.chunk($0.type, $0.data) }
        // Most keep correct checksums, as most of the reader is only reached with them.
        for _ in 0..<[0, 0, 0, 1, 2][number(below: 5)] { changed[number(below: changed.count)] ^= byte() | 1 }
        if number(below: 8) == 0 { changed.removeLast(number(below: changed.count)) }
        return changed
    }

    private mutating func change(_ chunks: inout [(type: String, data: [UInt8])]) {
        let index = number(below: chunks.count)
        switch number(below: 10) {
        case 0: chunks.remove(at: index)
        case 1: chunks.insert(chunks[index], at: number(below: chunks.count))
        case 2: chunks.swapAt(index, number(below: chunks.count))
        case 3: chunks.insert((type(), bytes(number(below: 20))), at: index)
        case 4: chunks[index].type = type()
        case 5: split(&chunks, at: index)
        case 6: chunks[index].data.removeLast(number(below: chunks[index].data.count + 1))
        case 7: chunks[index].data += bytes(1 + number(below: 9))
        default:
            guard !chunks[index].data.isEmpty else { return }
            chunks[index].data[number(below: chunks[index].data.count)] = byte()
        }
        if chunks.isEmpty { chunks.append(("IEND", [])) }
    }

    private mutating func split(_ chunks: inout [(type: String, data: [UInt8])], at index: Int) {
        let (type, data) = chunks[index]
        let cut = number(below: data.count + 1)
        chunks[index].data = Array(data[..<cut])
        chunks.insert((type, Array(data[cut...])), at: index + 1)
    }

    private mutating func type() -> String {
        let types = [
            "IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "iCCP", "sBIT", "bKGD", "hIST", "pHYs",
            "tIME", "tEXt", "zTXt", "iTXt", "eXIf", "acTL", "fcTL", "fdAT", "cICP", "CgBI", "juNk", "JUNK", "1234",
        ]
        return types[number(below: types.count)]
    }

    private mutating func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in byte() } }

    private mutating func byte() -> UInt8 {
        let random = random.next() >> 20
        return random & 0x300 == 0 ? [0, 1, 127, 128, 255][Int(random & 0xff) % 5] : UInt8(random & 0xff)
    }

    private mutating func number(below end: Int) -> Int { Int(random.next() >> 33) % end }
}
