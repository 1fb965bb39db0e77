/// Rows of pictures that are not in sRGB.
extension PNGRows {
    /// As ``forEachBand(_:)``, of rows that were taken to sRGB.
    /// - Throws: ``ImageError/damaged(name:format:reason:)`` too, where the profile is broken.
    public func forEachConvertedBand(
        _ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void
    ) throws(ImageError) {
        guard color != .sRGB else { return try forEachBand(body) }
        let header = try header()
        let is16Bit = header.depth == 16 && color.needs16Bits
        let conversion: BandConversion?
        do {
            conversion = try BandConversion(color, of: header, is16Bit: is16Bit)
        } catch {
            throw .damaged(name: name, format: .png, reason: "its colour profile: \(error.reason)")
        }
        guard let conversion else { return try forEachBand(body) }
        try forEachBand(of: header, keepsDepth: is16Bit) { band, rows in
            conversion.withConverted(band) { body($0, rows) }
        }
    }
}
