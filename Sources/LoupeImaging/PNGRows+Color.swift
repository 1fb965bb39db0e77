/// Rows of pictures that are not in sRGB.
extension PNGRows {
    /// As ``forEachBand(_:)``, of rows that were taken to sRGB.
    /// - Throws: ``PNGError/damaged(name:format:reason:)`` too, where the profile is broken.
    public func forEachConvertedBand(
        _ body: (_ pixels: UnsafeRawBufferPointer, _ rows: Range<Int>) -> Void
    ) throws(PNGError) {
        guard color != .standard else { return try forEachBand(body) }
        let header = try header()
        let isDeep = header.depth == 16 && color.needsDepth
        let conversion: BandConversion?
        do {
            conversion = try BandConversion(color, of: header, isDeep: isDeep)
        } catch {
            throw .damaged(name: name, format: .png, reason: "its colour profile: \(error.reason)")
        }
        guard let conversion else { return try forEachBand(body) }
        try forEachBand(of: header, keepsDepth: isDeep) { band, rows in
            conversion.withConverted(band) { body($0, rows) }
        }
    }
}
