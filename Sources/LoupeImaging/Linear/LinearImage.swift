import Glibc
import LoupeBase
import LoupeSystem

/// An image of linear light in memory, as renderers write it: red, green and blue as floats, which may be below 0 and above 1.
/// The primaries are those of its file, whatever they are.
package struct LinearImage: Sendable {
    /// In pixels, at least 1.
    package let width, height: Int
    /// Red, green and blue of each pixel, rows from the top.
    package let values: [Float]

    /// - Precondition: `values.count == width * height * 3`.
    package init(width: Int, height: Int, values: [Float]) {
        precondition(width > 0 && height > 0 && values.count == width * height * 3)
        (self.width, self.height, self.values) = (width, height, values)
    }

    /// A block of pixels as an image of its own.
    /// - Precondition: the block lies within this image.
    package func cropped(x: Int, y: Int, width blockWidth: Int, height blockHeight: Int) -> LinearImage {
        let rows = (y..<y + blockHeight).map { values[3 * ($0 * width + x)..<3 * ($0 * width + x + blockWidth)] }
        return LinearImage(width: blockWidth, height: blockHeight, values: Array(rows.joined()))
    }

    /// The images in several EXRs and PFMs, read side by side; nil in place of each that is none.
    /// - Throws: ``ImageError``; of several errors, the first file's.
    package static func readAll(_ paths: [Path], limits: ImageLimits = ImageLimits()) throws -> [LinearImage?] {
        // Packed tightly, an EXR has a tenth of what it takes in memory, twice.
        let bytes = paths.reduce(0) { $0 + Int($1.status()?.st_size ?? 0) }
        let results = Threads.map(paths.count, needing: 20 * bytes) { index in
            Result { try read(path: paths[index], limits: limits) }
        }
        return try results.map { try $0.get() }
    }

    /// The image in the EXR or PFM at `path`; nil where there is none, but another format, or a pipe, which is not opened.
    /// - Throws: ``ImageError``, also for numbers that are not finite.
    package static func read(path: Path, limits: ImageLimits = ImageLimits()) throws(ImageError) -> LinearImage? {
        guard let status = path.status(), status.st_mode & S_IFMT == S_IFREG else { return nil }
        let (source, name) = (try ByteSource(image: path), path.description)
        let isEXR = source.peek(4).elementsEqual([0x76, 0x2f, 0x31, 0x01])
        let isPFM = ["PF", "Pf"].contains { source.peek(2).elementsEqual($0.utf8) }
        guard isEXR || isPFM else { return nil }
        let bytes = try source.restOfImage()
        let image = isEXR ? try EXR.decode(bytes, name: name, limits) : try PFM.decode(bytes, name: name, limits)
        if let index = image.values.firstIndex(where: { !$0.isFinite }) {
            let (x, y) = (index / 3 % image.width, index / 3 / image.width)
            throw .helperFailed(
                name: name, reason: "the pixel at \(x),\(y) is infinite or not a number; give it another value")
        }
        return image
    }
}
