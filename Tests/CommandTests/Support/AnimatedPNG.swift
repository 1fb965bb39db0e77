import Testing

@testable import LoupeImaging

/// An animated PNG taken apart by the text of the PNG specification, third edition, and put together frame by frame.
struct AnimatedPNG {
    struct Chunk {
        let type: String
        let data: [UInt8]
    }

    let chunks: [Chunk]

    init(_ bytes: [UInt8]) throws {
        try #require(Array(bytes.prefix(8)) == [137, 80, 78, 71, 13, 10, 26, 10])
        var chunks: [Chunk] = []
        var place = 8
        while place < bytes.count {
            try #require(place + 12 <= bytes.count)
            let length = Self.number(bytes, place, 4)
            try #require(place + 12 + length <= bytes.count)
            let type = String(decoding: bytes[place + 4..<place + 8], as: UTF8.self)
            chunks.append(Chunk(type: type, data: Array(bytes[place + 8..<place + 8 + length])))
            place += 12 + length
        }
        self.chunks = chunks
    }

    /// The numbers of the chunks that carry one, in the file's order.
    var sequenceNumbers: [Int] {
        chunks.filter { $0.type == "fcTL" || $0.type == "fdAT" }.map { Self.number($0.data, 0, 4) }
    }

    /// How many frames and plays acTL tells.
    var control: (frames: Int, plays: Int) {
        let data = chunks.first { $0.type == "acTL" }?.data ?? []
        return data.count == 8 ? (Self.number(data, 0, 4), Self.number(data, 4, 4)) : (-1, -1)
    }

    /// Every frame as a player shows it, as often as it lasts at a rate.
    func frames(perSecond rate: Double) throws -> [Image] {
        let header = try #require(chunks.first)
        let (width, height) = (Self.number(header.data, 0, 4), Self.number(header.data, 4, 4))
        var canvas = Image(width: width, height: height, pixels: [UInt8](repeating: 0, count: width * height * 4))
        var frames: [Image] = []
        for (index, chunk) in chunks.enumerated() where chunk.type == "fcTL" {
            let data = chunks[(index + 1)...].prefix { $0.type == "IDAT" || $0.type == "fdAT" }
                .flatMap { $0.type == "IDAT" ? $0.data : Array($0.data.dropFirst(4)) }
            let ownHeader = Array(chunk.data[4..<12]) + Array(header.data[8...])
            let parts = [PNG.signature, PNG.chunk("IHDR", ownHeader), PNG.chunk("IDAT", data), PNG.chunk("IEND", [])]
            let block = try PNG.decode(parts.flatMap { $0 }, name: "frame \(frames.count)")
            try #require(chunk.data[24] == 0 && chunk.data[25] == 0, "left standing, and replacing what is below")
            canvas.paste(block, x: Self.number(chunk.data, 12, 4), y: Self.number(chunk.data, 16, 4))
            let seconds = Double(Self.number(chunk.data, 20, 2)) / Double(Self.number(chunk.data, 22, 2))
            frames += Array(repeating: canvas, count: Int((seconds * rate).rounded()))
        }
        return frames
    }

    /// Big-endian.
    private static func number(_ bytes: [UInt8], _ start: Int, _ count: Int) -> Int {
        bytes[start..<start + count].reduce(0) { $0 << 8 | Int($1) }
    }
}

extension Image {
    fileprivate mutating func paste(_ block: Image, x: Int, y: Int) {
        let length = block.width * 4
        for row in 0..<block.height {
            let start = ((y + row) * width + x) * 4
            pixels.replaceSubrange(start..<start + length, with: block.pixels[row * length..<(row + 1) * length])
        }
    }

    /// The pixels of a block of the image.
    func part(x: Int, y: Int, width partWidth: Int, height partHeight: Int) -> [UInt8] {
        (y..<y + partHeight).flatMap { row -> ArraySlice<UInt8> in
            let start = (row * width + x) * 4
            return pixels[start..<start + partWidth * 4]
        }
    }
}
