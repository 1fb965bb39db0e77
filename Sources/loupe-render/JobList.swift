import Glibc
import LoupeFiles
import LoupeImaging
import LoupeJSON
import LoupePipeline
import LoupeScene

/// A file of jobs, one JSON object on each line; blank lines are passed over.
enum JobList {
    /// Every job, checked before the first is drawn.
    /// - Throws: `Failure`: 66 where it can't be read; 65 for an invalid line and for two jobs that write the same file.
    static func read(_ name: Path, allowsOutside: Bool) throws -> [Job] {
        let bytes = try InputBytes.read(input: name, as: .json)
        let files = JobFiles(list: name, allowsOutside: allowsOutside)
        let jobs = try parse(bytes, name: name.inputName, files)
        guard !jobs.isEmpty else {
            throw Failure(
                .badInput,
                "\(name.inputName.quotable): it has no job; add a line such as {\"input\": \"page.png\", \"output\": \"out.png\"}"
            )
        }
        try refuseCollisions(among: jobs, of: name)
        return jobs
    }

    private static func parse(_ bytes: [UInt8], name: String, _ files: JobFiles) throws -> [Job] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.allSatisfy { " \t\r".utf8.contains($0) } }
        var jobs = [Result<Job, any Error>?](repeating: nil, count: lines.count)
        jobs.withUnsafeMutableBufferPointer { jobs in
            nonisolated(unsafe) let jobs = jobs
            Threads.forEach(lines.count) { index in
                jobs[index] = Result { try Job(line: lines[index].offset + 1, text: lines[index].element, files) }
            }
        }
        return try zip(jobs, lines).map { job, line in
            do {
                return try job!.get()
            } catch {
                throw Failure(error, inLine: line.offset + 1, of: name)
            }
        }
    }

    /// Jobs run side by side. So no two may write the same file, and none may write what another one reads. What a job
    /// reads itself is checked when its turn comes: a picture that it draws again may be replaced.
    private static func refuseCollisions(among jobs: [Job], of list: Path) throws {
        var uses = FileUses()
        let ownRole = "this list"
        uses.read(list, as: ownRole)
        for job in jobs {
            for path in job.inputs { uses.read(path, as: "line \(job.line)", group: job.line) }
            for path in job.outputs { uses.write(path, as: "line \(job.line)", group: job.line) }
        }
        do {
            try uses.check()
        } catch {
            let (writer, path) = (error.output.role, error.output.path)
            let problem =
                switch error.other {
                case .output(let other) where other.role == writer && other.path == path: "twice; give each its own"
                case .output(let other) where other.role == writer: "which is \(other.path), too; give each its own"
                case .output(let other) where other.path == path: "as \(other.role) does; give each its own"
                case .output(let other): "as \(other.role) does (\(other.path)); give each its own"
                case .input(let other) where other.role == ownRole: "which is this list; give it another name"
                case .input(let other) where other.path == path: "which \(other.role) reads; give it another name"
                case .input(let other): "which \(other.role) reads (\(other.path)); give it another name"
                }
            throw Failure(.badInput, "\(list.inputName): \(writer): it writes \(path), \(problem)")
        }
    }
}

extension Failure {
    /// The same about a line of a list; a scene's error says where in the line it is.
    init(_ error: any Error, inLine line: Int, of list: String) {
        guard let error = error as? DocumentError else {
            let failure = Failure(error)
            self.init(failure.code, "\(list.quotable): line \(line): \(failure.sentence)", details: failure.details)
            return
        }
        let place =
            switch error.position {
            case .text(_, let column): "line \(line), column \(column)"
            case .key(path: ""): "line \(line)"
            case .key(let path): "line \(line): \(path)"
            }
        self.init(.badInput, "\(list.quotable): \(place): \(error.problem)")
    }
}
