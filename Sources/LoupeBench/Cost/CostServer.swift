import LoupeBase
import LoupeRenderer
import LoupeSystem

// The process that compiles for a GPU that this machine does not have. It reads a program from each line, as JSON, and answers on the
// stream on which the driver prints: a line before the driver's, and one after.

/// The work of the process that is started with a driver's shim.
package enum CostServer {
    /// Set in the environment of the process. Its arguments can't say so: nouveau's shim hides them.
    package static let variable = "LOUPE_COMPILE_SERVER"
    static let begin = "loupe: compiling"
    static let end = "loupe: compiled "
    static let ready = "loupe: ready "

    /// Compiles programs until there are no more lines.
    package static func run(read: () -> String?, write: (String) throws -> Void) throws {
        let compiler: ShaderCompiler
        do {
            compiler = try ShaderCompiler()
        } catch {
            return try write(end + (["error": .string(error.description)] as JSONValue).line)
        }
        let hello: JSONValue = ["renderer": .string(compiler.renderer), "version": .string(compiler.version)]
        try write(ready + hello.line)
        while let text = read() {
            guard let program = try? JSONValue(parsing: Array(text.utf8)), let name = program["name"]?.plain,
                let fragment = program["fragment"]?.plain
            else { return }
            let vertex = program["vertex"]?.plain
            try write(begin)
            let answer: JSONValue
            do throws(ShaderFailure) {
                let messages = try compiler.compile(label: name, vertex: vertex, fragment: fragment)
                answer = ["messages": .array(messages.map(JSONValue.string))]
            } catch {
                answer = ["failure": .string(error.sentence), "log": .array(error.log.map(JSONValue.string))]
            }
            try write(end + answer.line)
        }
    }
}

/// One architecture's process, from the other side.
final class CostProcess {
    private let process: LineProcess
    private let architecture: Architecture
    let renderer: String
    let version: String

    /// Seconds for one program, and for the start.
    static let limit: Int32 = 60

    init(_ architecture: Architecture, command: [String], shims: Path) throws(CostError) {
        self.architecture = architecture
        let library = shims.child(Path(architecture.library))
        guard library.exists else {
            throw .noCompiler(architecture, reason: "\(library) is missing; tools/measure/setup-cost fetches it")
        }
        guard !"\(library)".contains(where: { ": ".contains($0) }) else {
            throw .noCompiler(
                architecture, reason: "the path \(library) has a space or a colon, which LD_PRELOAD can't have")
        }
        do {
            process = try LineProcess(command, variables: architecture.variables(library: library), readsErrors: true)
        } catch {
            throw .noCompiler(architecture, reason: error.description)
        }
        while let line = process.read(seconds: Self.limit) {
            if line.hasPrefix(CostServer.end) {
                throw .noCompiler(architecture, reason: Self.value(line, CostServer.end)?["error"]?.plain ?? "it fails")
            }
            guard line.hasPrefix(CostServer.ready) else { continue }
            let value = Self.value(line, CostServer.ready)
            renderer = value?["renderer"]?.plain ?? ""
            version = value?["version"]?.plain ?? ""
            guard renderer.hasPrefix("AMD") || renderer.hasPrefix("NV") else {
                throw .noCompiler(architecture, reason: "the driver that starts is \(renderer)")
            }
            return
        }
        throw .noCompiler(architecture, reason: process.ending)
    }

    private static func value(_ line: String, _ prefix: String) -> JSONValue? {
        try? JSONValue(parsing: Array(line.dropFirst(prefix.count).utf8))
    }

    /// Compiles a program; nil where the driver says nothing about it.
    func cost(_ program: CostProgram) throws(CostError) -> ShaderCost? {
        let request: JSONValue = [
            "name": .string(program.name), "vertex": program.vertex.map(JSONValue.string),
            "fragment": .string(program.fragment),
        ]
        _ = process.write(request.line)
        var lines: [String] = []
        while let line = process.read(seconds: Self.limit) {
            guard line.hasPrefix(CostServer.end) else {
                lines.append(line)
                continue
            }
            let answer = Self.value(line, CostServer.end)
            if let failure = answer?["failure"]?.plain {
                throw .refused(
                    program.name, architecture, sentence: failure, log: answer?["log"]?.list.compactMap(\.plain) ?? [])
            }
            switch architecture.driver {
            case .radeonsi: return ShaderCost(radeonsi: lines)
            case .nouveau:
                return answer?["messages"]?.list.compactMap(\.plain).compactMap(ShaderCost.init(nouveau:)).last
            }
        }
        throw .noCompiler(architecture, reason: "\(program.name): \(process.ending)")
    }
}
