import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupeScene

/// Which files the jobs of a list may read and write.
struct JobFiles: Sendable {
    let confinement: PathConfinement
    /// What the command line of each job says about the documents that it reads.
    let flags: [String]

    /// - Parameter list: as it was given; what comes from standard input belongs to the working directory.
    init(list: String, allowsOutside: Bool) {
        confinement = allowsOutside ? .none : PathConfinement(below: ImageSource.folder(ofFile: list))
        flags = allowsOutside ? ["--allow-outside"] : []
    }

    /// - Parameter readsFile: whether the input is a path.
    /// - Throws: `DocumentError` for the first file that may not be named.
    func check(_ render: Render, readsFile: Bool) throws(DocumentError) {
        let named = [
            ("input", readsFile ? render.input : nil), ("output", render.output), ("stats", render.stats),
            ("map", render.beside.map), ("versus", render.loupe.lens.versus),
        ]
        for case (let key, let path?) in named {
            if let refusal = confinement.refusal(of: path, named: path) {
                throw DocumentError(at: .key(path: key), refusal)
            }
        }
    }
}
