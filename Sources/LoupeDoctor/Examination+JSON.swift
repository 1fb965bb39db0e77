import LoupeJSON

extension Examination {
    /// The same for a program.
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
            "path": .string(path), "library": library.map(JSONValue.string), "outcome": .string(outcome.name),
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
            "path": .string(path), "permissions": .string(permissions), "owner": .string(owner),
            "group": .string(group),
            "opens": .bool(reason == nil), "reason": reason.map(JSONValue.string),
        ]
    }
}

extension Trouble {
    fileprivate var json: JSONValue {
        ["problem": .string(problem), "mend": .string(mend), "command": command.map(JSONValue.string)]
    }
}
