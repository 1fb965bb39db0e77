import LoupeImaging
import LoupeScene

/// How busy an image is, for `LoupePlacer`.
extension ContrastGrid {
    /// The grid of an opened image, which is decoded for this and for who draws it next. A large PNG is read row by row
    /// and not held.
    /// - Parameters:
    ///   - background: that is seen through translucent pixels.
    ///   - maxPixels: as for `RenderOptions.maxPixels`.
    /// - Throws: `ImageError`.
    public init(of image: ImageFile, over background: Color = .defaultBackground, maxPixels: Int? = nil) throws {
        var options = RenderOptions()
        options.maxPixels = maxPixels
        guard ImageSource.isLarge(image, from: options.streamFrom) else {
            let decoded = try image.imageKept(limits: options.heldLimits)
            self.init(width: decoded.width, height: decoded.height, pixels: decoded.pixels, over: background)
            return
        }
        let rows = try image.rows(limits: options.streamedLimits)
        var reader = Reader(width: rows.width, height: rows.height, over: background)
        try rows.forEachConvertedBand { reader.take($0, rows: $1) }
        self = reader.grid
    }
}
