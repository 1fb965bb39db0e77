import LoupeSystem

/// The contents of a page of a PDF, as far as journals ask: its pictures of pixels, its texts, and the document's
/// fonts.
package struct PDFFacts: Hashable, Sendable {
    /// A picture of pixels on the page.
    package struct Picture: Hashable, Sendable {
        /// In its own pixels.
        package let width, height: Int
        /// How many of its pixels lie on an inch of paper, the mean of both directions.
        package let pixelsPerInch: Double
    }

    /// Texts of one font and size.
    package struct Text: Hashable, Sendable {
        /// The font's name, without the letters that mark a subset.
        package let font: String
        /// In points.
        package let size: Double
    }

    /// A font of the document.
    package struct Font: Hashable, Sendable {
        /// Its name, without the letters that mark a subset.
        package let name: String
        /// Whether the file has its letters.
        package let isEmbedded: Bool
        /// Whether its letters are drawings (Type 3).
        package let isType3: Bool
    }

    /// In the order of the file.
    package internal(set) var pictures: [Picture] = []
    /// Each font and size once.
    package internal(set) var texts: [Text] = []
    /// The fonts of all pages up to this one.
    package internal(set) var fonts: [Font] = []
}

extension ImageFile {
    /// What a page of a PDF consists of; nil for other formats.
    /// - Throws: ``ImageError/helperFailed(name:reason:)`` and its like.
    package func pdfFacts() throws(ImageError) -> PDFFacts? {
        guard format == .pdf else { return nil }
        return try document?.facts()
    }
}

extension PDFFacts {
    /// Reads a helper process's answer; nil for what has another form.
    init?(_ bytes: [UInt8]) {
        var reader = MessageReader(bytes)
        pictures = reader.list { reader in
            let (width, height) = (Int(reader.number(UInt32.self)), Int(reader.number(UInt32.self)))
            return Picture(width: width, height: height, pixelsPerInch: reader.double())
        }
        texts = reader.list { reader in
            let size = reader.double()
            return Text(font: reader.text(), size: size)
        }
        fonts = reader.list { reader in
            let kind = reader.number(UInt8.self)
            return Font(name: reader.text(), isEmbedded: kind != 0, isType3: kind == 2)
        }
        guard reader.isWhole, pictures.allSatisfy(\.pixelsPerInch.isFinite), texts.allSatisfy(\.size.isFinite) else {
            return nil
        }
    }
}
