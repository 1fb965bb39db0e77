import LoupeBase
import LoupeCompare
import LoupeImaging
import LoupeScene
import LoupeSystem
import Synchronization

/// The files that a failed expectation writes.
struct Evidence: Sendable {
    /// The end of a file's name, after the picture's name, and the file's bytes.
    typealias File = (ending: String, bytes: [UInt8])

    let files: [File]

    /// Three pictures, the JSON that `loupe-render diff --json` would write, and the scene if it is known.
    init(reference: Image, actual: Image, difference: Difference, scene: Scene?) throws(ImageError) {
        var files: [File] = [
            ("-reference.png", try PNG.encode(reference)), ("-actual.png", try PNG.encode(actual)),
            ("-difference.png", try PNG.encode(DifferencePicture.draw(difference, over: reference))),
            (".json", Array((difference.json.text() + "\n").utf8)),
        ]
        if let scene { files.append(("-scene.json", Array(SceneEncoder().encode(scene).utf8))) }
        self.files = files
    }

    /// The picture alone, for a reference that can't be read.
    init(actual: Image) throws(ImageError) {
        files = [("-actual.png", try PNG.encode(actual))]
    }

    /// Writes each file to `stem` followed by its ending, and makes the folder if it is missing.
    func write(to stem: Path) throws(FileError) {
        if let folder = stem.parent { try Folder.make(folder) }
        for file in files { try AtomicFile.write(file.bytes, to: stem.appending(Path(file.ending))) }
    }

    /// How often each stem was requested in this process.
    private static let uses = Mutex<[Path: Int]>([:])

    /// The stem itself at the first request, then with `-2`, `-3` and so on, so that parallel and repeated failures of one
    /// name do not overwrite each other's files.
    static func freeStem(_ stem: Path) -> Path {
        uses.withLock { uses in
            uses[stem, default: 0] += 1
            let count = uses[stem] ?? 1
            return count == 1 ? stem : stem.appending("-\(count)")
        }
    }
}
