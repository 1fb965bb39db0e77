import LoupeFiles
import LoupeImaging

/// Two pictures from files.
public struct PictureFiles: Sendable {
    public let reference: Image
    public let actual: Image

    /// Reads and decodes both at once; files of the same bytes are decoded only once.
    ///
    /// Where both fail, the error is the reference's.
    public init(reference: String, actual: String) throws(ImageError) {
        let paths = [reference, actual]
        let files = Parallel.map(count: 2) { index in
            Result { () throws(FileError) in try InputBytes.read(path: paths[index]) }
        }
        let bytes: [[UInt8]]
        do {
            bytes = [try files[0].get(), try files[1].get()]
        } catch {
            throw .unreadable(error)
        }
        let count = bytes[0] == bytes[1] ? 1 : 2
        let images = Parallel.map(count: count) { index in
            Result { () throws(ImageError) in try PNG.decode(bytes[index], name: paths[index]) }
        }
        self.reference = try images[0].get()
        self.actual = count == 1 ? self.reference : try images[1].get()
    }
}
