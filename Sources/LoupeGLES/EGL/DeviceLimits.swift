/// What one device can draw at most, as its OpenGL ES implementation says.
public struct DeviceLimits: Hashable, Sendable {
    /// Longest side of a texture, in texels (GL_MAX_TEXTURE_SIZE).
    public let textureSize: Int
    /// Longest side of a renderbuffer, in pixels (GL_MAX_RENDERBUFFER_SIZE).
    public let renderbufferSize: Int
    /// Largest viewport, in pixels (GL_MAX_VIEWPORT_DIMS).
    public let viewportWidth: Int
    public let viewportHeight: Int
    /// Colour outputs of one draw (GL_MAX_DRAW_BUFFERS).
    public let drawBuffers: Int
    /// Binary digits after the point in a vertex's window position (GL_SUBPIXEL_BITS).
    public let subpixelBits: Int
}
