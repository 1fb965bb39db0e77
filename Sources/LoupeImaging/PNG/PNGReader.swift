import CPNG
import LoupeSystem

/// A reader of libpng over a source.
final class PNGReader {
    private let handle: OpaquePointer
    /// libpng holds it unretained.
    let source: ByteSource

    /// Nil where there is no memory.
    init?(source: ByteSource, limits: ImageLimits) {
        let side = UInt32(clamping: limits.maxSide)
        let handle = cpng_reader_create(
            { context, into, count in
                Unmanaged<ByteSource>.fromOpaque(context).takeUnretainedValue()
                    .read(into: UnsafeMutableRawBufferPointer(start: into, count: count))
            }, Unmanaged.passUnretained(source).toOpaque(),
            cpng_limits(width: side, height: side))
        guard let handle else { return nil }
        self.handle = handle
        self.source = source
    }

    deinit {
        cpng_reader_destroy(handle)
    }

    /// Why the last call failed, in libpng's words.
    var message: String { String(cString: cpng_reader_message(handle)) }

    /// Reads up to the pixels; false with a ``message`` after an error.
    /// - Parameter is16Bit: whether the 16-bit samples of a file that has them are kept.
    func start(is16Bit: Bool) -> Bool { cpng_reader_start(handle, is16Bit) }

    /// Reads the next rows, of an interlaced image all rows, which must fill `pixels`; false with a ``message`` after an
    /// error.
    func readRows(_ rows: Int, into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_rows(handle, start.assumingMemoryBound(to: UInt8.self), rows, pixels.count)
    }

    /// Reads from the last row to the file's end; false with a ``message`` after an error.
    func finish() -> Bool { cpng_reader_finish(handle) }
}
