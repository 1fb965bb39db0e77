import Glibc
import LoupeFiles
import LoupeImaging
import LoupePage

/// `loupe-template`, the program beside this one that fills in the templates of pages.
struct TemplateProgram {
    private let path: String

    init() {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let program = String(decoding: buffer[..<max(0, count)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        path = (program.lastIndex(of: "/").map { String(program[...$0]) } ?? "./") + "loupe-template"
    }

    /// - Throws: `Failure` where there is no such program.
    func check() throws {
        guard access(path, X_OK) == 0 else {
            throw Failure(
                .noInput, "\(path): it is missing; it belongs beside loupe-render, for which it writes HTML pages")
        }
    }

    /// Writes a page to a file, which appears whole or not at all; `-` is standard output.
    func write(_ page: Page, to output: String) throws {
        do {
            try ByteSink.open(output) { try run(page, into: $0, named: output.outputName) }
        } catch let error as FileError where error.isBrokenPipe {
            // The reader has what it wanted.
        } catch let error as FileError {
            throw Failure(.cannotWrite, error.description)
        }
    }

    /// Feeds the program, which writes to the sink by itself, and reads what it has to say in the end.
    private func run(_ page: Page, into sink: ByteSink, named output: String) throws {
        let (input, errors) = (try Pipe(), try Pipe())
        let process = try start(input: input.readEnd, output: sink.descriptor, errors: errors.writeEnd)
        input.closeReadEnd()
        errors.closeWriteEnd()
        // Where the program has ended already, its own words say why.
        try? page.forEachLine { try input.write($0 + "\n") }
        input.closeWriteEnd()
        let sentence = errors.rest()
        switch Self.exitCode(of: process) {
        case 0: return
        case Failure.Code.cannotWrite.rawValue: throw FileError.unwritable(path: output, reason: sentence)
        case let code: throw Failure(.defect, "\(path) ended with \(code): \(sentence)")
        }
    }

    private func start(input: Int32, output: Int32, errors: Int32) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (number, place) in [(input, STDIN_FILENO), (output, STDOUT_FILENO), (errors, STDERR_FILENO)] {
            posix_spawn_file_actions_adddup2(&actions, number, place)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), nil]
        defer { free(arguments[0]) }
        var process: pid_t = 0
        let code = posix_spawn(&process, path, &actions, nil, &arguments, environ)
        guard code == 0 else { throw Failure(.defect, "\(path) can't be run: \(String(cString: strerror(code)))") }
        return process
    }

    /// The code, or the signal that ended it as a negative number.
    private static func exitCode(of process: pid_t) -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 && errno == EINTR {}
        return status & 0x7f == 0 ? (status >> 8) & 0xff : -(status & 0x7f)
    }
}

extension String {
    /// How a sentence names an output.
    fileprivate var outputName: String { self == "-" ? "standard output" : self }
}
