import LoupeGLES
import LoupeImaging

/// Pictures of 16 bits a channel, which the device holds as floats.
extension Renderer {
    /// Uploads an image so that each sample is exact.
    func load(_ samples: [UInt16], of image: Image, as path: String) throws(RenderError) {
        let texture = try texture(for: path, width: image.width, height: image.height, format: .rgba32F)
        try wrapped { () throws(GLError) in try texture.upload(floats: samples.map { Float($0) / 65535 }) }
    }

    /// A finished canvas of floats, rounded to 16 bits; colour under no alpha is black.
    func read16Bit(_ canvas: Framebuffer) throws(RenderError) -> Image {
        let floats = try wrapped { () throws(GLError) in try canvas.readFloats() }
        var pixels = floats.map { UInt16((min(max($0, 0), 1) * 65535).rounded()) }
        for pixel in stride(from: 0, to: pixels.count, by: 4) where pixels[pixel + 3] == 0 {
            for channel in pixel..<(pixel + 3) { pixels[channel] = 0 }
        }
        return Image(width: canvas.width, height: canvas.height, pixels16: pixels)
    }
}
