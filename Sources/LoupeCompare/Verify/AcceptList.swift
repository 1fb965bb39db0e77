import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem

/// The list of pictures that a person has accepted, as the HTML report writes it.
///
/// ```json
/// {"format": "loupe-accept/1",
///  "cases": [{"scene": "reference-images/clip/edge.json", "picture": "sha256:…"}]}
/// ```
/// `scene` is the path of a scene or, for folders of pictures, of a reference. `picture` is the hash of the accepted picture. No other picture of the case is accepted.
public struct AcceptList: Sendable {
    /// The name of the JSON format. A change that older versions can't read gets a new number.
    public static let format = "loupe-accept/1"

    private let entries: [Entry]
    /// The accepted pictures by the resolved path of their scene.
    private let pictures: [Path: PictureHash]

    private struct Entry {
        /// The scene's path as in the list.
        let scene: Path
        /// The same path in the form that all paths of one file have.
        let resolved: Path
        let picture: PictureHash
    }

    /// Reads a list.
    ///
    /// - Throws: `DocumentError` with the position of what is wrong.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        var list = try JSONReader(parsing: bytes)
        try list.requireFormat(Self.format)
        let cases = try list.required("cases").array()
        try list.finish()
        var entries: [Entry] = []
        var pictures: [Path: PictureHash] = [:]
        for value in cases {
            let entry = try Self.entry(value)
            guard pictures.updateValue(entry.picture, forKey: entry.resolved) == nil else {
                throw value.error(at: "scene", "\(entry.scene) is in the list twice; name each scene once")
            }
            entries.append(entry)
        }
        (self.entries, self.pictures) = (entries, pictures)
    }

    private static func entry(_ value: JSONReader) throws(DocumentError) -> Entry {
        var value = value
        let scene = Path(try value.required("scene").string())
        let hash = try value.required("picture").pictureHash()
        try value.finish()
        return Entry(scene: scene, resolved: scene.ofName, picture: hash)
    }

    /// Checks that all scenes of the list are among the cases of a run, by their paths.
    ///
    /// - Throws: `DocumentError` for the first that is not.
    package func check(among cases: [Path]) throws(DocumentError) {
        let known = Set(cases.map(\.ofName))
        guard let index = entries.firstIndex(where: { !known.contains($0.resolved) }) else { return }
        throw DocumentError(
            at: .key(path: "cases[\(index)].scene"),
            "\(entries[index].scene) is not one of the verified cases; paths are relative to the working directory")
    }

    /// The accepted picture of a scene; nil if none is.
    func picture(for scene: Path) -> PictureHash? { pictures[scene.ofName] }
}

/// A hash that identifies a picture: `sha256:` followed by 64 hexadecimal digits.
///
/// The digits are the SHA-256 of the width and the height, each as a big-endian 32-bit integer, followed by the samples of
/// the `Image`, those of 16 bits as big-endian integers.
public struct PictureHash: Hashable, Sendable, CustomStringConvertible {
    /// The hash as text.
    public let description: String

    private static let prefix = "sha256:"

    /// The hash of a picture.
    public init(of image: Image) {
        let sides = [image.width, image.height].flatMap { side in
            withUnsafeBytes(of: UInt32(side).bigEndian) { Array($0) }
        }
        let samples = image.pixels16?.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] } ?? image.pixels
        description = Self.prefix + SHA256.hexadecimal(SHA256.hash(sides + samples))
    }

    /// Reads a hash. Nil for anything but `sha256:` followed by 64 lower-case hexadecimal digits.
    public init?(_ text: String) {
        let digits = text.utf8.dropFirst(Self.prefix.utf8.count)
        let isHexadecimal = digits.allSatisfy { byte in
            UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "f") ~= byte
        }
        guard text.utf8.starts(with: Self.prefix.utf8), digits.count == 64, isHexadecimal else { return nil }
        description = text
    }
}

extension JSONReader {
    /// Reads the member `format`.
    /// - Throws: `DocumentError` where it is missing or another one.
    mutating func requireFormat(_ allowed: String) throws(DocumentError) {
        let format = try required("format")
        guard try format.string() == allowed else {
            throw format.error("\(format.value.line) is a format that this version can't read; allowed is \(allowed)")
        }
    }

    /// A string that is a picture's hash.
    func pictureHash() throws(DocumentError) -> PictureHash {
        guard let hash = PictureHash(try string()) else {
            throw error("\(value.line) is not a hash; allowed is sha256: followed by 64 hexadecimal digits")
        }
        return hash
    }
}
