extension Examination {
    /// What there is and what is wrong with it, as lines for a person.
    public func lines(_ probe: ProbeFindings) -> [String] {
        section("libraries that lead to every driver", libraries.map(\.line), none: "none")
            + section("vendor files that libglvnd reads", vendors.map(\.line), none: "none")
            + section(
                "variables", variables.map { "\($0.name)=\($0.value): \($0.effect)" }, none: "none that bears on it")
            + section("device files", files.map(\.line), none: "none: there is no GPU, or it is not let in here")
            + section("what to mend", troubles(probe).map(\.sentence), none: "nothing")
    }

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
