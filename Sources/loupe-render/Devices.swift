import ArgumentParser
import LoupeBase
import LoupeRenderer
import LoupeScene
import LoupeSystem

/// `loupe-render devices`: tries every device.
struct Devices: ParsableCommand, DeviceUsing, FileWriting {
    static let configuration = CommandConfiguration(
        commandName: "devices",
        abstract:
            "Tries every way to a device; says which works, which is chosen, why the others fail, and what to fix.",
        discussion: """
            Also lists the vendor files that libglvnd reads and whether their libraries load, the variables that affect \
            OpenGL ES, and who may open the GPUs' device files. Exit codes: 0 a device works; 69 none does.
            """)

    @OptionGroup var device: DeviceOptions

    @Flag(name: .long, help: "Write JSON instead of the table: to PATH, or to standard output.")
    var json = false

    @Argument(help: ArgumentHelp("Where --json writes to; - is standard output.", valueName: "path"))
    var path: OutputPath?

    @Flag(name: .long, help: "Write no table; the exit code says whether a device works.")
    var quiet = false

    @OptionGroup var color: ColorOptions
    @OptionGroup var writing: WritingOptions

    func validate() throws {
        if let path, !json { throw ValidationError("\(path.path): only --json takes a path") }
    }

    func run() throws {
        let report = DeviceProbe.report(choice: device.device)
        if json {
            var uses = FileUses()
            for path in Machine.this.vendorFiles { uses.read(path, as: "the vendor file") }
            if let path { uses.write(path.path, as: "--json") }
            do {
                try uses.check()
            } catch {
                throw Failure(error)
            }
            try (path.map { Output($0) } ?? .standard).write(report.json.text() + "\n")
        } else if !quiet {
            let style = color.style
            let lines = report.examination.lines.map { line in
                line == Examination.noProblems ? style.result(line, isGood: true) : line.forTerminal
            }
            try Output.standard.write((report.lines(style) + lines).map { $0 + "\n" }.joined())
        }
        guard report.chosen != nil else { throw Failure(.noDevice, report.reason) }
    }
}

extension DeviceReport {
    fileprivate var examination: Examination {
        Examination(
            of: .this,
            ProbeFindings(
                chosenIsSoftware: chosen.flatMap { candidates[$0].info?.isSoftware },
                oldVersions: candidates.compactMap(\.oldVersion)))
    }

    fileprivate func lines(_ style: TerminalStyle) -> [String] {
        let rows = candidates.map { candidate in
            (candidate.index == chosen ? "* " : "  ") + candidate.line(style)
        }
        let details = chosen.map { candidates[$0] }.flatMap(\.info).map(\.lines) ?? []
        return rows + ([["", reason], details].joined().map(\.forTerminal))
    }

    fileprivate var json: JSONValue {
        let members: [(String, JSONValue?)] = [
            ("candidates", .array(candidates.map(\.json))),
            ("chosen", chosen.map { .number(Double($0)) } ?? .null), ("reason", .string(reason)),
        ]
        return .object(JSONObject(members + examination.json.map { ($0.key, $0.value) }))
    }
}

extension DeviceCandidate {
    fileprivate func line(_ style: TerminalStyle) -> String {
        let text = description.forTerminal
        return switch outcome {
        case .works: style.result(text, isGood: true)
        case .failed: style.result(text, isGood: false)
        case .untried: style.result(text, .faint, mark: "·")
        }
    }

    fileprivate var info: DeviceInfo? {
        if case .works(let info) = outcome { info } else { nil }
    }

    fileprivate var json: JSONValue {
        let outcome: (name: String, reason: String?) =
            switch outcome {
            case .works: ("works", nil)
            case .failed(let reason): ("failed", reason)
            case .untried: ("untried", nil)
            }
        return [
            "index": .number(Double(index)), "platform": .string(platform.rawValue), "name": .string(name),
            "path": path.map { .string($0.description) }, "outcome": .string(outcome.name),
            "reason": outcome.reason.map(JSONValue.string), "device": info?.json,
        ]
    }
}

extension DeviceInfo {
    fileprivate var lines: [String] {
        [
            "  vendor    \(vendor)", "  renderer  \(renderer)", "  version   \(version)",
            "  GLSL      \(shadingLanguageVersion)", "  EGL       \(eglVersion), \(eglVendor)",
            "  software  \(isSoftware ? "yes" : "no")",
            "  limits    textures \(limits.textureSize), viewport \(limits.viewportWidth)×\(limits.viewportHeight), subpixel bits \(limits.subpixelBits)",
        ]
    }

    fileprivate var json: JSONValue {
        [
            "vendor": .string(vendor), "renderer": .string(renderer), "version": .string(version),
            "shadingLanguageVersion": .string(shadingLanguageVersion), "eglVendor": .string(eglVendor),
            "eglVersion": .string(eglVersion), "software": .bool(isSoftware),
            "limits": [
                "textureSize": .number(Double(limits.textureSize)),
                "renderbufferSize": .number(Double(limits.renderbufferSize)),
                "viewportWidth": .number(Double(limits.viewportWidth)),
                "viewportHeight": .number(Double(limits.viewportHeight)),
                "drawBuffers": .number(Double(limits.drawBuffers)),
                "subpixelBits": .number(Double(limits.subpixelBits)),
            ],
            "extensions": .array(extensions.sorted().map(JSONValue.string)),
        ]
    }
}
