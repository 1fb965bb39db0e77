import LoupeImaging
import Testing

@testable import LoupeCompare
@testable import LoupeSystem

@Suite struct HashTests {
    @Test(
        "SHA-256 of the messages that NIST publishes, and of lengths about a block's end",
        arguments: [
            ("", 1, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            ("a", 1_000_000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"),
            ("a", 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"),
            ("a", 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"),
            ("a", 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"),
        ])
    func sha256(text: String, times: Int, digits: String) {
        let hash = SHA256.hash(Array(String(repeating: text, count: times).utf8))
        #expect(hash.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() == digits)
    }

    @Test("A hash taken piece by piece is that of the whole", arguments: [1, 7, 63, 64, 65, 130])
    func pieces(length: Int) {
        let bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 * 37) }
        var hash = SHA256()
        for start in stride(from: 0, to: bytes.count, by: length) {
            bytes[start..<min(start + length, bytes.count)].withUnsafeBytes { hash.take($0) }
        }
        #expect(hash.finished() == SHA256.hash(bytes))
    }

    @Test(
        "Base64 of RFC 4648's examples",
        arguments: [
            ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ])
    func base64(text: String, encoded: String) {
        #expect(Base64.encode(Array(text.utf8)) == encoded && Base64.isValid(encoded))
        #expect(Base64.encode([0xfb, 0xff, 0xfe]) == "+//+" && !Base64.isValid("a<b"))
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
