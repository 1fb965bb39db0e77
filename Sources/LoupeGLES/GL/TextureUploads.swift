// Compiled for live pages too, where textures record what is uploaded.

extension Texture {
    /// A table for `tableEntry` of the shaders: rows of 2048 floats.
    public static func table(_ context: Context, _ values: [Float]) throws(GLError) -> Texture {
        let width = 2048
        let height = max(1, (values.count + width - 1) / width)
        let padded = values + repeatElement(0, count: width * height - values.count)
        let texture = try Texture(context, format: .r32F, width: width, height: height)
        try texture.upload(floats: padded)
        return texture
    }

    /// Fills a texture of floats.
    /// - Precondition: `floats` holds every component of every texel.
    public func upload(floats: [Float]) throws(GLError) {
        try floats.withUnsafeBufferPointer { (values) throws(GLError) in try upload(UnsafeRawBufferPointer(values)) }
    }

    /// Fills a texture of four floats a texel.
    /// - Precondition: `vectors` holds every texel of an `rgba32F` texture.
    public func upload(vectors: [SIMD4<Float>]) throws(GLError) {
        try vectors.withUnsafeBufferPointer { (values) throws(GLError) in try upload(UnsafeRawBufferPointer(values)) }
    }
}
