import CEXR
import LoupeSystem

/// Reads OpenEXR files, by OpenEXR's own library.
enum EXRPicture {
    /// The size of a picture, in pixels.
    /// - Parameter memory: gets red, green and blue of each pixel as floats, rows from the top; empty to read the header only.
    /// - Throws: `damaged`, with the library's reason.
    static func read(
        _ file: ArraySlice<UInt8>, into memory: UnsafeMutableRawBufferPointer
    ) throws(HelperRefusal) -> (width: Int32, height: Int32) {
        var picture = cexr_picture()
        let isRead = file.withUnsafeBytes { bytes in
            (picture.bytes, picture.count) = (bytes.baseAddress, bytes.count)
            let numbers = memory.bindMemory(to: Float.self)
            return cexr_read(&picture, numbers.baseAddress, numbers.count)
        }
        if isRead { return (picture.width, picture.height) }
        let reason = withUnsafeBytes(of: picture.reason) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        throw HelperRefusal(.damaged, reason)
    }
}
