import ArgumentParser
import LoupeCompose
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupePipeline
import LoupeScene
import Synchronization

/// One line of a list of jobs, or of the jobs that come through standard input.
struct Job: Sendable {
    /// Counts from 1.
    let line: Int
    let text: ArraySlice<UInt8>
    /// The files that it writes, as the line names them.
    let outputs: [Path]
    /// The files that it reads: those that it names itself, and those that its scene names.
    let inputs: [Path]
    private let files: JobFiles

    /// The parsed line: a render as on its command line, and the scene where it is in the line itself.
    struct Order: Sendable {
        let render: Render
        /// What the job asks for of a page.
        let request: Request
        let scene: JSONReader?
        fileprivate let files: JobFiles
        /// The bytes that followed the line, for an input of `-`.
        fileprivate var bytes: [UInt8]?
    }

    /// Checks the line, all but what lies in the files that it names.
    init(line: Int, text: ArraySlice<UInt8>, _ files: JobFiles) throws {
        self.line = line
        self.text = text
        self.files = files
        let order = try Self.order(text, files)
        let page = order.scene == nil ? order.render.input : nil
        inputs =
            [page?.path].compactMap(\.self) + order.request.otherImages.map { Path(bytes: $0.bytes) } + order.namedFiles
        if let misnomer = order.render.misnomer { throw DocumentError(at: .key(path: ""), misnomer) }
        outputs = order.render.outputs.compactMap { $0.path?.path }
        if outputs.contains(where: \.isDash) {
            throw DocumentError(at: .key(path: ""), "a job can't write to standard output (-); name a file")
        }
    }

    /// Read again when its turn comes, so that a long list takes little memory.
    func order() throws -> Order { try Self.order(text, files) }

    /// - Throws: `DocumentError`.
    private static func order(_ text: ArraySlice<UInt8>, _ files: JobFiles) throws -> Order {
        let job = try JSONReader(parsing: Array(text))
        let order = try Order(job, files)
        if order.render.input.path.isDash, order.scene == nil {
            throw job.error(at: "input", "standard input can't be read by a job; name a file")
        }
        return order
    }
}

extension Job.Order {
    /// Checks a job, all but what lies in the files that it names.
    /// - Parameters:
    ///   - keys: those that the job may have beside those of a list.
    ///   - bytes: what an input of `-` stands for.
    /// - Throws: `DocumentError`.
    init(_ job: JSONReader, _ files: JobFiles, keys: Set<String> = [], bytes: [UInt8]? = nil) throws {
        var job = job
        let input = try job.required("input")
        let output = try job.required("output").string(needed: "the path of the picture to write")
        var scene: JSONReader?
        if case .object = input.value { scene = input }
        let name = scene == nil ? try input.string(needed: "the path of a page or a scene, or a scene") : "scene"
        if output.utf8.contains(0) { throw job.error(at: "output", JobFlags.noNull) }
        if name.utf8.contains(0) { throw input.error(JobFlags.noNull) }
        var (options, flags) = try JobFlags.options(of: job, without: keys)
        flags += try files.flags(of: &job)
        let render = try Render.ofJob(
            flags, input: Arguments.escaped(name.utf8), output: Arguments.escaped(output.utf8))
        if scene != nil, let name = options.entries.first(where: { $0.name != PictureOption.scale.name })?.name {
            throw job.error(at: name, "only for a page; a scene says this itself")
        }
        do {
            request = try Request(options, enlargement: render.vectorFormat == nil ? render.beside.enlargement : nil)
        } catch {
            throw DocumentError(at: .key(path: ""), error.description)
        }
        try files.check(render, request, readsFile: scene == nil && bytes == nil)
        (self.render, self.scene, self.files, self.bytes) = (render, scene, files, bytes)
    }
}

extension Job {
    /// Reads what the job draws; nil where its output is there already and it may be skipped.
    /// - Parameter cache: images that other jobs show, too.
    func prepare(resumes: Bool, cache: ImageCache) throws -> BatchJob? {
        let order = try order()
        return try order.prepare(resumes: resumes, cache: cache) { _, bytes in try order.write(bytes) }
    }
}

extension Job.Order {
    /// Reads what the job draws; nil where its output is there already and it may be skipped.
    /// - Parameter deliver: takes the picture and its PNG when all other outputs are written.
    func prepare(
        resumes: Bool, cache: ImageCache, deliver: @escaping @Sendable (Picture, [UInt8]) throws -> Void
    ) throws -> BatchJob? {
        let file = try readScene(cache)
        try render.fileUses(of: file, readsInput: scene == nil).check()
        if resumes, try render.isDone(with: file) { return nil }
        if let format = render.vectorFormat {
            return BatchJob(file) { [self] in try render.writeFigure(of: file, as: format, in: files.confinement) }
        }
        return BatchJob(file, options: render.options(for: file)) { [self] in
            try render.write($0, of: file, in: files.confinement, deliver)
        }
    }

    /// Writes the picture's PNG.
    func write(_ bytes: [UInt8]) throws {
        if let output = render.output { try Output(output, in: files.confinement).write(bytes) }
    }

    /// The files that the scene names, as far as it can be read.
    fileprivate var namedFiles: [Path] {
        guard let scene else {
            return files.named.files(
                in: render.input.path, drawsAgain: request.asksNothing, allowsOutside: render.files.allowOutside)
        }
        return ImageSource(confinedTo: files.confinement).files { decoder in
            var reader = scene
            _ = try decoder.scene(from: &reader)
        }
    }

    fileprivate func readScene(_ cache: ImageCache) throws -> SceneFile {
        guard let scene else { return try render.readScene(render.opened(bytes), for: request, cache: cache) }
        let images = ImageSource(confinedTo: files.confinement)
        var reader = scene
        let decoder = SceneDecoder(refusal: images.refusal(of:), imageSize: images.size(of:))
        return try render.scaled(SceneFile(try decoder.scene(from: &reader), images: images), by: request)
    }
}

extension Render {
    /// Whether the output is whole and no older than the files that it shows, and the other outputs are there.
    fileprivate func isDone(with file: SceneFile) throws -> Bool {
        guard let output = output?.path, !output.isDash, let version = FileVersion(of: output),
            vectorFormat == nil ? PNG.isWhole(path: output) : ImageSource.exists(output)
        else {
            return false
        }
        let inputs = [input.path] + file.scene.imagePaths.map(file.images.path)
        return inputs.compactMap(FileVersion.init(of:)).allSatisfy { !version.isOlder(than: $0) }
            && outputs.compactMap { $0.path?.path }.allSatisfy(ImageSource.exists)
    }

    /// Writes all that a job asks for. The picture comes last, since `--resume` goes by it.
    fileprivate func write(
        _ picture: Picture, of file: SceneFile, in confinement: PathConfinement,
        _ deliver: (Picture, [UInt8]) throws -> Void
    ) throws {
        var picture = picture
        var bytes: [UInt8] = []
        picture.times.encode = try ContinuousClock().measure {
            bytes = try picture.png(for: output?.path, options: pngs.options)
        }
        picture.times.total = picture.times.decode + picture.times.draw + picture.times.encode
        try writeMap(of: file, in: confinement)
        try writePlan(of: picture, in: confinement)
        try writeStatistics(of: picture, in: confinement)
        try deliver(picture, bytes)
    }
}

/// Which files the jobs of a list may read and write.
struct JobFiles: Sendable {
    let confinement: PathConfinement
    private let allowsOutside: Bool
    /// What scenes name that several jobs may draw.
    fileprivate let named = NamedFiles()

    /// - Parameter list: as it was given; what comes from standard input belongs to the working directory.
    init(list: Path, allowsOutside: Bool) {
        confinement = allowsOutside ? .none : PathConfinement(below: ImageSource.folder(ofFile: list))
        self.allowsOutside = allowsOutside
    }

    /// What the command line of a job says about the documents that it reads. A job can't allow what the list may not.
    /// - Throws: `DocumentError`.
    fileprivate func flags(of job: inout JSONReader) throws(DocumentError) -> [String] {
        let allows = try job.optional(JobFlags.allowOutside)?.bool()
        if allows == true, !allowsOutside {
            throw job.error(at: JobFlags.allowOutside, "it is for the command line; use batch --allow-outside")
        }
        return allows ?? allowsOutside ? ["--\(JobFlags.allowOutside)"] : []
    }

    /// - Parameter readsFile: whether the input is a path.
    /// - Throws: `DocumentError` for the first file that may not be named.
    func check(_ render: Render, _ request: Request, readsFile: Bool) throws(DocumentError) {
        let named =
            [
                ("input", readsFile ? render.input.path : nil), ("output", render.output?.path),
                ("stats", render.stats?.path), ("map", render.beside.map?.path),
                ("show-plan", render.beside.showPlan?.path),
            ] + request.otherFiles.map { ($0.option, Path(bytes: $0.path.bytes)) }
        for case (let key, let path?) in named {
            if path.bytes.contains(0) {
                throw DocumentError(at: .key(path: key), "it is not the path of a file: it has a character U+0000")
            }
            if let refusal = confinement.refusal(of: path, named: path) {
                throw DocumentError(at: .key(path: key), refusal)
            }
        }
    }
}

/// The files that scenes name; each scene is read once. Any thread may use it.
private final class NamedFiles: Sendable {
    private struct Key: Hashable {
        let path: Path
        let drawsAgain: Bool
    }

    private let known = Mutex<[Key: [Path]]>([:])

    /// - Parameter drawsAgain: asked only where the answer changes something, as it takes longer than all else about a job.
    func files(in path: Path, drawsAgain: @autoclosure () -> Bool, allowsOutside: Bool) -> [Path] {
        let all = files(Key(path: path, drawsAgain: true), allowsOutside)
        if all.isEmpty { return [] }
        let others = files(Key(path: path, drawsAgain: false), allowsOutside)
        return all == others || drawsAgain() ? all : others
    }

    private func files(_ key: Key, _ allowsOutside: Bool) -> [Path] {
        if let files = known.withLock({ $0[key] }) { return files }
        let files = SceneFile.files(namedIn: key.path, drawsAgain: key.drawsAgain, allowsOutside: allowsOutside)
        known.withLock { $0[key] = files }
        return files
    }
}

/// The options of a job as the command line has them: each key is a long name, each value what follows it.
enum JobFlags {
    /// Options of `render` that a job can't have, and why.
    private static let refused = [
        "device": "all jobs of a batch are drawn by one; name it with batch --device",
        "no-fallback": "it is for all jobs; use batch --no-fallback",
        "max-memory": "all jobs of a batch share one process; use batch --max-memory",
        "no-sync": "it is for all jobs; use batch --no-sync",
        "svg-timeout": "it is for all jobs; use batch --svg-timeout",
        "print-scene": "a job draws; render --print-scene prints",
        "shaders": "all jobs of a batch are drawn by one renderer; use render --shaders",
        "help": "it is not an option of a job; leave it out", "version": "it is not an option of a job; leave it out",
    ]
    /// The option whose value also the command line decides.
    static let allowOutside = "allow-outside"
    /// Keys that are not options.
    private static let own: Set = ["input", "output", allowOutside]

    /// What a job asks for of a page, and its other options as arguments.
    /// - Parameter keys: further keys that are not options.
    static func options(
        of job: JSONReader, without keys: Set<String>
    ) throws(DocumentError) -> (GivenOptions, arguments: [String]) {
        var (options, arguments) = (GivenOptions(), [String]())
        guard case .object(let object) = job.value else { return (options, arguments) }
        for member in object.members where !own.contains(member.key) && !keys.contains(member.key) {
            if let reason = refused[member.key] { throw job.error(at: member.key, reason) }
            guard isName(member.key) else {
                throw job.error(at: member.key, "unknown key; allowed are input, output and the options of render")
            }
            let value = JSONReader(member.value, path: .key(member.key, in: job.path))
            let texts = try self.texts(value)
            guard let option = PictureOption.named(member.key) else {
                arguments += texts.map {
                    $0.isEmpty ? "--\(member.key)" : "--\(member.key)=\(Arguments.escaped($0.utf8))"
                }
                continue
            }
            for text in texts {
                let isFlag = if case .none = option.value { true } else { false }
                if isFlag != text.isEmpty, option.name != PictureOption.frame.name {
                    throw value.error(isFlag ? "it is given or not: true or false" : "it needs a value")
                }
                options.add(option.name, text.utf8)
            }
        }
        return (options, arguments)
    }

    /// Such as `corner-radius`.
    private static func isName(_ key: String) -> Bool {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        return key.utf8.first.map(letters.contains) == true
            && key.utf8.allSatisfy { letters.contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// What is wrong with a text that holds U+0000: as a path it would end there.
    static let noNull = "it holds the character U+0000; leave it out"

    /// The values of an option: an empty one for `true`, none for `false`, and of an array the numbers of one value, or else
    /// several values.
    private static func texts(_ value: JSONReader) throws(DocumentError) -> [String] {
        switch value.value {
        case .bool(let isGiven): return isGiven ? [""] : []
        case .array(let elements):
            let numbers = elements.compactMap(number)
            if numbers.count == elements.count, !elements.isEmpty { return [numbers.joined(separator: ",")] }
            var texts: [String] = []
            for element in try value.array() { texts += try self.texts(element) }
            return texts
        case .string(let text):
            if text.utf8.contains(0) { throw value.error(noNull) }
            if text.isEmpty { throw value.error("it is empty; give it a value, or leave it out") }
            return [text]
        case .number: return [value.value.line]
        case .null, .object:
            throw value.error("an option needs a string, a number, a boolean or an array")
        }
    }

    private static func number(_ value: JSONValue) -> String? {
        if case .number = value { value.line } else { nil }
    }
}
