import LoupeSystem
import TestSupport
import Testing

@testable import LoupeImaging

/// What a helper process answers about the page of a PDF. It may answer anything.
@Suite struct PDFFactsTests {
    private static let facts = PDFFacts(
        pictures: [
            .init(width: 2, height: 3, pixelsPerInch: 299.5), .init(width: 0xffff_ffff, height: 1, pixelsPerInch: 1e-9),
        ],
        texts: [
            .init(font: "Helvetica", size: 4.25), .init(font: "Käse\u{1f9c0}", size: -0.5), .init(font: "", size: 0),
        ],
        fonts: [
            .init(name: "Times", isEmbedded: false, isType3: false),
            .init(name: "\u{301}", isEmbedded: true, isType3: false),
            .init(name: "T3", isEmbedded: true, isType3: true),
        ])

    /// The facts as a helper process writes them.
    private static let bytes: [UInt8] = {
        var writer = MessageWriter()
        writer.write(UInt32(facts.pictures.count))
        for picture in facts.pictures {
            writer.write(UInt32(picture.width))
            writer.write(UInt32(picture.height))
            writer.write(picture.pixelsPerInch)
        }
        writer.write(UInt32(facts.texts.count))
        for text in facts.texts {
            writer.write(text.size)
            writer.write(block: text.font.utf8)
        }
        writer.write(UInt32(facts.fonts.count))
        for font in facts.fonts {
            writer.write(UInt8(font.isType3 ? 2 : font.isEmbedded ? 1 : 0))
            writer.write(block: font.name.utf8)
        }
        return writer.bytes
    }()

    @Test func anAnswerIsReadAsItWasWritten() {
        #expect(PDFFacts(Self.bytes) == Self.facts)
        #expect(PDFFacts([UInt8](repeating: 0, count: 12)) == PDFFacts())
    }

    @Test func cutAndLongerAnswersAreRefused() {
        let bytes = Self.bytes
        for count in 0..<bytes.count { #expect(PDFFacts(Array(bytes.prefix(count))) == nil, "\(count) bytes") }
        #expect(PDFFacts(bytes + [0]) == nil)
    }

    @Test func changedAnswersAreRefusedOrHaveNumbers() {
        let bytes = Self.bytes
        var read = 0
        for (index, byte) in bytes.enumerated() {
            for changed in Sample.of(Array(UInt8.min...UInt8.max), every: 16, from: index) where changed != byte {
                var other = bytes
                other[index] = changed
                guard let facts = PDFFacts(other) else { continue }
                read += 1
                #expect(facts.pictures.allSatisfy { $0.pixelsPerInch.isFinite && $0.width >= 0 && $0.height >= 0 })
                #expect(facts.texts.allSatisfy { $0.size.isFinite })
            }
        }
        #expect(read > 100)
    }
}
