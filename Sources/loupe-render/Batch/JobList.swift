import Dispatch
import Glibc
import LoupeImaging
import LoupeScene

/// A file of jobs, one JSON object on each line; blank lines are passed over.
enum JobList {
    /// Every job, checked before the first is drawn.
    /// - Throws: `Failure`: 66 where it can't be read; 65 for a line that is no job or two that write the same file.
    static func read(_ name: String, allowsOutside: Bool) throws -> [Job] {
        let bytes = try name == "-" ? Input.standardInput() : Input.file(name)
        let files = JobFiles(list: name, allowsOutside: allowsOutside)
        let jobs = try parse(bytes, name: name.inputName, files)
        guard !jobs.isEmpty else { throw Failure(.badInput, "\(name.inputName): no job in it; nothing to draw") }
        try refuseCollisions(among: jobs, name: name.inputName)
        try refuseReplacing(of: name, and: jobs)
        return jobs
    }

    private static func parse(_ bytes: [UInt8], name: String, _ files: JobFiles) throws -> [Job] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).enumerated()
            .filter { !$0.element.allSatisfy { " \t\r".utf8.contains($0) } }
        var jobs = [Result<Job, any Error>?](repeating: nil, count: lines.count)
        jobs.withUnsafeMutableBufferPointer { jobs in
            nonisolated(unsafe) let jobs = jobs
            DispatchQueue.concurrentPerform(iterations: lines.count) { index in
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

    /// A job that writes what another reads would leave it to chance what that draws.
    private static func refuseReplacing(of list: String, and jobs: [Job]) throws {
        // Lines by what they read.
        var readers: [String: Set<Int>] = [:]
        for job in jobs {
            for path in job.inputs.compactMap(RealPath.of) { readers[path, default: []].insert(job.line) }
        }
        let listPlace = RealPath.of(list)
        for job in jobs {
            for path in job.outputs {
                guard let place = OwnFiles.place(of: path) else { continue }
                let reader = readers[place]?.filter { $0 != job.line }.min()
                let reason = place == listPlace ? "is this list" : reader.map { "line \($0) reads" }
                guard let reason else { continue }
                throw Failure(
                    .badInput,
                    "\(list.inputName): line \(job.line): it writes \(path), which \(reason); give it another name")
            }
        }
    }

    /// Two jobs that write one file would leave it to chance which is seen.
    private static func refuseCollisions(among jobs: [Job], name: String) throws {
        var lines: [String: Int] = [:]
        for job in jobs {
            for path in job.outputs {
                guard let other = lines.updateValue(job.line, forKey: RealPath.ofPlace(path) ?? path) else { continue }
                let manner = other == job.line ? "twice" : "as line \(other) does"
                throw Failure(.badInput, "\(name): line \(job.line): it writes \(path), \(manner); give each its own")
            }
        }
    }
}

extension Failure {
    /// The same about a line of a list; a scene's error says where in the line it is.
    init(_ error: any Error, inLine line: Int, of list: String) {
        guard let error = error as? SceneError else {
            let failure = Failure(error)
            self.init(failure.code, "\(list): line \(line): \(failure.sentence)", details: failure.details)
            return
        }
        let place =
            switch error.place {
            case .text(_, let column): "line \(line), column \(column)"
            case .key(path: ""): "line \(line)"
            case .key(let path): "line \(line): \(path)"
            }
        self.init(.badInput, "\(list): \(place): \(error.problem)")
    }
}
