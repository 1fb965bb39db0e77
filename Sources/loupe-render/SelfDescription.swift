import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeRenderer
import LoupeScene
import LoupeVerify

/// What a picture tells about itself, in texts beside its pixels: how it can be drawn again, and by what it was drawn.
///
/// Nothing in it changes from run to run: the same command, device and driver write the same bytes.
struct SelfDescription {
    /// The keyword of the scene's text.
    static let sceneKeyword = "loupe-scene"
    /// The keyword of the device's text.
    static let deviceKeyword = "loupe-device"

    /// As it was given.
    let scene: Scene
    let source: ImageSource
    /// Of each image's file, by the path in the scene.
    let digests: [String: String]

    /// - Parameter output: the picture's path, from whose folder the paths of images are to count.
    func texts(for output: String, device: DeviceInfo?) -> [PNGText] {
        let folder = RealPath.of(output == "-" ? "." : RelativePath.folder(of: output)) ?? "/"
        let names = scene.imagePaths.map { path in
            (path, path == "-" ? path : RelativePath.path(of: source.place(of: path), from: folder))
        }
        let name = Dictionary(uniqueKeysWithValues: names)
        let record = SceneRecord(
            scene: scene.renamingImages { name[$0] ?? $0 },
            digests: Dictionary(names.map { ($1, digests[$0] ?? "") }) { first, _ in first })
        return [
            PNGText("Software", "loupe-render \(LoupeRender.configuration.version)", form: .plain),
            PNGText(Self.deviceKeyword, Statistics.json(of: device).line, form: .international),
            PNGText(Self.sceneKeyword, record.text, form: .international),
        ]
    }

    /// A sentence about each image that is not what it was when the picture that is drawn again was made.
    var changes: [String] {
        scene.imagePaths.compactMap { path in
            guard let then = source.recorded[path], let now = digests[path], then != now else { return nil }
            return "\(source.place(of: path)): not what it was when the picture was made; its SHA-256 is "
                + "\(now), and was \(then)"
        }
    }

    /// The SHA-256 of a file's bytes, as `sha256sum` writes it.
    static func digest(_ bytes: [UInt8]) -> String { hexadecimal(SHA256.hash(bytes)) }

    /// The same of a file that need not fit into memory.
    static func digest(path: String) throws(FileError) -> String {
        var hash = SHA256()
        try InputBytes.forEachPiece(path: path) { hash.take($0) }
        return hexadecimal(hash.finished())
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// Paths from one folder to another.
enum RelativePath {
    /// Up to the last slash; `.` where there is none.
    static func folder(of path: String) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    }

    /// The way from a folder to a file, both absolute and without links.
    static func path(of file: String, from folder: String) -> String {
        guard file.hasPrefix("/") else { return file }
        let (there, here) = (file.split(separator: "/"), folder.split(separator: "/"))
        let common = zip(there, here).prefix { $0 == $1 }.count
        let ups = [Substring](repeating: "..", count: here.count - common)
        return (ups + there[common...]).joined(separator: "/")
    }
}
