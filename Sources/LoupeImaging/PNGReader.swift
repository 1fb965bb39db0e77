import CPNG
import LoupeFiles

/// An owned libpng reader over a source, freed once.
struct PNGReader: ~Copyable {
    private let handle: OpaquePointer
    /// libpng holds it unretained.
    private let source: ByteSource

    /// Nil when there is no memory.
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

    /// Reads up to the pixels; false with a ``message``.
    /// - Parameter is16Bit: whether the 16-bit samples of a file that has them are kept.
    func start(is16Bit: Bool = false) -> Bool {
        cpng_reader_start(handle, is16Bit)
    }

    /// Reads all rows and the file's end into `pixels`, of width × height × 4 bytes, or twice as many for 16 bits; false
    /// with a ``message``.
    func readPixels(into pixels: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_pixels(handle, start, pixels.count)
    }

    /// Reads the next rows of a picture that is not interlaced, as many as fit; false with a ``message``.
    func readRows(_ rows: Int, into pixels: UnsafeMutableRawBufferPointer) -> Bool {
        guard let start = pixels.baseAddress else { return false }
        return cpng_reader_read_rows(handle, start.assumingMemoryBound(to: UInt8.self), rows, pixels.count)
    }

    /// Reads from the last row to the file's end; false with a ``message``.
    func finish() -> Bool { cpng_reader_finish(handle) }
}
