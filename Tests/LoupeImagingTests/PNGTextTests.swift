import LoupeImaging
import Testing

/// Texts beside a PNG's pixels.
@Suite struct PNGTextTests {
    private let picture = Image(width: 1, height: 1, pixels: [1, 2, 3, 255])

    private func file(_ texts: PNGText...) throws -> [UInt8] {
        try PNG.encode(picture, options: PNGOptions(texts: texts))
    }

    @Test(arguments: ["", "ein Mädchen 🎈", String(repeating: "packed, since it is long; ", count: 500)])
    func textIsReadBack(_ text: String) throws {
        let file = try file(PNGText("other", "?", form: .international), PNGText("key", text, form: .international))
        #expect(try ImageFile(file, name: "a").text("key") == text)
        #expect(try ImageFile(file, name: "a").text("ke") == nil)
        #expect(try PNG.decode(file, name: "a") == picture)
        #expect(file.count < 700 || text.count < 700)
    }

    @Test func chunksAreThoseOfTheSpecification() throws {
        let bytes = try file(PNGText("Software", "x 1", form: .plain), PNGText("key", "é", form: .international))
        let chunks =
            PNGBuilder.chunk("tEXt", Array("Software\0x 1".utf8))
            + PNGBuilder.chunk("iTXt", Array("key\0\0\0\0\0é".utf8))
        #expect(bytes[33..<33 + chunks.count].elementsEqual(chunks), "between IHDR and IDAT")
    }

    @Test func damagedTextIsAnErrorAndOthersAreNot() throws {
        let whole = try file(PNGText("key", "abc", form: .international), PNGText("sound", "x", form: .international))
        for offset in 50...52 {
            var bytes = whole
            bytes[offset] ^= 0x20
            #expect(throws: ImageError.corrupt(name: "a", reason: "its text 'key' is damaged")) {
                try ImageFile(bytes, name: "a").text("key")
            }
            #expect(try ImageFile(bytes, name: "a").text("sound") == "x")
        }
        for count in 0..<whole.count { _ = try? ImageFile(Array(whole.prefix(count)), name: "a").text("sound") }
        #expect(try ImageFile(Array(whole.prefix(60)), name: "a").text("sound") == nil)
    }
}
