@testable import LoupeImaging

/// A PNG as a series of chunks, whatever they hold.
struct ChunkedFile {
    private var chunks: [(name: ArraySlice<UInt8>, content: [UInt8])] = []
    private var rest: ArraySlice<UInt8> = []

    /// Nil for what has no signature.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: PNG.signature) else { return nil }
        rest = bytes.dropFirst(PNG.signature.count)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            guard length <= rest.count - 12 else { break }
            let body = rest.dropFirst(4).prefix(4 + length)
            chunks.append((body.prefix(4), Array(body.dropFirst(4))))
            rest = rest.dropFirst(12 + length)
        }
    }

    /// With right checksums.
    var bytes: [UInt8] {
        chunks.reduce(PNG.signature) { $0 + PNG.chunk(String(decoding: $1.name, as: UTF8.self), $1.content) } + rest
    }

    /// What all IDAT chunks hold, made a sound stream in the first of them.
    var packingImageData: ChunkedFile {
        var packed = self
        let isData = chunks.map { $0.name.elementsEqual("IDAT".utf8) }
        guard let first = isData.firstIndex(of: true) else { return self }
        let rows = zip(chunks, isData).flatMap { $1 ? $0.content : [] }
        packed.chunks[first].content = PNGCompressor.matches(rows, level: 1) ?? []
        for index in chunks.indices.reversed() where isData[index] && index != first { packed.chunks.remove(at: index) }
        return packed
    }
}
