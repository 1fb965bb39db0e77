import Glibc
import LoupeBase
import LoupeFigure
import LoupeImaging
import LoupeScene
import LoupeSystem

/// One line of a list of jobs, or of the jobs that come through standard input.
package struct ListedJob: Sendable {
    /// Counts from 1.
    package let line: Int
    private let text: ArraySlice<UInt8>
    /// The files that it writes, as the line names them.
    fileprivate let outputs: [Path]
    /// The files that it names to be read. Those that its scene names are not looked up.
    fileprivate let inputs: [Path]
    private let files: JobFiles

    /// Checks the line, all but what lies in the files that it names.
    fileprivate init(line: Int, text: ArraySlice<UInt8>, _ files: JobFiles) throws(DocumentError) {
        (self.line, self.text, self.files) = (line, text, files)
        let order = try Self.order(text, files)
        let render = order.render
        inputs = (order.scene == nil ? [render.input] : []) + render.request.otherImages.map { Path(bytes: $0.bytes) }
        outputs = render.outputs.compactMap(\.path)
        if outputs.contains(where: \.isDash) {
            throw DocumentError(at: .key(path: ""), "a job can't write to standard output (-); name a file")
        }
    }

    private static func order(_ text: ArraySlice<UInt8>, _ files: JobFiles) throws(DocumentError) -> JobOrder {
        let job = try JSONReader(parsing: Array(text))
        let order = try JobOrder(job, files)
        if order.render.input.isDash, order.scene == nil {
            throw job.error(at: "input", "standard input can't be read by a job; name a file")
        }
        return order
    }

    /// Reads what the job draws; nil where its output is there already and it may be skipped. The line is parsed again when
    /// its turn comes, so that a long list takes little memory.
    /// - Parameter cache: images that other jobs show, too.
    package func prepare(resumes: Bool, cache: ImageCache) throws -> BatchJob? {
        try Self.order(text, files).prepare(resumes: resumes, cache: cache)
    }
}

/// A parsed job: a render as on its command line, and the scene where it is in the line itself.
struct JobOrder: Sendable {
    let render: RenderJob
    let scene: JSONReader?
    private let files: JobFiles
    /// The bytes that followed the line, for an input of `-`.
    private let bytes: [UInt8]?

    /// Keys that are not options.
    private static let own: Set = ["input", "output", JobFiles.allowOutside]

    /// Checks a job, all but what lies in the files that it names.
    /// - Parameters:
    ///   - keys: those that the job may have beside those of a list.
    ///   - bytes: what an input of `-` stands for.
    init(_ job: JSONReader, _ files: JobFiles, keys: Set<String> = [], bytes: [UInt8]? = nil) throws(DocumentError) {
        var job = job
        let input = try job.required("input")
        let output = try job.required("output").string(needed: "the path of the picture to write")
        var scene: JSONReader?
        if case .object = input.value { scene = input }
        let name = scene == nil ? try input.string(needed: "the path of a page or a scene, or a scene") : "scene"
        if output.utf8.contains(0) { throw job.error(at: "output", JobOptions.noNull) }
        if output.isEmpty { throw job.error(at: "output", "it is empty; name the picture to write") }
        if name.utf8.contains(0) { throw input.error(JobOptions.noNull) }
        var settings = RenderJob.Settings()
        settings.confinement = files.confinement
        settings.allowsOutside = try files.allowsOutside(&job)
        let options = try JobOptions(job, without: keys.union(Self.own))
        settings.set(options)
        if scene != nil, let name = options.given.entries.first(where: { $0.name != PictureOption.scale.name })?.name {
            throw job.error(at: name, "only for a page; a scene says this itself")
        }
        do {
            render = try RenderJob(Path(name), to: Path(output), options.given, settings)
        } catch {
            throw DocumentError(at: .key(path: ""), error.description)
        }
        try files.check(render, readsFile: scene == nil && bytes == nil)
        if let misnomer = render.misnomer { throw DocumentError(at: .key(path: ""), misnomer) }
        (self.scene, self.files, self.bytes) = (scene, files, bytes)
    }

    /// Reads what the job draws; nil where its output is there already and it may be skipped.
    /// - Parameter deliver: takes the picture and its PNG when all other outputs are written; nil to write it.
    func prepare(
        resumes: Bool, cache: ImageCache, deliver: (@Sendable (Picture, [UInt8]) throws -> Void)? = nil
    ) throws -> BatchJob? {
        let file = try readScene(cache)
        try render.fileUses(of: file, readsInput: scene == nil).check()
        if resumes, isDone(with: file) { return nil }
        if let format = render.vectorFormat {
            return BatchJob(file) { [render] in try render.writeFigure(of: file, as: format) }
        }
        let warnings = { @Sendable [render] in try render.warnings(about: $0, of: file) }
        return BatchJob(file, options: render.options(for: file), warnings: warnings) { [render] in
            try render.write($0, of: file, deliver)
        }
    }

    private func readScene(_ cache: ImageCache) throws -> SceneFile {
        guard let scene else {
            return try render.readScene(
                bytes.map(InputFile.init(standardInput:)) ?? InputFile(render.input), cache: cache)
        }
        let images = ImageSource(confinedTo: files.confinement)
        var reader = scene
        let decoder = SceneDecoder(refusal: images.refusal(of:), imageSize: images.size(of:))
        return try render.scaled(SceneFile(try decoder.scene(from: &reader), images: images))
    }

    /// Whether the output is whole and no older than the files that it shows, and the other outputs are there.
    private func isDone(with file: SceneFile) -> Bool {
        guard let output = render.output, !output.isDash, let version = FileVersion(of: output),
            render.vectorFormat == nil && render.pixelFormat == nil
                ? PNG.isWhole(path: output) : ImageSource.exists(output)
        else { return false }
        let inputs = [render.input] + file.scene.imagePaths.map(file.images.path)
        return inputs.compactMap(FileVersion.init(of:)).allSatisfy { !version.isOlder(than: $0) }
            && render.outputs.compactMap(\.path).allSatisfy(ImageSource.exists)
    }
}

extension RenderJob.Settings {
    /// Sets what a job says beside the options of its page.
    fileprivate mutating func set(_ given: JobOptions) {
        (options.isDescribed, options.usesOracle, options.depth) = (given.isDescribed, given.usesOracle, given.depth)
        (isStrict, quality, options.maxPixels) = (given.isStrict, given.quality, given.maxPixels)
        options.streamFrom = given.streamFrom ?? options.streamFrom
        (map, plan, stats) = (given.map.map { Path($0) }, given.plan.map { Path($0) }, given.stats.map { Path($0) })
        paper = given.paper
    }
}

// MARK: - The files of a list

/// The files that the jobs of a list may read and write.
struct JobFiles: Sendable {
    let confinement: PathConfinement
    let allowsOutside: Bool

    /// - Parameter list: as it was given; what comes from standard input belongs to the working directory.
    init(list: Path, allowsOutside: Bool) {
        confinement = allowsOutside ? .none : PathConfinement(below: ImageSource.folder(ofFile: list))
        self.allowsOutside = allowsOutside
    }

    /// The option whose value also the command line decides.
    fileprivate static let allowOutside = "allow-outside"

    /// Whether the scene of a job may name files elsewhere. A job can't allow what the list may not.
    fileprivate func allowsOutside(_ job: inout JSONReader) throws(DocumentError) -> Bool {
        let allows = try job.optional(Self.allowOutside)?.bool()
        if allows == true, !allowsOutside {
            throw job.error(at: Self.allowOutside, "it is for the command line; use batch --allow-outside")
        }
        return allows ?? allowsOutside
    }

    /// - Parameter readsFile: whether the input is a path.
    /// - Throws: for the first file that may not be named.
    fileprivate func check(_ render: RenderJob, readsFile: Bool) throws(DocumentError) {
        let named =
            [("input", readsFile ? render.input : nil), ("output", render.output)]
            + render.outputs.dropFirst().map { (String($0.flag.dropFirst(2)), $0.path) }
            + render.request.otherFiles.map { ($0.option, Path(bytes: $0.path.bytes)) }
        for case (let key, let path?) in named {
            if let refusal = confinement.refusal(of: path, named: path) {
                throw DocumentError(at: .key(path: key), refusal)
            }
        }
    }
}

/// An error in a list of jobs, in one sentence.
package struct JobListError: Error, CustomStringConvertible {
    package let description: String

    /// Something about a line.
    package init(_ error: DocumentError, inLine line: Int, of list: String) {
        let place =
            switch error.position {
            case .text(_, let column): "line \(line), column \(column)"
            case .key(path: ""): "line \(line)"
            case .key(let path): "line \(line): \(path)"
            }
        description = "\(list.quotable): \(place): \(error.problem)"
    }

    fileprivate init(_ sentence: String) { description = sentence }
}

extension [ListedJob] {
    /// The jobs of a file, one JSON object on each line, checked before the first is drawn; blank lines are passed over.
    /// - Throws: `JobListError` for an invalid line and for two jobs that write the same file; `FileError`.
    package init(list: Path, allowsOutside: Bool) throws {
        let bytes = try InputBytes.read(input: list, as: .json)
        let (files, name) = (JobFiles(list: list, allowsOutside: allowsOutside), list.inputName)
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.allSatisfy { " \t\r".utf8.contains($0) } }
        var jobs = [Result<ListedJob, DocumentError>?](repeating: nil, count: lines.count)
        jobs.withUnsafeMutableBufferPointer { jobs in
            nonisolated(unsafe) let jobs = jobs
            Threads.forEach(lines.count) { index in
                jobs[index] = Result { () throws(DocumentError) in
                    try ListedJob(line: lines[index].offset + 1, text: lines[index].element, files)
                }
            }
        }
        self = try zip(jobs, lines).map { job, line in
            try job!.mapError { JobListError($0, inLine: line.offset + 1, of: name) }.get()
        }
        guard !isEmpty else {
            throw JobListError(
                "\(name.quotable): it has no job; add a line such as {\"input\": \"page.png\", \"output\": \"out.png\"}"
            )
        }
        try refuseCollisions(of: list)
    }

    /// Jobs run side by side. So no two may write the same file, and none may write what another line names to be read.
    /// What a job reads itself is checked when its turn comes: a picture that it draws again may be replaced.
    private func refuseCollisions(of list: Path) throws {
        var uses = FileUses()
        uses.read(list, as: "this list")
        for job in self {
            for path in job.inputs { uses.read(path, as: "line \(job.line)", group: job.line) }
            for path in job.outputs { uses.write(path, as: "line \(job.line)", group: job.line) }
        }
        do {
            try uses.check()
        } catch {
            throw JobListError("\(list.inputName.quotable): \(error)")
        }
    }
}
