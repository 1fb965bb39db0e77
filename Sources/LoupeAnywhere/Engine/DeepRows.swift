import LoupeImaging

extension Image {
    /// An image of 16 bits from the inflated rows of a PNG that is not interlaced; nil where they are too few or broken.
    /// - Parameter color: PNG's colour type: 0 grey, 2 RGB, 4 grey and alpha, 6 RGBA.
    init?(rows: [UInt8], width: Int, height: Int, color: Int) {
        let channels = [0: 1, 2: 3, 4: 2, 6: 4][color] ?? 0
        let (unit, stride) = (2 * channels, 2 * channels * width)
        guard unit > 0, rows.count == (stride + 1) * height else { return nil }
        var (above, row) = ([UInt8](repeating: 0, count: stride), [UInt8](repeating: 0, count: stride))
        var samples = [UInt16](repeating: .max, count: width * height * 4)
        for y in 0..<height {
            let start = y * (stride + 1)
            for index in 0..<stride {
                let left = index < unit ? 0 : Int(row[index - unit])
                let (up, corner) = (Int(above[index]), index < unit ? 0 : Int(above[index - unit]))
                let guess: Int
                switch rows[start] {
                case 0: guess = 0
                case 1: guess = left
                case 2: guess = up
                case 3: guess = (left + up) / 2
                case 4: guess = Self.paeth(left, up, corner)
                default: return nil
                }
                row[index] = rows[start + 1 + index] &+ UInt8(guess)
            }
            for x in 0..<width {
                func sample(_ channel: Int) -> UInt16 {
                    UInt16(row[x * unit + 2 * channel]) << 8 | UInt16(row[x * unit + 2 * channel + 1])
                }
                let target = (y * width + x) * 4
                for channel in 0..<3 { samples[target + channel] = sample(channels < 3 ? 0 : channel) }
                if channels % 2 == 0 { samples[target + 3] = sample(channels - 1) }
            }
            swap(&above, &row)
        }
        self.init(width: width, height: height, pixels16: samples)
    }

    /// The predictor of PNG's specification, third edition, 9.4.
    private static func paeth(_ left: Int, _ up: Int, _ corner: Int) -> Int {
        let estimate = left + up - corner
        let (a, b, c) = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        return a <= b && a <= c ? left : b <= c ? up : corner
    }
}
