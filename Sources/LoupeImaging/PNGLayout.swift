/// How a picture's pixels stand in a PNG: only the channels that say something.
enum PNGLayout {
    case grey, rgb, rgba

    init(of image: Image) {
        if !image.isOpaque {
            self = .rgba
        } else {
            self = image.isGrey ? .grey : .rgb
        }
    }

    var channels: Int {
        switch self {
        case .grey: 1
        case .rgb: 3
        case .rgba: 4
        }
    }

    /// The number that IHDR has for it.
    var colorType: UInt8 {
        switch self {
        case .grey: 0
        case .rgb: 2
        case .rgba: 6
        }
    }

    func rowBytes(width: Int) -> Int { width * channels }

    /// Copies a row of straight RGBA into `row`, this layout's channels only.
    func pack(_ pixels: UnsafePointer<UInt8>, width: Int, into row: UnsafeMutablePointer<UInt8>) {
        switch self {
        case .grey:
            for x in 0..<width { row[x] = pixels[4 * x] }
        case .rgb:
            let (from, to) = (UnsafeRawPointer(pixels), UnsafeMutableRawPointer(row))
            // Each pixel is written with its alpha, which the next one replaces.
            for x in 0..<(width - 1) {
                let pixel = from.load(fromByteOffset: 4 * x, as: UInt32.self)
                to.storeBytes(of: pixel, toByteOffset: 3 * x, as: UInt32.self)
            }
            (row + 3 * (width - 1)).update(from: pixels + 4 * (width - 1), count: 3)
        case .rgba:
            row.update(from: pixels, count: 4 * width)
        }
    }
}
