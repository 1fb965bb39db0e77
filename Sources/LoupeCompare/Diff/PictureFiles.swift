import LoupeImaging
import LoupeSystem

/// Two files of pictures to compare: PNG, JPEG, WebP, or anything else that an `ImageFile` reads.
package struct PictureFiles: Sendable {
    /// The reference, decoded.
    package let reference: Image
    /// The actual picture, decoded.
    package let actual: Image

    /// Reads both files at the same time, and decodes their pixels so. Files with the same bytes are decoded once.
    ///
    /// - Throws: `ImageError` if a file can't be read or decoded; where the same step fails for both, the reference's.
    package init(reference: Path, actual: Path) throws(ImageError) {
        try self.init(reference: reference, actual: actual, in: PictureCase.Places())
    }

    /// The same, of files that must lie below folders.
    init(reference: Path, actual: Path, in places: PictureCase.Places) throws(ImageError) {
        let paths = [(PagePath(reference), reference, places.reference), (PagePath(actual), actual, places.actual)]
        let files = Threads.map(2) { index in
            Result { () throws(ImageError) in try ImageFile.bytes(path: paths[index].0.file, in: paths[index].2) }
        }
        let bytes = [try files[0].get(), try files[1].get()]
        let count = bytes[0] == bytes[1] && paths[0].0.page == paths[1].0.page ? 1 : 2
        var opened: [ImageFile] = []
        for (path, bytes) in zip(paths, bytes).prefix(count) {
            let file = try ImageFile(bytes, name: path.1.description, page: path.0.page ?? 1)
            if count == 2, path.0.page == nil, file.hasSeveralPages { throw .severalPages(name: file.name) }
            opened.append(file)
        }
        let pixels = opened.reduce(0) { $0 + $1.size.width * $1.size.height }
        let images = Threads.map(count, needing: 16 * pixels) { [opened] index in
            Result { () throws(ImageError) in
                let file = opened[index]
                guard file.format == .png else { return try file.image() }
                if count == 2, try PNG.isAnimated(bytes[index], name: file.name) { throw .animated(name: file.name) }
                // A PNG's colours are compared as they are stored, and in its depth.
                return try PNG.decode(bytes[index], name: file.name, keepsDepth: true)
            }
        }
        self.reference = try images[0].get()
        self.actual = count == 1 ? self.reference : try images[1].get()
    }
}
