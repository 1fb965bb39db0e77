import LoupeBase
import LoupeImaging
import LoupeScene
import LoupeSystem
import Synchronization

/// `batch -`: jobs that another program sends one by one, each answered on standard output.
///
/// A job is a line of JSON, as in a list. `"input-bytes": N` says that N bytes follow the line, which an `"input"` of `-`
/// stands for. An answer is a line of JSON, too. `"bytes": N` says that N bytes follow it, the PNG of an `"output"` of `-`.
/// Answers come in the order of the jobs, each as soon as it can. `"announce": true` asks for a line `"state": "rendered"`
/// before, when the pixels are there and only their encoding is left; other answers may come between the two. Some jobs are
/// prepared, and some pictures encoded, at a time, so a job that reads what an earlier one writes must wait for that one's
/// answer.
///
/// Two lines are no renders. `{"pixels": N}` asks for the pixels of job N, and is answered at once, out of order: its state is
/// "pixels", and rows of red, green, blue and alpha follow; or "gone", where another picture was rendered since.
/// `{"diff": […]}` has the words of `diff` and is answered with the "difference", as `--json` writes it.
package struct JobServer: Sendable {
    /// The exit code and the sentences of an error, as the command reports it.
    package typealias Explanation = @Sendable (any Error) -> (code: Int32, sentence: String, details: [String])

    let resumes: Bool
    private let files: JobFiles
    private let compare: @Sendable ([String]) throws -> JSONValue
    private let explain: Explanation
    private let end: @Sendable (any Error) -> Never

    /// - Parameters:
    ///   - compare: carries out a `diff`.
    ///   - explain: what an answer says of an error.
    ///   - end: ends the process where jobs can't be read or answers not be written any more. Threads may be at work.
    package init(
        resumes: Bool, allowsOutside: Bool, compare: @escaping @Sendable ([String]) throws -> JSONValue,
        explain: @escaping Explanation, end: @escaping @Sendable (any Error) -> Never
    ) {
        (self.resumes, self.compare, self.explain, self.end) = (resumes, compare, explain, end)
        files = JobFiles(list: "-", allowsOutside: allowsOutside)
    }

    /// Draws until standard input ends.
    /// - Throws: `EGLError` where no device works.
    package func run(_ batch: inout BatchPipeline) throws {
        let answers = JobAnswers(explain, end)
        let jobs = ServedJobs(try ByteSource.standardInput(), files) { answers.sendPixels(ofJob: $0) }
        let next = { @Sendable [end] () -> ServedJob? in
            // After an error nobody knows where the next job begins.
            do { return try jobs.next() } catch { end(error) }
        }
        try batch.run(
            next,
            prepare: { [resumes, compare, cache = batch.cache] job in
                switch try job.work.get() {
                case .compare(let words):
                    answers.take(try compare(words), of: job)
                    return nil
                case .render(let order):
                    return try order.prepare(resumes: resumes, cache: cache) { picture, bytes in
                        try answers.take(picture, bytes, of: order.render, job)
                    }
                }
            }, note: { answers.note($0, $1) })
    }
}

/// A job that has come.
private struct ServedJob: Sendable {
    /// Counts from 1.
    let number: Int
    /// The parsed job, or why it is none.
    let work: Result<Work, any Error>
    /// Whether its answer holds what `--stats` writes.
    let answersStats: Bool
    /// Whether a line says that it is rendered.
    let isAnnounced: Bool

    enum Work: Sendable {
        case render(JobOrder)
        /// The words of `diff`.
        case compare([String])
    }
}

/// The jobs that come through standard input. One thread takes them.
private final class ServedJobs: @unchecked Sendable {
    private let source: ByteSource
    private let files: JobFiles
    private let sendPixels: @Sendable (Int) -> Void
    private var count = 0
    /// Whether nothing says any more where the next line begins.
    private var isLost = false

    /// The most bytes of a line, as of other documents, and of an image.
    private static let (mostOfLine, mostOfImage) = (1 << 28, 1 << 30)
    /// Keys that jobs in a list can't have.
    private static let (byteCount, answerStats, announce) = ("input-bytes", "answer-stats", "announce")

    /// - Parameter sendPixels: answers a request for the pixels of a job, by its number.
    init(_ source: ByteSource, _ files: JobFiles, sendPixels: @escaping @Sendable (Int) -> Void) {
        (self.source, self.files, self.sendPixels) = (source, files, sendPixels)
    }

    /// Waits for the next job; nil at the end of the input. Blank lines are passed over.
    func next() throws -> ServedJob? {
        while !isLost, let line = try source.line(most: Self.mostOfLine) {
            if line.allSatisfy({ " \t\r".utf8.contains($0) }) { continue }
            if let number = Self.jobOfPixels(line) {
                sendPixels(number)
                continue
            }
            count += 1
            var (answersStats, isAnnounced) = (false, false)
            let work = Result { try self.work(line, &answersStats, &isAnnounced) }
            return ServedJob(number: count, work: work, answersStats: answersStats, isAnnounced: isAnnounced)
        }
        return nil
    }

    /// The job whose pixels a line asks for; nil for a job.
    private static func jobOfPixels(_ line: [UInt8]) -> Int? {
        guard line.count < 40, var request = try? JSONReader(parsing: line) else { return nil }
        return try? request.optional("pixels")?.integer(in: 1...1 << 40)
    }

    private func work(
        _ line: [UInt8], _ answersStats: inout Bool, _ isAnnounced: inout Bool
    ) throws -> ServedJob.Work {
        var job = try JSONReader(parsing: line)
        // The bytes are taken before anything else can be wrong, so that the next line is a job again.
        let count = try job.optional(Self.byteCount)
        isLost = true
        let length = try count?.integer(in: 0...Self.mostOfImage)
        isLost = false
        let bytes = try length.map(self.bytes)
        if let words = try job.optional("diff") {
            if bytes != nil { throw job.error(at: Self.byteCount, "a \"diff\" has no bytes after its line") }
            try job.finish()
            guard files.allowsOutside else {
                throw words.error("it reads any file; use batch --allow-outside")
            }
            return .compare(try words.array().map { reader throws(DocumentError) in try reader.string() })
        }
        answersStats = try job.optional(Self.answerStats)?.bool() ?? false
        isAnnounced = try job.optional(Self.announce)?.bool() ?? false
        let order = try JobOrder(job, files, keys: [Self.byteCount, Self.answerStats, Self.announce], bytes: bytes)
        let isSent = order.scene == nil && order.render.input.isDash
        guard isSent == (bytes != nil) else {
            throw job.error(
                at: Self.byteCount, "it goes with \"input\": \"-\", which stands for the bytes after the line")
        }
        for (flag, path) in order.render.outputs.dropFirst() where path?.isDash == true {
            throw DocumentError(
                at: .key(path: String(flag.dropFirst(2))),
                "only the picture can be sent back (-); name a file, or ask for statistics with \"answer-stats\": true")
        }
        return .render(order)
    }

    /// The bytes after a line.
    private func bytes(_ length: Int) throws -> [UInt8] {
        guard Memory.hasRoom(for: length) else {
            var left = length
            while left > 0, case let taken = source.take(left).count, taken > 0 { left -= taken }
            throw FileError.unreadable(
                path: "standard input", reason: "there is no memory for its \(length) bytes; \(Memory.advice)")
        }
        let bytes = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            count = source.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        guard bytes.count == length else {
            throw FileError.unreadable(
                path: "standard input", reason: "it ends after \(bytes.count) of \(length) bytes")
        }
        return bytes
    }
}

/// The answers to the jobs, written in the jobs' order. Any thread may use it.
private final class JobAnswers: Sendable {
    private typealias Members = [(String, JSONValue?)]

    /// The part of a job's answer that is known before the answer is written.
    private struct Answer: Sendable {
        var warnings: [JSONValue] = []
        var stats, difference: JSONValue?
        var png: [UInt8]?
        /// The members that say how it ended; nil before.
        var end: Members?
    }

    private struct State: Sendable {
        var next = 1
        var open: [Int: Answer] = [:]
        /// The picture that was rendered last.
        var latest: (number: Int, image: Image)?
    }

    private let explain: JobServer.Explanation
    private let end: @Sendable (any Error) -> Never
    /// Answers are written under its lock, which keeps their order and lines whole.
    private let state = Mutex(State())

    init(_ explain: @escaping JobServer.Explanation, _ end: @escaping @Sendable (any Error) -> Never) {
        (self.explain, self.end) = (explain, end)
    }

    /// Takes a picture and its PNG, which goes to its file or waits for the job's turn.
    func take(_ picture: Picture, _ bytes: [UInt8], of render: RenderJob, _ job: ServedJob) throws {
        let isSent = render.output?.isDash == true
        if !isSent { try render.output?.write(bytes, in: render.settings.confinement) }
        let stats = job.answersStats ? try JSONValue(parsing: Array(picture.statistics.utf8)) : nil
        state.withLock { state in
            state.open[job.number, default: Answer()].stats = stats
            if isSent { state.open[job.number, default: Answer()].png = bytes }
        }
    }

    /// Takes the result of a `diff`.
    func take(_ difference: JSONValue, of job: ServedJob) {
        state.withLock { $0.open[job.number, default: Answer()].difference = difference }
    }

    /// Answers with the pixels of the picture that was rendered last, if it is of a job.
    func sendPixels(ofJob number: Int) {
        state.withLock { state in
            guard let (latest, image) = state.latest, latest == number else {
                return write([("state", "gone")], nil, number: number)
            }
            let bytes = image.pixels16?.withUnsafeBytes(Array.init) ?? image.pixels
            let size = [("width", image.width), ("height", image.height), ("bytes", bytes.count)]
            write([("state", "pixels")] + size.map { ($0, .number(Double($1))) }, bytes, number: number)
        }
    }

    /// Notes how a job ended, or what happened on the way, and writes all answers that are due.
    func note(_ job: ServedJob, _ event: BatchEvent) {
        state.withLock { state in
            switch event {
            case .rendered where !job.isAnnounced: break
            case .rendered(let picture):
                state.latest = picture.map { (job.number, $0.image) }
                let warnings = state.open[job.number]?.warnings ?? []
                state.open[job.number]?.warnings = []
                write([("state", "rendered"), Self.member(warnings)], nil, number: job.number)
            case .warned(let sentence): state.open[job.number, default: Answer()].warnings.append(.string(sentence))
            case .drawn: finish(job, [("state", "drawn")], &state)
            case .skipped:
                let difference = state.open[job.number]?.difference
                let word: JSONValue = difference == nil ? "skipped" : "compared"
                finish(job, [("state", word), ("difference", difference)], &state)
            case .failed(let error):
                let (code, sentence, details) = explain(error)
                let members: Members = [
                    ("state", "failed"), ("code", .number(Double(code))), ("error", .string(sentence)),
                    ("details", details.isEmpty ? nil : .array(details.map(JSONValue.string))),
                ]
                finish(job, members, &state)
            }
        }
    }

    private func finish(_ job: ServedJob, _ members: Members, _ state: inout State) {
        state.open[job.number, default: Answer()].end = members
        while let answer = state.open[state.next], let end = answer.end {
            let rest: Members = [
                Self.member(answer.warnings), ("stats", answer.stats),
                ("bytes", answer.png.map { .number(Double($0.count)) }),
            ]
            write(end + rest, answer.png, number: state.next)
            state.open[state.next] = nil
            state.next += 1
        }
    }

    private static func member(_ warnings: [JSONValue]) -> (String, JSONValue?) {
        ("warnings", warnings.isEmpty ? nil : .array(warnings))
    }

    private func write(_ members: Members, _ png: [UInt8]?, number: Int) {
        let members: Members = [("job", .number(Double(number)))] + members
        do {
            try StandardOutput.write(Array(JSONValue.object(JSONObject(members)).line.utf8) + [UInt8(ascii: "\n")])
            if let png { try StandardOutput.write(png) }
        } catch {
            end(error)
        }
    }
}
