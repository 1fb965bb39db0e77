import Glibc
import LoupeRenderer
import LoupeSystem

/// The settings of a test run, read from the environment.
package struct Settings: Sendable {
    /// Which references the run writes.
    var record: RecordMode
    /// The folder for the files of failures; nil for `test-failures` in the package's root.
    var failures: Path?
    /// The device that scenes are drawn on.
    package var device: DeviceChoice

    /// Reads `LOUPE_RECORD`, `LOUPE_TEST_FAILURES` and `LOUPE_DEVICE`. If the first is not set, nothing is recorded if `CI`
    /// is set, else missing references are. An empty variable counts as not set.
    init(_ variable: (_ name: String) -> Path?) throws(SettingsError) {
        func path(_ name: String) -> Path? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        func value(_ name: String) -> String? { path(name)?.description }
        let isCI = !["false", "0", nil].contains(value("CI"))
        record = try value("LOUPE_RECORD").map(Self.record) ?? (isCI ? .never : .missing)
        failures = path("LOUPE_TEST_FAILURES")
        device = try value("LOUPE_DEVICE").map(Self.device) ?? .auto
    }

    init(record: RecordMode, failures: Path?) {
        (self.record, self.failures, device) = (record, failures, .auto)
    }

    /// The settings of this process, read once.
    package static let current = Result { () throws(SettingsError) in
        try Settings { name in getenv(name).map { Path(cString: $0) } }
    }

    private static func record(_ text: String) throws(SettingsError) -> RecordMode {
        guard let mode = RecordMode(rawValue: text) else {
            let allowed = RecordMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError(description: "LOUPE_RECORD: '\(text)' is not allowed; allowed are \(allowed)")
        }
        return mode
    }

    private static func device(_ text: String) throws(SettingsError) -> DeviceChoice {
        guard let choice = DeviceChoice(argument: text) else {
            throw SettingsError(
                description: "LOUPE_DEVICE: '\(text)' is not a device; allowed are auto, cpu, a number, /dev/dri/…")
        }
        return choice
    }
}

/// An environment variable with a value that is not allowed.
package struct SettingsError: Error, CustomStringConvertible {
    package let description: String
}

/// The references that a test run writes. An expectation that writes its reference fails.
enum RecordMode: String, Sendable, CaseIterable {
    /// Missing references.
    case missing
    /// Missing references, and those that the picture does not match.
    case failed
    /// All references.
    case all
    /// No references. An expectation without a reference fails.
    case never
}
