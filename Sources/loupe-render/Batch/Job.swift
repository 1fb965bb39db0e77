import ArgumentParser
import LoupeJSON
import LoupeScene

/// One line of a list of jobs.
struct Job: Sendable {
    /// Counts from 1.
    let line: Int
    let text: ArraySlice<UInt8>
    /// The files that it writes, as the line names them.
    let outputs: [String]
    /// The pages and scenes that it names itself.
    let inputs: [String]
    private let files: JobFiles

    /// What the line asks for: a render as its command line would say it, or of a scene in the line itself.
    struct Order {
        let render: Render
        let scene: JSONReader?
        fileprivate let files: JobFiles
    }

    /// Checks the line, all but what lies in the files that it names.
    init(line: Int, text: ArraySlice<UInt8>, _ files: JobFiles) throws {
        self.line = line
        self.text = text
        self.files = files
        let order = try Self.order(text, files)
        let page = order.scene == nil ? order.render.input : nil
        inputs = [page, order.render.loupe.lens.versus].compactMap(\.self)
        outputs = [order.render.output, order.render.stats, order.render.beside.map].compactMap(\.self)
        if let path = outputs.first(where: { $0 == "-" }) {
            throw DocumentError(at: .key(path: ""), "it would write to standard output (\(path)); name a file")
        }
    }

    /// Read again when its turn comes, so that a long list takes little memory.
    func order() throws -> Order { try Self.order(text, files) }

    /// - Throws: `DocumentError`.
    private static func order(_ text: ArraySlice<UInt8>, _ files: JobFiles) throws -> Order {
        var job = try JSONReader(parsing: Array(text))
        let input = try job.required("input")
        let output = try job.required("output").string(needed: "the path of the PNG to write")
        var scene: JSONReader?
        if case .object = input.value { scene = input }
        let name = scene == nil ? try input.string(needed: "the path of a page or a scene, or a scene") : "scene"
        guard name != "-" else { throw input.error("standard input can't be read by a job; name a file") }
        let flags = try JobFlags.arguments(of: job) + files.flags
        let render: Render
        do {
            render = try Render.parse(flags + ["--output=\(output)", "--", name])
        } catch {
            throw DocumentError(at: .key(path: ""), Render.message(for: error))
        }
        try files.check(render, readsFile: scene == nil)
        return Order(render: render, scene: scene, files: files)
    }
}

extension Job.Order {
    /// The scene, and where its images come from.
    func readScene() throws -> (Scene, ImageSource) {
        guard let scene else { return try render.readScene() }
        if let flag = render.pageFlags.first {
            throw Failure(.usage, "\(flag): only for a page; a scene says this itself")
        }
        let images = ImageSource(ofJobsIn: files.confinement).keepingDepth(render.beside.depth == .sixteen)
        var reader = scene
        let decoder = SceneDecoder(refusal: images.refusal(of:), imageSize: images.size(of:))
        return (try decoder.scene(from: &reader), images)
    }
}
