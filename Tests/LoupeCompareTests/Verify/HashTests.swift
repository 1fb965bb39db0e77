import LoupeBase
import LoupeImaging
import Testing

@testable import LoupeCompare

@Suite struct HashTests {
    @Test(
        "Base64 of RFC 4648's examples",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded)
        #expect(Base64.isValid(encoded))
        #expect(Base64.decode(Array(encoded.utf8)[...]) == Array(text.utf8))
    }

    @Test("The last two digits of base64, in both alphabets") func lastDigits() {
        let bytes: [UInt8] = [0xfb, 0xff, 0xfe]
        #expect(Base64.encode(bytes) == "+//+")
        #expect(Base64.decode(Array("-__-".utf8)[...]) == bytes)
        #expect(!Base64.isValid("a<b"))
    }

    @Test("A picture's hash depends on its sides, not only on its pixels, and reads back")
    func pictures() {
        let pixels = [UInt8](repeating: 7, count: 8)
        let (wide, tall) = (Image(width: 2, height: 1, pixels: pixels), Image(width: 1, height: 2, pixels: pixels))
        let hash = PictureHash(of: wide)
        #expect(hash != PictureHash(of: tall) && hash == PictureHash(of: wide))
        #expect(PictureHash(hash.description) == hash && hash.description.utf8.count == 71)
        for text in ["", "sha256:", "sha1:" + hash.description.dropFirst(7), hash.description.uppercased()] {
            #expect(PictureHash(text) == nil)
        }
    }
}
