/// The part of `LoupeImaging` that the painters name. A page's pictures are decoded by the browser, so none is ever made.
public struct Image: Sendable {
    /// In pixels.
    public let width: Int
    /// In pixels.
    public let height: Int
    /// Straight RGBA, the top row first.
    public let pixels: [UInt8]
}
