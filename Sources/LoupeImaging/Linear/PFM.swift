import LoupeBase
import LoupeSystem

/// Reads portable float maps: `PF`, or `Pf` for grey, width, height and a scale as words, whose sign says the order of bytes, and
/// the pixels, rows from the bottom.
enum PFM {
    static func decode(_ bytes: [UInt8], name: String, _ limits: ImageLimits) throws(ImageError) -> LinearImage {
        let words = bytes.prefix(200).split(maxSplits: 3, whereSeparator: isSpace)
        let last: ArraySlice = words.count == 4 ? words[3].drop(while: isSpace).prefix { !isSpace($0) } : []
        guard let scale = Float(String(decoding: last, as: UTF8.self)), scale.isFinite, scale != 0,
            let width = Int32(String(decoding: words[1], as: UTF8.self)).map(Int.init), width > 0,
            let height = Int32(String(decoding: words[2], as: UTF8.self)).map(Int.init), height > 0
        else { throw .helperFailed(name: name, reason: "its header has no size and scale; save or copy it again") }
        try limits.check(width: width, height: height, name: name)
        let channels = bytes[1] == UInt8(ascii: "F") ? 3 : 1
        let needed = 4 * channels * width * height
        var pixels = bytes.dropFirst(last.endIndex + 1)
        // Lines may end in two characters.
        if bytes[last.endIndex...].starts(with: "\r\n".utf8), pixels.count > needed { pixels = pixels.dropFirst() }
        guard pixels.count >= needed else {
            throw .helperFailed(
                name: name,
                reason: "\(pixels.count) bytes are too few for \(width)×\(height) pixels; save or copy it again")
        }
        guard Memory.hasRoom(forPixels: width, height, bytesPerPixel: 12) else {
            throw .outOfMemory(name: name, width: width, height: height, bytesPerPixel: 12)
        }
        let values = pixels.withUnsafeBytes { pixels in
            (0..<3 * width * height).map { index in
                let row = height - 1 - index / (3 * width)
                let place = row * width * channels + index % (3 * width) * channels / 3
                let bits = pixels.loadUnaligned(fromByteOffset: 4 * place, as: UInt32.self)
                return Float(bitPattern: scale > 0 ? bits.bigEndian : bits.littleEndian)
            }
        }
        return LinearImage(width: width, height: height, values: values)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { " \t\r\n".utf8.contains(byte) }
}
