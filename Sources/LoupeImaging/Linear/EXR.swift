import LoupeBase
import LoupeSystem

/// Reads OpenEXR files by OpenEXR's library, in a helper process without rights.
enum EXR {
    static func decode(_ bytes: [UInt8], name: String, _ limits: ImageLimits) throws(ImageError) -> LinearImage {
        let size = try ask(bytes, name: name)
        try limits.check(width: size.width, height: size.height, name: name)
        // What both processes share, and the copy.
        guard Memory.hasRoom(forPixels: size.width, size.height, bytesPerPixel: 24) else {
            throw .outOfMemory(name: name, width: size.width, height: size.height, bytesPerPixel: 24)
        }
        var values: [Float] = []
        let shared = 12 * size.width * size.height
        _ = try ask(bytes, name: name, shared: shared) { values = Array($0.bindMemory(to: Float.self)) }
        return LinearImage(width: size.width, height: size.height, values: values)
    }

    /// The size; also the pixels, where memory is shared for them.
    private static func ask(
        _ bytes: [UInt8], name: String, shared: Int = 0, use: (UnsafeRawBufferPointer) -> Void = { _ in }
    ) throws(ImageError) -> ImageSize {
        var request = MessageWriter(capacity: bytes.count + 1)
        request.write(HelperTask.exr.rawValue)
        request.write(rest: bytes)
        var answer = try RemotePicture.ask(request.bytes, name: name, shared: shared, use: use)
        let size = ImageSize(width: Int(answer.number(UInt16.self)), height: Int(answer.number(UInt16.self)))
        guard answer.isWhole, size.width > 0, size.height > 0 else { throw RemotePicture.noAnswer(name) }
        return size
    }
}
