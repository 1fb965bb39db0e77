import CTurboJPEG
import LoupeGeometry

/// libjpeg-turbo on the bytes of one file, freed once.
///
/// It decodes what it can of a damaged file and keeps only the first of its warnings.
struct JPEGDecompressor: ~Copyable {
    private let handle: tjhandle
    private let bytes: [UInt8]

    /// Nil when there is no memory.
    init?(_ bytes: [UInt8]) {
        guard let handle = tjInitDecompress() else { return nil }
        self.handle = handle
        self.bytes = bytes
    }

    deinit { tjDestroy(handle) }

    /// Fills `pixels`, which must hold width × height × 4 bytes, with RGBA.
    /// - Returns: What is the matter; nil where every pixel is sound.
    func complaint(decodingInto pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int) -> String? {
        guard let size else { return reason }
        // A picture of another size would leave some of the pixels as they are.
        guard size == ImageSize(width: width, height: height) else { return "its headers contradict each other" }
        if decode(into: pixels, width: width, height: height) { return nil }
        // Bytes before the end mark that nothing asked for, which some cameras write. Since it is the first warning that
        // is kept, nothing was the matter before them.
        let isHarmless = isWarning && reason.hasSuffix("extraneous bytes before marker 0xd9")
        return isHarmless ? nil : reason
    }

    /// As the library reads it; nil where it finds no header that it can use.
    private var size: ImageSize? {
        var (width, height, subsampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
        // It fails for uncommon subsamplings too, which it decodes all the same.
        tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &subsampling, &space)
        return width > 0 && height > 0 ? ImageSize(width: Int(width), height: Int(height)) : nil
    }

    private func decode(into pixels: UnsafeMutableBufferPointer<UInt8>, width: Int, height: Int) -> Bool {
        tjDecompress2(
            handle, bytes, UInt(bytes.count), pixels.baseAddress, Int32(width), 0, Int32(height),
            Int32(TJPF_RGBA.rawValue), TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS) == 0
    }

    private var reason: String { String(cString: tjGetErrorStr2(handle)) }

    private var isWarning: Bool { tjGetErrorCode(handle) == Int32(TJERR_WARNING.rawValue) }
}
