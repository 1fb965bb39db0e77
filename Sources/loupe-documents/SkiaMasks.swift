import LoupeSystem

/// Masks in PDFs that Chromium wrote (Skia), so that poppler draws them.
///
/// Skia hides what lies outside a shape by the alpha of that shape, inverted by a function (`/TR`). Poppler's cairo knows such a
/// function for luminosity alone, and with alpha it hides nothing. Of a white shape, luminosity and alpha are equal.
enum SkiaMasks {
    private static let (mask, kind) = ("/Type /Mask\n/S /Alpha\n", "/S /Luminosity\n")
    private static let (black, white) = ("0 0 0 RG 0 0 0 rg", "1 1 1 RG 1 1 1 rg")

    /// The file with white shapes, and whether there is a shape that can't be made white.
    static func repaired(_ file: [UInt8]) -> (file: [UInt8], isWrong: Bool) {
        var (result, isWrong, rest) = (file, false, file[...])
        while let start = rest.firstIndex(of: mask) {
            rest = rest[(start + mask.utf8.count)...]
            guard rest.starts(with: "/G ".utf8) else { continue }
            rest = rest.dropFirst(3)
            let number = rest.prefix { 0x30...0x39 ~= $0 }
            guard rest[number.endIndex...].starts(with: " 0 R\n/TR ".utf8) else { continue }
            let head = "\n\(String(decoding: number, as: UTF8.self)) 0 obj\n"
            guard let object = file[...].firstIndex(of: head), let end = file[object...].firstIndex(of: "endstream"),
                let stream = file[object..<end].firstIndex(of: "stream\n"),
                file[object..<stream].firstIndex(of: "/Filter") == nil,
                let color = file[stream..<end].firstIndex(of: black)
            else {
                isWrong = true
                continue
            }
            result.replaceSubrange(color..<color + black.utf8.count, with: white.utf8)
            // As long as before, as the file has the places of its objects.
            let spaces = [UInt8](repeating: 0x20, count: mask.utf8.count - kind.utf8.count)
            result.replaceSubrange(start..<start + mask.utf8.count, with: kind.utf8 + spaces)
        }
        return (result, isWrong)
    }
}
