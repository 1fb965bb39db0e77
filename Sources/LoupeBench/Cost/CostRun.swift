import LoupeBase
import LoupeRenderer
import LoupeSystem

/// A program to be compiled.
package struct CostProgram: Hashable, Sendable {
    /// Such as `corner/linear`, or the file's name.
    package let name: String
    /// The program that it is compared with; nil for those that are compared with none.
    package let base: String?
    /// Nil for a fragment shader of the user's, for which one is made.
    let vertex: String?
    let fragment: String

    /// Loupe's programs, with the embedded files or with replacements.
    /// - Parameter all: every program by which a change is checked, not only the clip shaders without options.
    package static func own(_ replacements: ShaderReplacements, all: Bool) -> [CostProgram] {
        ProgramName.checked(all: all).map { program in
            let text = program.text(replacements)
            return CostProgram(
                name: "\(program)", base: program.inTheMiddle.map { "\($0)" }, vertex: text.vertex,
                fragment: text.fragment)
        }
    }

    /// Fragment shaders of the user's; the second and the following are compared with the first.
    package static func shaders(_ shaders: [(name: String, text: String)]) -> [CostProgram] {
        shaders.enumerated().map { index, shader in
            CostProgram(
                name: shader.name, base: index == 0 ? nil : shaders[0].name, vertex: nil, fragment: shader.text)
        }
    }
}

/// The reason why costs can't be found out.
package enum CostError: Error, Hashable, CustomStringConvertible {
    /// The libraries that stand in for GPUs are not installed.
    case noShim
    /// The compiler of an architecture does not start or ended, with the reason.
    case noCompiler(Architecture, reason: String)
    /// It refuses a program; the driver's log.
    case refused(String, Architecture, sentence: String, log: [String])
    /// It says nothing about a program.
    case silent(String, Architecture)
    /// A saved run is of another version of Mesa, or can't be read.
    case otherBase(String)

    package var description: String {
        switch self {
        case .noShim:
            "compilers of GPUs that this machine does not have need mesa-drm-shim; run tools/measure/setup-cost, install Debian's package, "
                + "or name its folder in LOUPE_DRM_SHIM"
        case .noCompiler(let architecture, let reason):
            "the compiler for \(architecture.title) (\(architecture.name)) does not work: \(reason)"
        case .refused(_, let architecture, let sentence, _): "\(sentence) for \(architecture.title)"
        case .silent(let name, let architecture):
            "the compiler for \(architecture.title) says nothing about \(name); Mesa 22.3 to 25.0 are known to"
        case .otherBase(let reason): reason
        }
    }
}

/// The costs of programs as the compilers of several architectures report them.
package struct CostRun: Hashable, Sendable {
    /// One program on one architecture.
    package struct Row: Hashable, Sendable {
        /// The program's name.
        package let name: String
        /// The program that it is compared with; nil for those that are compared with none.
        package let base: String?
        /// The cost on each architecture, in their order.
        package let costs: [ShaderCost]
    }

    /// The architectures.
    let architectures: [Architecture]
    /// `GL_RENDERER` and `GL_VERSION` of each architecture's driver.
    package let drivers: [String]
    /// The programs.
    package let rows: [Row]
    /// Why architectures are missing, a sentence for each.
    package let notes: [String]

    /// Compiles programs for architectures, each in a process of its own. Those whose compilers do not start are left out.
    /// - Parameters:
    ///   - command: a program and its arguments that runs ``CostServer``.
    ///   - shims: the folder of mesa-drm-shim's libraries.
    ///   - progress: called with what is being compiled and the part that is done, 0…1.
    package init(
        _ programs: [CostProgram], on architectures: [Architecture], command: [String], shims: Path,
        progress: (String, Double) -> Void = { _, _ in }
    ) throws(CostError) {
        var (found, drivers): ([Architecture], [String]) = ([], [])
        var costs = [[ShaderCost]](repeating: [], count: programs.count)
        var missing: [CostError] = []
        for (number, architecture) in architectures.enumerated() {
            var process: CostProcess
            do {
                process = try CostProcess(architecture, command: command, shims: shims)
            } catch {
                missing.append(error)
                continue
            }
            found.append(architecture)
            // The kernel's version is part of radeonsi's name, and has nothing to do with its compiler.
            let parts = process.renderer.split(separator: ",").filter { !$0.contains("DRM") && !$0.contains("-") }
            let renderer = parts.joined(separator: ",")
            let isOpen = renderer.contains("(") && !renderer.contains(")")
            drivers.append("\(renderer)\(isOpen ? ")" : ""), \(process.version)")
            for (index, program) in programs.enumerated() {
                let part = Double(number) + Double(index) / Double(programs.count)
                progress("\(architecture.title): \(program.name)", part / Double(architectures.count))
                if let cost = try process.cost(program) {
                    costs[index].append(cost)
                    continue
                }
                // A driver says nothing about a program that comes to the same as an earlier one; a fresh process does.
                process = try CostProcess(architecture, command: command, shims: shims)
                guard let cost = try process.cost(program) else { throw .silent(program.name, architecture) }
                costs[index].append(cost)
            }
        }
        if found.isEmpty, let first = missing.first { throw first }
        (self.architectures, self.drivers, notes) = (found, drivers, missing.map { $0.description })
        rows = zip(programs, costs).map { Row(name: $0.name, base: $0.base, costs: $1) }
    }

    /// A run that was saved as JSON.
    package struct Saved: Sendable {
        fileprivate let name: String
        fileprivate let drivers: [String]
        fileprivate let shaders: [JSONValue]

        /// - Parameter name: of the file, for errors.
        /// - Throws: `otherBase` where the JSON is none of a run.
        package init(_ json: [UInt8], name: String) throws(CostError) {
            guard let root = try? JSONValue(parsing: json), let shaders = root["shaders"]?.list else {
                throw .otherBase("\(name): it is no JSON of loupe-render cost")
            }
            (self.name, self.shaders) = (name, shaders)
            drivers = root["drivers"]?.list.compactMap(\.plain) ?? []
        }
    }

    /// Which programs of this run need more than in a saved one, a sentence each, of how many that both have.
    /// - Throws: `otherBase` where the saved run is of other drivers, lacks a cost, or has none of these programs.
    package func growth(over saved: Saved) throws(CostError) -> (grown: [String], compared: Int) {
        let before = saved.drivers
        guard before == drivers else {
            throw .otherBase(
                "\(saved.name): it is from other compilers (\(before.joined(separator: "; "))), not these (\(drivers.joined(separator: "; ")))"
            )
        }
        var (grown, compared): ([String], Int) = ([], 0)
        for row in rows {
            guard let old = saved.shaders.first(where: { $0["name"]?.plain == row.name }) else { continue }
            compared += 1
            for (architecture, cost) in zip(architectures, row.costs) {
                guard let costs = old["costs"]?[architecture.name], let base = ShaderCost(costs) else {
                    throw .otherBase("\(saved.name): it has no cost of \(row.name) on \(architecture.name)")
                }
                let more = cost.growth(over: base)
                if !more.isEmpty {
                    grown.append("\(row.name), \(architecture.title): \(more.joined(separator: ", "))")
                }
            }
        }
        guard compared > 0 else {
            throw .otherBase("\(saved.name): it has none of these shaders: \(rows.map(\.name).shortList)")
        }
        return (grown, compared)
    }

    // MARK: - Text

    /// The run as JSON.
    package var jsonText: String {
        let shaders = rows.map { row -> JSONValue in
            let costs = zip(architectures, row.costs).map { ($0.name, Optional($1.json)) }
            return [
                "name": .string(row.name), "base": row.base.map(JSONValue.string), "costs": .object(JSONObject(costs)),
            ]
        }
        let value: JSONValue = [
            "about": .string(Self.about), "drivers": .array(drivers.map(JSONValue.string)), "shaders": .array(shaders),
        ]
        return value.text() + "\n"
    }

    private static let about = "instructions and registers by this compiler, not time"

    /// The instructions as a multiple of the base's on each architecture; nil without a base.
    private func multiples(_ row: Row) -> [Double]? {
        guard let base = rows.first(where: { $0.name == row.base }) else { return nil }
        return zip(row.costs, base.costs).map { Double($0.instructions) / Double($1.instructions) }
    }

    /// One table for all architectures: instructions / registers.
    private var table: Table {
        var table = Table(
            title: "instructions / registers of a fragment", headings: ["shader"] + architectures.map(\.title),
            isNumeric: [false] + architectures.map { _ in true })
        table.rows = rows.map { row in
            [row.name]
                + row.costs.map {
                    "\($0.instructions) / \($0.registers)"
                        + ($0.scratch > 0 ? " (\($0.scratch) bytes of memory)" : "")
                }
        }
        table.note = Self.about
        return table
    }

    /// For each program with a base, whether it needs more or fewer instructions, in a sentence.
    var verdicts: [String] {
        rows.compactMap { row in
            guard let base = row.base, let multiples = multiples(row), let least = multiples.min(),
                let most = multiples.max()
            else { return nil }
            let range = least == most ? least.text(places: 2) : "\(least.text(places: 2)) to \(most.text(places: 2))"
            let verdict =
                least > 1
                ? "more on every architecture" : most < 1 ? "fewer on every architecture" : "no clear difference"
            return "\(row.name): \(range) times the instructions of \(base), \(verdict)"
        }
    }

    /// The table, the verdicts and the compilers for a person.
    package var text: String {
        table.text + "\n" + verdicts.map { "- \($0)\n" }.joined() + "\ncompilers: "
            + drivers.joined(separator: "; ") + "\n"
    }
}

extension [String] {
    /// The first ones with commas between, and how many more there are.
    var shortList: String {
        let shown = prefix(5).joined(separator: ", ")
        return count > 5 ? "\(shown) and \(count - 5) more" : shown
    }
}
