/// The palette of an image with at most 256 colours, which may be translucent.
struct PNGPalette {
    /// Translucent colours first, as tRNS ends with the last of them; then ordered by value.
    private let colors: [UInt32]
    private let numbers: ColorNumbers

    /// Nil where the image has more than 256 colours.
    init?(of image: Image) {
        var seen = ColorNumbers()
        let isFew = image.withWords { words in
            var last = ~words[0]
            for word in words where word != last {
                last = word
                if seen.number(of: word) == nil, !seen.insert(word) { return false }
            }
            return true
        }
        guard isFew else { return nil }
        let sorted = seen.colors.sorted()
        colors = sorted.filter { $0 < 0xff00_0000 } + sorted.filter { $0 >= 0xff00_0000 }
        var numbers = ColorNumbers()
        for color in colors { _ = numbers.insert(color) }
        self.numbers = numbers
    }

    /// Bits of one pixel: the fewest that PNG allows for so many colours.
    var depth: Int { colors.count <= 2 ? 1 : colors.count <= 4 ? 2 : colors.count <= 16 ? 4 : 8 }

    /// The content of PLTE.
    var plte: [UInt8] { colors.flatMap { [UInt8($0 & 255), UInt8($0 >> 8 & 255), UInt8($0 >> 16 & 255)] } }

    /// The content of tRNS: empty where every colour is opaque.
    var trns: [UInt8] { colors.prefix { $0 < 0xff00_0000 }.map { UInt8($0 >> 24) } }

    func rowBytes(width: Int) -> Int { (width * depth + 7) / 8 }

    /// The rows of the image's palette indices, each after a 0, the number for no filter.
    func rows(of image: Image) -> [UInt8] {
        let perByte = 8 / depth
        let stride = rowBytes(width: image.width) + 1
        var rows = [UInt8](repeating: 0, count: stride * image.height)
        image.withWords { words in
            var (last, number) = (~words[0], UInt8(0))
            for y in 0..<image.height {
                for x in 0..<image.width {
                    let word = words[y * image.width + x]
                    if word != last { (last, number) = (word, numbers.number(of: word) ?? 0) }
                    rows[y * stride + 1 + x / perByte] |= number << (8 - depth - x % perByte * depth)
                }
            }
        }
        return rows
    }
}

/// Up to 256 colours and their numbers, in the order of insertion: a hash table with open addressing.
struct ColorNumbers {
    private(set) var colors: [UInt32] = []
    /// For each slot of the table, the colour's number plus 1; 0 where it is free.
    private var slots = [UInt16](repeating: 0, count: 1024)

    /// The slot of a colour, or the free slot where it would go.
    private func slot(of color: UInt32) -> Int {
        // Knuth's multiplicative hashing.
        var slot = Int((color &* 0x9e37_79b1) >> 22)
        while slots[slot] != 0, colors[Int(slots[slot]) - 1] != color { slot = (slot + 1) & 1023 }
        return slot
    }

    func number(of color: UInt32) -> UInt8? {
        let number = slots[slot(of: color)]
        return number == 0 ? nil : UInt8(number - 1)
    }

    /// Adds a new colour with the next number; false where there are 256 already.
    mutating func insert(_ color: UInt32) -> Bool {
        guard colors.count < 256 else { return false }
        let slot = slot(of: color)
        colors.append(color)
        slots[slot] = UInt16(colors.count)
        return true
    }
}

extension Image {
    /// Calls `body` with the pixels as words, red in the lowest byte.
    fileprivate func withWords<Result>(_ body: (UnsafeBufferPointer<UInt32>) -> Result) -> Result {
        pixels.withUnsafeBytes { body($0.bindMemory(to: UInt32.self)) }
    }
}
