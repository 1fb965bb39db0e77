import LoupeGLES

/// A framebuffer that shows a block of the canvas.
struct Target {
    let framebuffer: Framebuffer
    /// The canvas pixel that the framebuffer's pixel (0, 0) shows.
    let x: Int
    let y: Int
}
