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
        fonts: [.init(name: "Times", isEmbedded: false), .init(name: "\u{301}", isEmbedded: true)])

    @Test func anAnswerIsReadAsItWasWritten() {
        #expect(PDFFacts(Self.facts.bytes) == Self.facts)
        #expect(PDFFacts(PDFFacts().bytes) == PDFFacts())
    }

    @Test func cutAndLongerAnswersAreRefused() {
        let bytes = Self.facts.bytes
        for count in 0..<bytes.count { #expect(PDFFacts(Array(bytes.prefix(count))) == nil, "\(count) bytes") }
        #expect(PDFFacts(bytes + [0]) == nil)
    }

    @Test func changedAnswersAreRefusedOrHaveNumbers() {
        let bytes = Self.facts.bytes
        var read = 0
        for (index, byte) in bytes.enumerated() {
            for changed in Sample.of(Array(UInt8.min...UInt8.max), every: 16, from: index) where changed != byte {
                var other = bytes
                other[index] = changed
                guard let facts = PDFFacts(other) else { continue }
                read += 1
                #expect(facts.pictures.allSatisfy { $0.pixelsPerInch.isFinite && $0.width >= 0 && $0.height >= 0 })
                #expect(facts.texts.allSatisfy { $0.size.isFinite })
                #expect(PDFFacts(facts.bytes) == facts, "byte \(index) as \(changed)")
            }
        }
        #expect(read > 100)
    }
}
