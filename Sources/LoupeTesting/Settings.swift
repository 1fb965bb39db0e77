import Glibc
import LoupeRenderer

/// What the environment says about a test run.
package struct Settings: Sendable {
    var record: RecordMode
    /// Where failures leave their pictures; nil for `test-failures` in the package's root.
    var failures: String?
    package var device: DeviceChoice

    /// Reads `LOUPE_RECORD`, `LOUPE_TEST_FAILURES` and `LOUPE_DEVICE`. Without the first, `CI` decides: nothing is
    /// recorded where it is set. An empty variable counts as not set.
    init(_ variable: (_ name: String) -> String?) throws(SettingsError) {
        func value(_ name: String) -> String? { variable(name).flatMap { $0.isEmpty ? nil : $0 } }
        let isCI = !["false", "0", nil].contains(value("CI"))
        record = try value("LOUPE_RECORD").map(Self.record) ?? (isCI ? .never : .missing)
        failures = value("LOUPE_TEST_FAILURES")
        device = try value("LOUPE_DEVICE").map(Self.device) ?? .auto
    }

    init(record: RecordMode, failures: String?) {
        (self.record, self.failures, device) = (record, failures, .auto)
    }

    /// Of this process, read once.
    package static let current = Result { () throws(SettingsError) in
        try Settings { name in getenv(name).map { String(cString: $0) } }
    }

    private static func record(_ text: String) throws(SettingsError) -> RecordMode {
        guard let mode = RecordMode(rawValue: text) else {
            let allowed = RecordMode.allCases.map(\.rawValue).joined(separator: ", ")
            throw SettingsError(description: "LOUPE_RECORD: '\(text)' is no way to record; allowed are \(allowed)")
        }
        return mode
    }

    private static func device(_ text: String) throws(SettingsError) -> DeviceChoice {
        guard let choice = DeviceChoice(argument: text) else {
            throw SettingsError(
                description: "LOUPE_DEVICE: '\(text)' is no device; allowed are auto, cpu, a number, /dev/dri/…")
        }
        return choice
    }
}

/// A variable that holds something else than it may.
package struct SettingsError: Error, CustomStringConvertible {
    package let description: String
}
