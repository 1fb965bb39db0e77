import LoupeJSON
import LoupeScene

/// The cases whose pictures a person has looked at and found right, as the HTML report writes them down.
///
/// ```json
/// {"format": "loupe-accept/1",
///  "cases": [{"scene": "reference-images/clip/edge.json", "picture": "sha256:…"}]}
/// ```
/// `picture` is the hash of the picture that was looked at: the list accepts no other.
public struct AcceptList: Sendable {
    /// Of the format above; a change that older readers do not understand gets a new number.
    public static let format = "loupe-accept/1"

    /// One for each case.
    private let entries: [Entry]
    private let pictures: [String: PictureHash]

    private struct Entry {
        /// The scene's path as the list has it.
        let scene: String
        /// The same in the one form that equal files have.
        let resolved: String
        let picture: PictureHash
    }

    /// Reads a list's text.
    package init(parsing bytes: [UInt8]) throws(DocumentError) {
        var list = try JSONReader(parsing: bytes)
        let format = try list.required("format")
        guard try format.string() == Self.format else {
            throw format.error("\(format.value.line) is not a list that this version reads; allowed is \(Self.format)")
        }
        let cases = try list.required("cases").array()
        try list.finish()
        var entries: [Entry] = []
        var pictures: [String: PictureHash] = [:]
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
        let scene = try value.required("scene").string()
        let picture = try value.required("picture")
        guard let hash = PictureHash(try picture.string()) else {
            throw picture.error("\(picture.value.line) is no hash; sha256: and 64 hexadecimal digits are needed")
        }
        try value.finish()
        return Entry(scene: scene, resolved: PageStore.resolved(scene, in: ""), picture: hash)
    }

    /// Refuses scenes that are not among the cases of a run.
    package func check(among cases: [SceneCase]) throws(DocumentError) {
        let known = Set(cases.map { PageStore.resolved($0.path, in: "") })
        guard let place = entries.firstIndex(where: { !known.contains($0.resolved) }) else { return }
        throw DocumentError(
            at: .key(path: "cases[\(place)].scene"),
            "\(entries[place].scene) is none of the scenes that are verified; paths count from the working directory")
    }

    /// The picture that is accepted for a scene; nil where none is.
    func picture(for scene: String) -> PictureHash? { pictures[PageStore.resolved(scene, in: "")] }
}
