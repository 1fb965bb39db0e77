import LoupeJSON

/// What a machine has for OpenGL ES without a display.
public struct Examination: Hashable, Sendable {
    /// The libraries that lead to every driver.
    public let libraries: [EntryLibrary]
    /// The vendor files, in the order in which libglvnd reads them.
    public let vendors: [VendorFile]
    /// The variables that are set and affect OpenGL ES.
    public let variables: [SetVariable]
    /// The device files of GPUs.
    public let files: [DeviceFile]
    /// The vendors whose EGL can be loaded, named by a vendor file or not.
    let loadable: Set<Vendor>
    /// Whether there is a driver where Mesa looks for them.
    let hasMesaDrivers: Bool
    /// Whose packages the machine has.
    let distribution: Distribution

    /// Examines a machine.
    public init(of machine: Machine) {
        libraries = EntryLibrary.all(on: machine)
        distribution = Distribution(of: machine)
        vendors = VendorSearch(machine: machine).files
        variables = SetVariable.all(in: machine.environment)
        files = DeviceFile.all(on: machine)
        loadable = Set(Vendor.allCases.filter { machine.loadingFailure($0.library) == nil })
        hasMesaDrivers = MesaDrivers(machine: machine).areThere
    }

    /// What keeps a device from working or from being used, the gravest first.
    public func troubles(_ probe: ProbeFindings) -> [Trouble] { TroubleFinder(self, probe).troubles }

    /// The value of a variable; nil if it is not set.
    func value(of name: String) -> String? { variables.first { $0.name == name }?.value }
}

// MARK: - Text

extension Examination {
    /// What the machine has and what is wrong with it, as lines for a person.
    public func lines(_ probe: ProbeFindings) -> [String] {
        section("libraries that lead to every driver", libraries.map(\.line), none: "none")
            + section("vendor files that libglvnd reads", vendors.map(\.line), none: "none")
            + section(
                "variables", variables.map { "\($0.name)=\($0.value): \($0.effect)" },
                none: "none that affects OpenGL ES")
            + section(
                "device files", files.map(\.line), none: "none: there is no GPU, or this container has no access to it")
            + problems(probe)
    }

    /// What to fix, or one line where there is nothing.
    private func problems(_ probe: ProbeFindings) -> [String] {
        let troubles = troubles(probe)
        return troubles.isEmpty
            ? ["", Self.noProblems] : section("what to fix", troubles.map(\.sentence), none: "")
    }

    /// The line that says so.
    public static let noProblems = "no problems found"

    private func section(_ title: String, _ lines: [String], none: String) -> [String] {
        ["", "\(title):"] + (lines.isEmpty ? [none] : lines).map { "  " + $0 }
    }
}

extension EntryLibrary {
    fileprivate var line: String { "\(name): " + (reason.map { "can't be loaded: \($0)" } ?? "loads") }
}

extension VendorFile {
    fileprivate var line: String {
        switch outcome {
        case .loads: "\(path): \(library ?? ""), which loads"
        case .unusable(let reason): "\(path): can't be used: \(reason)"
        case .unloadable(let reason): "\(path): \(library ?? ""), which can't be loaded: \(reason)"
        }
    }
}

extension DeviceFile {
    fileprivate var line: String {
        "\(path): \(permissions), owner \(owner), group \(group): " + (reason ?? "this user can open it")
    }
}

// MARK: - JSON

extension Examination {
    /// The same as members of a JSON object.
    package func json(_ probe: ProbeFindings) -> [(key: String, value: JSONValue)] {
        [
            ("libraries", .array(libraries.map(\.json))), ("vendorFiles", .array(vendors.map(\.json))),
            ("variables", .array(variables.map(\.json))),
            ("deviceFiles", .array(files.map(\.json))), ("troubles", .array(troubles(probe).map(\.json))),
        ]
    }
}

extension EntryLibrary {
    fileprivate var json: JSONValue {
        ["name": .string(name), "loads": .bool(reason == nil), "reason": reason.map(JSONValue.string)]
    }
}

extension VendorFile {
    fileprivate var json: JSONValue {
        let outcome: (name: String, reason: String?) =
            switch outcome {
            case .loads: ("loads", nil)
            case .unusable(let reason): ("unusable", reason)
            case .unloadable(let reason): ("unloadable", reason)
            }
        return [
            "path": .string(path.description), "library": library.map(JSONValue.string),
            "outcome": .string(outcome.name),
            "reason": outcome.reason.map(JSONValue.string),
        ]
    }
}

extension SetVariable {
    fileprivate var json: JSONValue {
        ["name": .string(name), "value": .string(value), "effect": .string(effect)]
    }
}

extension DeviceFile {
    fileprivate var json: JSONValue {
        [
            "path": .string(path.description), "permissions": .string(permissions), "owner": .string(owner),
            "group": .string(group),
            "opens": .bool(reason == nil), "reason": reason.map(JSONValue.string),
        ]
    }
}

extension Trouble {
    fileprivate var json: JSONValue {
        ["problem": .string(problem), "fix": .string(fix), "command": command.map(JSONValue.string)]
    }
}
