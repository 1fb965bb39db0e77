import CPictures
import Glibc
import LoupeSystem

/// Pictures that consist of pixels: reads them by their libraries, and writes TIFFs by libtiff.
enum RasterPicture {
    /// Answers with the facts of a picture: its size, depth, orientation, the number of the file's pages or frames, the numbers of
    /// its colours, its density, how large a pixel is, and its profile.
    /// - Parameters:
    ///   - library: the function of C that reads it.
    ///   - memory: gets straight red, green, blue and alpha of each pixel; empty to read the header only.
    /// - Throws: `damaged` with the library's reason; `missingPage`, `missingLibrary`.
    static func read(
        _ request: inout MessageReader,
        by library: (UnsafeMutablePointer<cpicture>, UnsafeMutableRawPointer?, Int) -> Bool,
        into memory: UnsafeMutableRawBufferPointer, _ answer: inout MessageWriter
    ) throws(HelperRefusal) {
        let page = Int32(clamping: request.number(UInt32.self))
        var picture = cpicture()
        let isRead = request.takeRest().withUnsafeBytes { bytes in
            (picture.bytes, picture.count, picture.page) = (bytes.baseAddress, bytes.count, page)
            return library(&picture, memory.baseAddress, memory.count)
        }
        defer { free(picture.profile) }
        guard isRead else {
            let reason = withUnsafeBytes(of: picture.reason) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if picture.is_library_missing { throw HelperRefusal(.missingLibrary, reason) }
            throw HelperRefusal(page > picture.page_count && picture.page_count > 0 ? .missingPage : .damaged, reason)
        }
        for number in [
            picture.width, picture.height, picture.depth, picture.orientation, picture.page_count, picture.primaries,
            picture.curve, picture.is_converted ? 1 : 0,
        ] {
            answer.write(UInt32(clamping: number))
        }
        answer.write(picture.density_x, picture.density_y, picture.pixel_size)
        answer.write(block: UnsafeRawBufferPointer(start: picture.profile, count: picture.profile_count))
    }

    /// The bytes of a TIFF packed by LZW.
    /// - Throws: `outOfMemory`.
    static func write(_ request: inout MessageReader) throws(HelperRefusal) -> [UInt8] {
        var picture = cpicture()
        (picture.width, picture.height) = (Int32(request.number(UInt32.self)), Int32(request.number(UInt32.self)))
        picture.depth = Int32(request.number(UInt32.self))
        let channels = Int32(request.number(UInt32.self))
        (picture.density_x, picture.density_y) = (request.double(), request.double())
        var profile = Array(request.block())
        let (text, pixels) = (request.text(), Array(request.takeRest()))
        let size = Int(picture.width) * Int(picture.height) * Int(channels) * Int(picture.depth) / 8
        guard pixels.count == size else { throw HelperRefusal(.invalidRequest) }
        var count = 0
        let packed = profile.withUnsafeMutableBytes { profile in
            (picture.profile, picture.profile_count) = (profile.baseAddress, profile.count)
            return cpicture_write_tiff(&picture, pixels, channels, text, &count)
        }
        guard let packed else { throw HelperRefusal(.outOfMemory) }
        defer { free(packed) }
        return Array(UnsafeRawBufferPointer(start: packed, count: count))
    }
}
